// Lists all emails, or those about one payment request. Those are found by their causes: the
// primary key of emails starts with account and cause.

import type { DraftOptions } from '../email/draft.ts'
import {
  type EmailListQuery,
  type EmailStateEntry,
  findEmailStates,
  type ListedEmail,
  listEmails,
} from '../email/list-emails.ts'
import type { Db } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { findSucceededRefunds } from '../transactions/list-refunds.ts'
import { causesOf } from './emails.ts'
import type { PaymentRow } from './payment.ts'
import { selectPaymentsById } from './queries.ts'

interface PaymentEmailsQuery extends Omit<EmailListQuery, 'among'> {
  /** The id of a payment request: lists only the emails about it. */
  payment?: string | undefined
}

/** Lists emails of all accounts if `account_id` is undefined. */
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
    const rule = `"payment" must be a payment request id such as "pay_…"; got ${quote(payment)}.`
    throw new Refusal('invalid_request', rule)
  }
  const [row] = await selectPaymentsById(db, [id])
  if (row === undefined) return no_emails
  return { account_id: row.account_id, causes: await findCausesOf(db, row) }
}

async function findCausesOf(db: Db, row: PaymentRow): Promise<string[]> {
  const { account_id, transaction_id } = row
  const refund_ids =
    transaction_id === null ? [] : await findSucceededRefunds(db, account_id, transaction_id)
  return causesOf(row, refund_ids)
}

/** For everyone who may see the request: the state of its emails, not their content. */
export async function listEmailStates(
  db: Db,
  row: PaymentRow,
): Promise<CursorPage<EmailStateEntry>> {
  const data = await findEmailStates(db, row.account_id, await findCausesOf(db, row))
  return { object: 'list', data, has_more: false }
}

const no_emails = { account_id: '', causes: [] }
