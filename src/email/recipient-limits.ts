// Rate limits per recipient. Any account that can request payments can cause emails to arbitrary
// addresses. Limits use real time, not the sandbox clock, because inboxes fill in real time.

import type { Db, Tx } from '../postgres/database.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { sha256 } from '../primitives/secrets.ts'
import { customer_kinds, isNotice } from './email.ts'
import {
  countEmail,
  countRecipient,
  deleteInboxCounts,
  insertKnown,
  insertRecipient,
  selectIsKnown,
} from './queries.ts'
import type { StoredEmail } from './stored-email.ts'

interface InboxLimit {
  /** Included in the error of a suppressed email. */
  name: string
  hour_max: number
  day_max: number
}

// A payment causes two emails, or three with a reminder. Ten an hour allow five payments to one
// seller.
const per_account: InboxLimit = { name: 'this account to this address', hour_max: 10, day_max: 30 }

// Emails to the users of an account count by kind: a hundred payments must not suppress the email
// about a dispute or a login. Payments cause two per hour.
const per_notice: InboxLimit = { name: 'this kind to this user', hour_max: 5, day_max: 60 }

/** For the API reference. */
export const account_limit_text =
  `An account can send at most ${per_account.hour_max} emails per hour and ` +
  `${per_account.day_max} per day to one customer. Emails over the limit are suppressed.`

// The total from all accounts that this customer has not paid yet.
const per_inbox: InboxLimit = { name: 'all accounts to this address', hour_max: 20, day_max: 100 }

// An account's first email to an inbox in a day has a separate limit. A few accounts that send many
// emails cannot block another account's request, and the number of new senders stays bounded.
const per_inbox_first: InboxLimit = { ...per_inbox, name: 'new accounts to this address' }
const once_a_day = { hour_max: 1, day_max: 1 }

// Receipts and refunds are exempt from the shared limits. They mark the account as known to the
// inbox, which exempts its later emails too. The number of newly known accounts per day is limited,
// because sandbox payments are free.
const payment_kinds: ReadonlySet<string> = new Set(['payment_receipt', 'payment_refund'])
const per_inbox_paid: InboxLimit = { name: 'newly paid accounts', hour_max: 20, day_max: 20 }

// Distinct inboxes that have not paid the account within a year. Only emails to customers
// and invitations count: the others go to the account itself.
const counted_kinds: ReadonlySet<string> = new Set([...customer_kinds, 'invitation'])

// Email changes are rare, and each sends one email to an unverified address and one to the old
// address. The request itself is limited, so both emails are sent or neither is.
const email_change_limit = { hour_max: 5, day_max: 10 }

/** Counts a request to change the email address. Returns false if the limit is exceeded. */
export async function countEmailChangeRequest(tx: Tx, account_id: string): Promise<boolean> {
  return countEmail(tx, sha256(`email wish ${account_id}`), email_change_limit)
}

// Any client can request these emails for any address, without a login, so the request is limited.
// Each purpose counts separately: sign-ups must not use up the limit of password resets.
const link_limit = { hour_max: 5, day_max: 20 }

/** Counts a request for a link to this email. Returns false if the limit is exceeded. */
export async function countLinkRequest(
  tx: Tx,
  purpose: 'password_reset' | 'sign_up',
  email: string,
): Promise<boolean> {
  return countEmail(tx, sha256(`link ${purpose} ${inboxOf(email)}`), link_limit)
}

// An office may share one address.
const address_limit = { hour_max: 60, day_max: 200 }

/** Counts a request for a link from this IP address. Returns false if the limit is exceeded. */
export async function countLinkAddress(tx: Tx, address: string): Promise<boolean> {
  return countEmail(tx, sha256(`link address ${address}`), address_limit)
}

// Exempt from the limits below. An attacker could otherwise use them up to suppress the notice of
// an account takeover, or a password reset, whose request is limited instead.
const exempt_kinds: ReadonlySet<string> = new Set([
  'email_change_notice',
  'payout_destination_changed',
  'password_changed',
  'password_reset',
  'sign_up_verification',
  'sign_up_attempt',
])

