// The emails Florin sends. A queued email is stored as its kind and facts at that time. The text is
// rendered when it is sent or viewed, so queueing costs one row.

interface PaymentFacts {
  account_name: string
  amount: number
  currency: string
  reference: string | null
  /** The hosted payment page. */
  url: string
}

interface DisputeFacts {
  account_name: string
  amount: number
  currency: string
  dispute_id: string
  /** The payment. */
  transaction_id: string
}

export interface EmailFacts {
  payment_request: PaymentFacts & { expires_at: string }
  payment_reminder: PaymentFacts & { expires_at: string }
  payment_receipt: PaymentFacts & { paid_at: string; transaction_id: string }
  /** `amount` is the refunded amount. */
  payment_refund: PaymentFacts & {
    paid_amount: number
    refunded_at: string
    /** The refund transaction. */
    transaction_id: string
  }
  email_verification: { account_name: string; url: string; expires_at: string }
  /** To the old address: when the change is requested, and again when it is confirmed. */
  email_change_notice: { account_name: string; new_email: string; confirmed: boolean }
  /** `due_at`: until when evidence is accepted. */
  dispute_opened: DisputeFacts & { due_at: string | null }
  dispute_closed: DisputeFacts & { outcome: 'won' | 'lost' }
  /** `gone`: the endpoint returned 410. `failing`: every delivery has failed for days. */
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
    /** Deduplication key: an account never gets two emails with the same cause. */
    cause: string
    /** The account's UUID. */
    account_id: string
    to: string
    /** The account's language and time zone. */
    language: string
    timezone: string
    kind: Kind
    facts: EmailFacts[Kind]
  }
}[EmailKind]
