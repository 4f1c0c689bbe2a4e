// What Florin writes to people. An email is kept as its kind and its facts, as they were when it
// was queued; words are put around them when it is sent or read, so that queueing costs one row.

interface PaymentFacts {
  account_name: string
  amount: number
  currency: string
  reference: string | null
  /** The hosted payment page. */
  url: string
}

export interface EmailFacts {
  payment_request: PaymentFacts & { expires_at: string }
  payment_reminder: PaymentFacts & { expires_at: string }
  payment_receipt: PaymentFacts & { paid_at: string; transaction_id: string }
  /** `amount` is that of the refund. */
  payment_refund: PaymentFacts & {
    paid_amount: number
    refunded_at: string
    /** The refund itself. */
    transaction_id: string
  }
  email_verification: { account_name: string; url: string; expires_at: string }
  /** To the old address: once when it is asked for, once when it has happened. */
  email_change_notice: { account_name: string; new_email: string; confirmed: boolean }
  /** Its receiver said that it is gone, or took nothing for days. */
  webhook_disabled: {
    account_name: string
    endpoint_url: string
    endpoint_id: string
    reason: 'gone' | 'failing'
  }
}

export type EmailKind = keyof EmailFacts

export type Email = {
  [Kind in EmailKind]: {
    /** What it is written for: a second email with the same cause is never written. */
    cause: string
    /** Its UUID. The cause is unique within the account. */
    account_id: string
    to: string
    /** The account's language and time zone. */
    language: string
    timezone: string
    kind: Kind
    facts: EmailFacts[Kind]
  }
}[EmailKind]
