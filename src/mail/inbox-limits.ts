// Limits against mail bombs: whoever may ask for payments may have letters written to anybody.
// Counted in real time, because inboxes fill in real time whatever the sandbox's clock says.

import type { Queryable, Tx } from '../postgres/database.ts'
import { canonicalEmail } from '../primitives/email.ts'
import { sha256 } from '../primitives/secrets.ts'
import type { LetterKind } from './letter.ts'
import { countLetter } from './queries.ts'

export interface InboxLimit {
  /** Said when the letter is withheld. */
  name: string
  hour_max: number
  day_max: number
}

// A customer gets two letters for a payment, a third if it is late. Ten an hour are five payments
// to one seller; thirty a day are more than most people read.
const of_account: InboxLimit = { name: 'this account to this address', hour_max: 10, day_max: 30 }

/** What whoever has letters written needs to know beforehand. */
export const account_limit_sentence =
  `An account sends one customer at most ${of_account.hour_max} letters an hour and ` +
  `${of_account.day_max} a day; what is over it is withheld.`

// All sellers together: twice that in an hour, and a day on which nobody's inbox is lost under it.
const of_inbox: InboxLimit = { name: 'all accounts to this address', hour_max: 20, day_max: 100 }

// A new email is a rare wish, and its letter goes to an address that nobody has proven. Each also
// writes to the old one: so it is refused when it is asked, and the two never come apart.
const of_email_wishes = { hour_max: 5, day_max: 10 }

/** Whether one more new email may be asked for; if so it is counted. */
export async function countEmailWish(tx: Tx, account_id: string): Promise<boolean> {
  return countLetter(tx, sha256(`email wish ${account_id}`), of_email_wishes)
}

/** The limit that the letter would pass, or undefined when it has been counted and may go. */
export async function findPassedLimit(
  db: Queryable,
  letter: { account_id: string; recipient: string; kind: LetterKind },
): Promise<string | undefined> {
  // Otherwise whoever wants to hide a stolen account would first use up its owner's share.
  if (letter.kind === 'email_change_notice') return undefined
  const inbox = inboxOf(letter.recipient)
  // From the narrowest on: a flood that one account makes is stopped before it uses up what all
  // have together.
  const counted: [InboxLimit, string][] = [
    [of_account, `account ${letter.account_id} ${inbox}`],
    [of_inbox, `inbox ${inbox}`],
  ]
  for (const [limit, key] of counted) {
    if (!(await countLetter(db, sha256(key), limit))) return sentenceOf(limit)
  }
  return undefined
}

function sentenceOf({ name, hour_max, day_max }: InboxLimit): string {
  return `Withheld: the limit for ${name} is ${hour_max} letters an hour and ${day_max} a day.`
}

/**
 * Which inbox an address most likely ends in: most servers ignore case and what follows a plus.
 * Only for counting; a letter goes to the address as it was given.
 */
export function inboxOf(address: string): string {
  const canonical = canonicalEmail(address)
  const at = canonical.lastIndexOf('@')
  return canonical.slice(0, at).replace(/(?<=.)\+.*$/, '') + canonical.slice(at)
}
