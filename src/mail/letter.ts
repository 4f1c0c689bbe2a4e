// What Florin writes to people. A letter is kept as its kind and its facts, as they were when it
// was queued; words are put around them when it is sent or read, so that queueing costs one row.

interface PaymentFacts {
  account_name: string
  amount: number
  currency: string
  reference: string | null
  /** The hosted payment page. */
  url: string
}

export interface LetterFacts {
  payment_request: PaymentFacts & { expires_at: string }
  payment_reminder: PaymentFacts & { expires_at: string }
  payment_receipt: PaymentFacts & { paid_at: string; transaction_id: string }
  email_verification: { account_name: string; url: string; expires_at: string }
  email_change_notice: { account_name: string; new_email: string }
}

export type LetterKind = keyof LetterFacts

export type Letter = {
  [Kind in LetterKind]: {
    /** What it is written for: a second letter with the same cause is never written. */
    cause: string
    account_id: string
    to: string
    /** The account's language and time zone. */
    language: string
    timezone: string
    kind: Kind
    facts: LetterFacts[Kind]
  }
}[LetterKind]
