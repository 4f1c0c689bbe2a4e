// Issues receipts and credit notes. The first request for a document issues it: under the account
// lock it gets the next number, and the row is committed with that number or not at all. So numbers
// have no gaps, and a crash leaves none. Later requests return the same document.

import { findBranding } from '../accounts/branding/find-branding.ts'
import { findAccounts } from '../accounts/find-accounts.ts'
import type { Caller } from '../identity/caller.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import { lockAccountIfExists, timeUnderLock } from '../ledger/account-lock.ts'
import { findPostingsOf } from '../ledger/find-postings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { findPayments } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import { findRequestPaidBy } from '../payments/refunds.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { newUuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import { findRefundCredits } from '../transactions/charges.ts'
import { findTransactions } from '../transactions/find-transaction.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import type { DocumentFacts, DocumentRow } from './document.ts'
import { insertDocument, selectDocumentOf, selectNextNumber } from './queries.ts'

interface Parts {
  db: Db
  sandbox: boolean
}

/** The receipt of a paid request. Without a caller, the link of the payment page is enough. */
export async function issueReceipt(
  { db, sandbox }: Parts,
  { account_id, id, status, transaction_id }: PaymentRow,
  caller?: Caller,
): Promise<DocumentRow> {
  if (status !== 'succeeded') throw notPaid(status)
  const issued = await selectDocumentOf(db, account_id, transaction_id!)
  if (issued !== undefined) return issued
  return db.transaction(async (tx) => {
    const lock = await lockFor(tx, account_id, caller)
    const [payment] = await findPayments(tx, [{ account_id, id }])
    return receiptUnderLock(tx, lock, payment!, sandbox)
  })
}

/** The credit note of a refund. Issues the receipt of the payment first, if it has none. */
export async function issueCreditNote(
  { db, sandbox }: Parts,
  { account_id, id, type, status }: TransactionRow,
  caller?: Caller,
): Promise<DocumentRow> {
  if (type !== 'refund') throw notRefund(type)
  if (status !== 'succeeded') throw notRefunded(status)
  const issued = await selectDocumentOf(db, account_id, id)
  if (issued !== undefined) return issued
  return db.transaction(async (tx) => {
    const lock = await lockFor(tx, account_id, caller)
    const earlier = await selectDocumentOf(tx, account_id, id)
    if (earlier !== undefined) return earlier
    const [refund] = await findTransactions(tx, [{ account_id, id }])
    // The bank may have returned a refund by transfer since it was read.
    if (refund!.status !== 'succeeded') throw notRefunded(refund!.status)
    const credit_id = (await findRefundCredits(tx, [{ account_id, id }])).get(id)
    // It stays succeeded. A note that was issued before stays too: numbers have no gaps.
    if (credit_id !== undefined) throw wasReturned(credit_id)
    const payment = await findRequestPaidBy(tx, account_id, refund!.refund_of!)
    if (payment === undefined) throw withoutRequest()
    const receipt = await receiptUnderLock(tx, lock, payment, sandbox)
    const { paid_at, paid_amount }: DocumentFacts = JSON.parse(receipt.facts)
    const refunded_at = toIso(await settledAt(tx, refund!))
    return insert(tx, lock, payment, {
      type: 'credit_note',
      transaction_id: id,
      amount: refund!.amount,
      receipt_number: receipt.number,
      facts: { paid_at, paid_amount, refunded_at, sandbox },
    })
  })
}

/**
 * Also of a closed account: its payments and refunds still need documents. They are not changes of
 * the account.
 */
async function lockFor(
  tx: Tx,
  account_id: string,
  caller: Caller | undefined,
): Promise<AccountLock> {
  const lock = await lockAccountIfExists(tx, account_id)
  if (caller !== undefined) await requireLiveToken(tx, caller)
  if (lock === undefined) throw new Error(`${account_id} has no balance`)
  return lock
}

async function receiptUnderLock(
  tx: Tx,
  lock: AccountLock,
  payment: PaymentRow,
  sandbox: boolean,
): Promise<DocumentRow> {
  const { account_id, transaction_id, amount, updated_at } = payment
  const issued = await selectDocumentOf(tx, account_id, transaction_id!)
  if (issued !== undefined) return issued
  const paid_at = toIso(updated_at)
  return insert(tx, lock, payment, {
    type: 'receipt',
    transaction_id: transaction_id!,
    amount,
    receipt_number: null,
    facts: { paid_at, paid_amount: amount, refunded_at: null, sandbox },
  })
}

interface NewDocument
  extends Pick<DocumentRow, 'type' | 'transaction_id' | 'amount' | 'receipt_number'> {
  facts: Pick<DocumentFacts, 'paid_at' | 'paid_amount' | 'refunded_at' | 'sandbox'>
}

async function insert(
  tx: Tx,
  lock: AccountLock,
  payment: PaymentRow,
  { facts, ...document }: NewDocument,
): Promise<DocumentRow> {
  const { account_id, id: payment_id, currency, customer_email, reference } = payment
  const at = timeUnderLock(tx, lock)
  const row: DocumentRow = {
    account_id,
    number: await selectNextNumber(tx, account_id),
    id: newUuid(at.getTime()),
    ...document,
    payment_id,
    currency,
    customer_email,
    reference,
    issued_at: at,
    facts: JSON.stringify({ ...(await sellerOf(tx, account_id)), ...facts }),
  }
  await insertDocument(tx, row)
  // Not an event: it follows from the payment, whose event exists.
  tx.proveByRow(account_id)
  return row
}

/** As they are now: a later change of name or address does not change the document. */
async function sellerOf(
  tx: Tx,
  account_id: string,
): Promise<Pick<DocumentFacts, 'seller' | 'language' | 'timezone'>> {
  const [account] = await findAccounts(tx, [account_id])
  const { support_email, support_phone, website } = await findBranding(tx, account_id)
  const { name, email, language, timezone } = account!
  const seller = { name, email: support_email ?? email, phone: support_phone, website }
  return { seller, language, timezone }
}

/** The time of the last posting: `updated_at` is later if the refund was updated since. */
async function settledAt(tx: Tx, { account_id, id, updated_at }: TransactionRow): Promise<Date> {
  const lookup = { account_id, transaction_id: id, created_at: timeOfUuid(id), updated_at }
  const postings = await findPostingsOf(tx, { ...lookup, count: 2 })
  return postings.at(-1)?.at ?? updated_at
}

function notPaid(status: string): Refusal {
  const message = `Only a paid request has a receipt; the status of this one is "${status}".`
  return new Refusal('conflict', message)
}

function notRefund(type: string): Refusal {
  return new Refusal('conflict', `Only a refund has a credit note; this is a ${type}.`)
}

function notRefunded(status: string): Refusal {
  const rule = 'Only a refund that has succeeded has a credit note'
  return new Refusal('conflict', `${rule}; the status of this one is "${status}".`)
}

function wasReturned(credit_id: string): Refusal {
  const credit = toTypeId('transaction', credit_id)
  return new Refusal(
    'conflict',
    `This refund has no credit note: it was returned, and ${credit} credits its amount.`,
  )
}

function withoutRequest(): Refusal {
  const message =
    'This refund has no credit note: the refunded payment belongs to no payment request, so it ' +
    'has no customer and no receipt.'
  return new Refusal('conflict', message)
}
