// Limits against mail bombs: whoever may ask for payments may have emails written to anybody.
// Counted in real time, because inboxes fill in real time whatever the sandbox's clock says.

import type { Db, Tx } from '../postgres/database.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { sha256 } from '../primitives/secrets.ts'
import {
  countEmail,
  countRecipient,
  insertKnown,
  insertRecipient,
  selectIsKnown,
} from './queries.ts'
import type { StoredEmail } from './stored-email.ts'

export interface InboxLimit {
  /** Said when the email is suppressed. */
  name: string
  hour_max: number
  day_max: number
}

// A customer gets two emails for a payment, a third if it is late. Ten an hour are five payments
// to one seller; thirty a day are more than most people read.
const of_account: InboxLimit = { name: 'this account to this address', hour_max: 10, day_max: 30 }

/** What whoever has emails written needs to know beforehand. */
export const account_limit_text =
  `An account sends one customer at most ${of_account.hour_max} emails an hour and ` +
  `${of_account.day_max} a day; what is over it is suppressed.`

// All sellers together that the customer has not paid yet: twice that in an hour, and a day on
// which nobody's inbox is lost under it.
const of_inbox: InboxLimit = { name: 'all accounts to this address', hour_max: 20, day_max: 100 }

// The first email of an account to an inbox in a day is counted apart, so that a few accounts that
// write much cannot keep a shop from asking for its money, and the number of new ones is bounded.
const of_first_emails: InboxLimit = { ...of_inbox, name: 'new accounts to this address' }
const once_a_day = { hour_max: 1, day_max: 1 }

// Emails about money that has moved go past all of these. With them the account becomes known to
// the inbox, and later emails of it do too. Only so many accounts a day become known: in a sandbox
// payments cost nothing.
const about_payments: ReadonlySet<string> = new Set(['payment_receipt', 'payment_refund'])
const of_payments: InboxLimit = { name: 'newly paid accounts', hour_max: 20, day_max: 20 }

// Distinct inboxes that have not paid the account within a year. Only emails to customers count:
// the others go to the account itself.
const customer_kinds = /^payment_/

// A new email is a rare wish, and its email goes to an address that nobody has proven. Each also
// writes to the old one: so it is refused when it is asked, and the two never come apart.
const email_change_limit = { hour_max: 5, day_max: 10 }

/** Whether one more new email may be asked for; if so it is counted. */
export async function countEmailChangeRequest(tx: Tx, account_id: string): Promise<boolean> {
  return countEmail(tx, sha256(`email wish ${account_id}`), email_change_limit)
}

export interface ExceededLimit {
  sentence: string
  /** Others have used it up, so that the email is worth another try later. */
  is_shared: boolean
}

type LimitedEmail = Pick<StoredEmail, 'account_id' | 'recipient' | 'kind'>

/** The limit that the email would pass, or undefined when it has been counted and may go. */
export async function findExceededLimit(
  db: Db,
  email: LimitedEmail,
  recipients_max: number,
): Promise<ExceededLimit | undefined> {
  // Otherwise whoever wants to hide a stolen account would first use up its owner's share.
  if (email.kind === 'email_change_notice') return undefined
  try {
    // One step: what is held back by others has not used up the account's own share.
    await db.transaction((tx) => countAll(tx, email, recipients_max))
    return undefined
  } catch (error) {
    if (error instanceof LimitExceeded) return error.passed
    throw error
  }
}

/** Thrown, because it undoes what was counted before. */
class LimitExceeded extends Error {
  readonly passed: ExceededLimit

  constructor(sentence: string, is_shared: boolean) {
    super(sentence)
    this.passed = { sentence, is_shared }
  }
}

// From the narrowest on: a flood that one account makes is stopped before it uses up what all have
// together.
async function countAll(
  tx: Tx,
  { account_id, recipient, kind }: LimitedEmail,
  recipients_max: number,
): Promise<void> {
  const inbox = inboxOf(recipient)
  const pair = `${account_id} ${inbox}`
  await count(tx, of_account, `account ${pair}`, false)
  const known = sha256(`paid ${pair}`)
  if (await selectIsKnown(tx, known)) return
  if (customer_kinds.test(kind)) await countInbox(tx, account_id, inbox, recipients_max)
  if (about_payments.has(kind)) {
    await count(tx, of_payments, `paid ${inbox}`, true)
    return insertKnown(tx, known)
  }
  const is_first = await countEmail(tx, sha256(`first ${pair}`), once_a_day)
  const limit = is_first ? of_first_emails : of_inbox
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
  const limit = `${recipients_max} recipients a day (UTC)`
  throw new LimitExceeded(`the limit for this account is ${limit}.`, false)
}

async function count(tx: Tx, limit: InboxLimit, key: string, is_shared: boolean): Promise<void> {
  if (!(await countEmail(tx, sha256(key), limit)))
    throw new LimitExceeded(sentenceOf(limit), is_shared)
}

function sentenceOf({ name, hour_max, day_max }: InboxLimit): string {
  return `the limit for ${name} is ${hour_max} emails an hour and ${day_max} a day.`
}

/**
 * Which inbox an address most likely ends in: most servers ignore case and what follows a plus.
 * Only for counting; an email goes to the address as it was given.
 */
export function inboxOf(address: string): string {
  const canonical = canonicalEmail(address)
  const at = canonical.lastIndexOf('@')
  return canonical.slice(0, at).replace(/(?<=.)\+.*$/, '') + canonical.slice(at)
}
