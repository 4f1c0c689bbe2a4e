// POST /v1/customers/{id}/erase. The address becomes a keyed hash wherever the account stores it;
// amounts, postings and references stay, because balances must add up.
//
// Logs may have millions of rows, so they are changed first, in short slices without the account
// lock. One transaction under the lock then changes the rest and whatever was added since. Until it
// commits the customer is not erased, and a retry after a failure repeats everything.

import { createHmac, randomBytes } from 'node:crypto'
import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import type { CustomerRow } from '../customers/customer.ts'
import { eraseCustomerRow, getCustomer } from '../customers/find-customers.ts'
import { erased_documents } from '../documents/find-documents.ts'
import { erased_emails } from '../email/list-emails.ts'
import { forgetInbox } from '../email/recipient-limits.ts'
import { erased_events } from '../events/find-events.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import { erased_responses } from '../idempotency/stored-responses.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import { lockAccountIfExists } from '../ledger/account-lock.ts'
import { erasePayments, sumRequestsTo } from '../payments/customer-requests.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { getErasureKey } from '../postgres/instance.ts'
import {
  type AddressReplacement,
  addressPattern,
  type ReplacedTable,
  replaceInSlices,
} from '../postgres/replace-text.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { erased_entries } from '../request-log/list-entries.ts'
import {
  countSubscriptionsOf,
  eraseSubscriptions,
} from '../subscriptions/customer-subscriptions.ts'
import { erased_attempts, erased_deliveries } from '../webhooks/find-deliveries.ts'
import { type Customer, presentCustomer } from './customers.ts'

/** Rows are added in the order of the key, so the lock only has to wait for the newest. */
const growing_logs = [erased_events, erased_entries, erased_documents]

/** Nothing is added here about a customer whose payment requests do not change. */
const settled_logs = [erased_deliveries, erased_attempts, erased_responses]

// A slice of a long log takes a tenth of a second of the database. Callers with many connections
// must not occupy the clients that all requests share.
const takeTurn = createFairQueue({ concurrency_max: 2, wait_max_ms: 5_000, refusal: tooMany })

export async function eraseCustomer(
  db: Db,
  caller: Caller,
  customer_id: string,
  confirm_email: string,
): Promise<Customer> {
  const { account_id } = await getCustomer(db, caller, customer_id)
  return takeTurn(account_id, () => eraseInTurn(db, caller, customer_id, confirm_email))
}

async function eraseInTurn(
  db: Db,
  caller: Caller,
  customer_id: string,
  confirm_email: string,
): Promise<Customer> {
  const customer = await getCustomer(db, caller, customer_id)
  const { account_id, email_canonical } = customer
  if (canonicalEmail(confirm_email) !== email_canonical) throw notConfirmed(confirm_email)
  if (customer.erased_at !== null) return presentCustomer(db, customer)
  const before = await requireNothingOpen(db, customer)
  const key = await getErasureKey(db, randomBytes(32))
  const to = erasedEmail(key, customer)
  const pattern = addressPattern(email_canonical)
  const replacement = { account_id, email: email_canonical, pattern, to }
  for (const log of [...settled_logs, erased_emails]) await replaceInSlices(db, log, replacement)
  const done = new Map<ReplacedTable, string>()
  for (const log of growing_logs) done.set(log, await replaceInSlices(db, log, replacement))
  return changeOnce(db, caller.idempotency, async (tx) => {
    // Also of a closed account, for admins: the data is still stored.
    await lockAccountIfExists(tx, account_id)
    await requireLiveToken(tx, caller)
    if ((await requireNothingOpen(tx, customer)) !== before) throw changedMeanwhile()
    for (const log of growing_logs) await replaceInSlices(tx, log, replacement, done.get(log))
    // A refund sends an email without changing the request, and causes have no order.
    await replaceInSlices(tx, erased_emails, replacement)
    return finish(tx, caller, customer, replacement)
  })
}

async function finish(
  tx: Tx,
  caller: Caller,
  customer: CustomerRow,
  replacement: AddressReplacement,
): Promise<Customer> {
  const { account_id, email_canonical } = customer
  await erasePayments(tx, email_canonical, replacement)
  await eraseSubscriptions(tx, email_canonical, replacement)
  await forgetInbox(tx, account_id, email_canonical)
  const erased = await eraseCustomerRow(tx, customer, replacement.to)
  const entry = { action: 'customer.erased', object_id: erased.id, account_id } as const
  await recordAuditEntry(tx, actorOf(caller), entry)
  return presentCustomer(tx, erased)
}

/** Valid as an address, and never deliverable: RFC 2606 reserves the domain. */
function erasedEmail(key: Buffer, { account_id, email_canonical }: CustomerRow): string {
  const hash = createHmac('sha256', key).update(`${account_id} ${email_canonical}`).digest('hex')
  return `erased-${hash.slice(0, 32)}@erased.invalid`
}

/**
 * A pending request and an active subscription still send emails to the address. Returns a text
 * that differs after the customer has changed.
 */
async function requireNothingOpen(db: Queryable, customer: CustomerRow): Promise<string> {
  const { account_id, email_canonical } = customer
  const requests = await sumRequestsTo(db, account_id, [email_canonical])
  const pending = requests.get(email_canonical)?.open_requests ?? 0
  const subscriptions = await countSubscriptionsOf(db, account_id, [email_canonical])
  const open = subscriptions.get(email_canonical)?.open ?? 0
  if (pending === 0 && open === 0) return JSON.stringify([...requests, ...subscriptions])
  throw new Refusal(
    'conflict',
    `The customer has ${pending} pending payment requests and ${open} subscriptions that are ` +
      'not canceled. Cancel them first, then erase the customer.',
  )
}

function tooMany(): Refusal {
  const message = 'Other customers are being erased. Try again in a minute.'
  return new Refusal('unavailable', message, { retry_after_s: 60 })
}

function changedMeanwhile(): Refusal {
  const message = 'The customer has changed while the data was erased. Erase the customer again.'
  return new Refusal('conflict', message)
}

function notConfirmed(got: string): Refusal {
  return new Refusal(
    'invalid_request',
    `"confirm_email" must be the email of this customer; got ${quote(got.toWellFormed())}.`,
  )
}
