// The texts that every language must provide.

export interface Payment {
  /** The payee's account name. */
  name: string
  amount: string
}

export interface Refund extends Payment {
  /** The original payment. `amount` is the refund. */
  paid: string
  is_full: boolean
}

export interface EmailText {
  subject: string
  title: string
  lead: string
  /** What to do if the reader does not expect this email. */
  note: string
}

export interface EmailTextWithLink extends EmailText {
  button: string
}

/** By transfer there is nothing to confirm, and money may be in transit: `lead` would be wrong. */
export interface PaymentRequestText extends EmailTextWithLink {
  lead_by_transfer: string
}

export interface EmailTranslations {
  payment_request(payment: Payment): PaymentRequestText
  payment_reminder(payment: Payment): PaymentRequestText
  payment_receipt(payment: Payment): EmailTextWithLink
  payment_refund(refund: Refund): EmailTextWithLink
  email_verification(account: { name: string }): EmailTextWithLink
  /** Not confirmed yet: the request can still be canceled. */
  email_change_requested(account: { name: string }): EmailText
  email_change_confirmed(account: { name: string }): EmailText
  /** The endpoint returned 410. */
  webhook_gone(account: { name: string }): EmailText
  /** Every delivery has failed for days. */
  webhook_failing(account: { name: string }): EmailText
  labels: {
    to: string
    reference: string
    pay_by: string
    until: string
    paid_at: string
    transaction: string
    from: string
    paid: string
    refunded_at: string
    account: string
    new_email: string
    endpoint: string
    endpoint_id: string
  }
  /** Button label if the processor does not accept cards: the page shows instructions only. */
  how_to_pay: string
  /** Precedes the URL in the plain-text part. */
  link: string
  /** Precedes the URL below the button, for mail clients that do not show the button. */
  without_button: string
  sandbox: string
  foot(name: string): string
}
