// Pages of letters, all of them or those about one payment request. Which those can be is known by
// their causes, and a letter's key begins with its account and its cause.

import type { DraftOptions } from '../mail/draft-letter.ts'
import { type LetterListQuery, type ListedLetter, listLetters } from '../mail/list-letters.ts'
import type { Db } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findSucceededRefunds } from '../transactions/list-refunds.ts'
import { causesOf } from './letters.ts'
import { selectPaymentsById } from './queries.ts'

export interface LettersQuery extends Omit<LetterListQuery, 'among'> {
  /** The id of a payment request: only the letters about it. */
  payment?: string | undefined
}

/** Of all accounts, or of one. */
export async function listLettersAbout(
  db: Db,
  account_id: string | undefined,
  { payment, ...query }: LettersQuery,
  options: DraftOptions,
): Promise<CursorPage<ListedLetter>> {
  if (payment === undefined) return listLetters(db, account_id, query, options)
  return listLetters(db, account_id, { ...query, among: await findCauses(db, payment) }, options)
}

async function findCauses(db: Db, payment: string): Promise<LetterListQuery['among']> {
  const id = findUuid('payment', payment)
  if (id === undefined) {
    throw new Refusal('invalid_request', 'payment must be the id of a payment request: pay_….')
  }
  const [row] = await selectPaymentsById(db, [id])
  if (row === undefined) return nobodys
  const { account_id, transaction_id } = row
  const refund_ids =
    transaction_id === null ? [] : await findSucceededRefunds(db, account_id, transaction_id)
  return { account_id, causes: causesOf(row, refund_ids) }
}

const nobodys = { account_id: '', causes: [] }
