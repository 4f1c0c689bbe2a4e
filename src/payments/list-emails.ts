// Pages of emails, all of them or those about one payment request. Which those can be is known by
// their causes, and an email's key begins with its account and its cause.

import type { DraftOptions } from '../email/draft-email.ts'
import { type EmailListQuery, type ListedEmail, listEmails } from '../email/list-emails.ts'
import type { Db } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findSucceededRefunds } from '../transactions/list-refunds.ts'
import { causesOf } from './emails.ts'
import { selectPaymentsById } from './queries.ts'

export interface PaymentEmailsQuery extends Omit<EmailListQuery, 'among'> {
  /** The id of a payment request: only the emails about it. */
  payment?: string | undefined
}

/** Of all accounts, or of one. */
export async function listPaymentEmails(
  db: Db,
  account_id: string | undefined,
  { payment, ...query }: PaymentEmailsQuery,
  options: DraftOptions,
): Promise<CursorPage<ListedEmail>> {
  if (payment === undefined) return listEmails(db, account_id, query, options)
  return listEmails(db, account_id, { ...query, among: await findCauses(db, payment) }, options)
}

async function findCauses(db: Db, payment: string): Promise<EmailListQuery['among']> {
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