interface ExceededLimit {
  sentence: string
  /** Other accounts contribute to this limit, so the email is deferred instead of suppressed. */
  is_shared: boolean
}

type LimitedEmail = Pick<StoredEmail, 'account_id' | 'recipient' | 'kind'>

/** Counts the email. Returns the limit that it exceeds, or undefined if it can be sent. */
export async function findExceededLimit(
  db: Db,
  email: LimitedEmail,
  recipients_max: number,
): Promise<ExceededLimit | undefined> {
  if (exempt_kinds.has(email.kind)) return undefined
  try {
    // One transaction: an email over a shared limit must not count against the account's limit.
    await db.transaction((tx) => countAll(tx, email, recipients_max))
    return undefined
  } catch (error) {
    if (error instanceof LimitExceeded) return error.exceeded
    throw error
  }
}

/** Thrown, so that the transaction rolls back the counts made before. */
class LimitExceeded extends Error {
  readonly exceeded: ExceededLimit

  constructor(sentence: string, is_shared: boolean) {
    super(sentence)
    this.exceeded = { sentence, is_shared }
  }
}

// Checks the narrowest limit first, so a flood from one account does not use up the shared limits.
async function countAll(
  tx: Tx,
  { account_id, recipient, kind }: LimitedEmail,
  recipients_max: number,
): Promise<void> {
  const inbox = inboxOf(recipient)
  const pair = `${account_id} ${inbox}`
  if (isNotice(kind)) await count(tx, per_notice, `notices ${kind} ${pair}`, false)
  else await count(tx, per_account, `account ${pair}`, false)
  const known = sha256(`paid ${pair}`)
  if (await selectIsKnown(tx, known)) return
  if (counted_kinds.has(kind)) await countInbox(tx, account_id, inbox, recipients_max)
  if (payment_kinds.has(kind)) {
    await count(tx, per_inbox_paid, `paid ${inbox}`, true)
    return insertKnown(tx, known)
  }
  const is_first = await countEmail(tx, sha256(`first ${pair}`), once_a_day)
  const limit = is_first ? per_inbox_first : per_inbox
  await count(tx, limit, is_first ? `first ${inbox}` : `inbox ${inbox}`, true)
}

/** Counts the inbox once per account and UTC day. */
async function countInbox(
  tx: Tx,
  account_id: string,
  inbox: string,
  recipients_max: number,
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  const is_new = await insertRecipient(tx, sha256(`recipient ${day} ${account_id} ${inbox}`))
  if (!is_new) return
  const key = sha256(`recipients ${day} ${account_id}`)
  if (await countRecipient(tx, key, recipients_max)) return
  const limit = `${recipients_max} recipients per day (UTC)`
  throw new LimitExceeded(`the limit for this account is ${limit}.`, false)
}

async function count(tx: Tx, limit: InboxLimit, key: string, is_shared: boolean): Promise<void> {
  if (!(await countEmail(tx, sha256(key), limit)))
    throw new LimitExceeded(sentenceOf(limit), is_shared)
}

function sentenceOf({ name, hour_max, day_max }: InboxLimit): string {
  return `the limit for ${name} is ${hour_max} emails per hour and ${day_max} per day.`
}

/**
 * The inbox an address most likely belongs to: most mail servers ignore case and the part after a
 * plus sign. Used for counting only; emails are sent to the address as given.
 */
export function inboxOf(address: string): string {
  const canonical = canonicalEmail(address)
  const at = canonical.lastIndexOf('@')
  return canonical.slice(0, at).replace(/(?<=.)\+.*$/, '') + canonical.slice(at)
}

/** Removes the counts of an account for an address. Those of all accounts expire after a day. */
export function forgetInbox(tx: Tx, account_id: string, address: string): Promise<void> {
  const inbox = inboxOf(address)
  const kinds = ['account', 'paid', 'first']
  return deleteInboxCounts(
    tx,
    kinds.map((kind) => sha256(`${kind} ${account_id} ${inbox}`)),
  )
}
