// Which sentences every language must have.

export interface Payment {
  /** Who gets paid. */
  name: string
  amount: string
}

export interface Refund extends Payment {
  /** What was paid; `amount` is what is given back. */
  paid: string
  is_full: boolean
}

export interface EmailText {
  subject: string
  title: string
  lead: string
  /** What to do when something about the email is not right. */
  note: string
}

export interface EmailTextWithLink extends EmailText {
  button: string
}

/** Without cards nothing is confirmed, and money may be on its way: `lead` would be wrong. */
export interface PaymentRequestText extends EmailTextWithLink {
  lead_by_transfer: string
}

export interface EmailTranslations {
  payment_request(payment: Payment): PaymentRequestText
  payment_reminder(payment: Payment): PaymentRequestText
  payment_receipt(payment: Payment): EmailTextWithLink
  payment_refund(refund: Refund): EmailTextWithLink
  email_verification(account: { name: string }): EmailTextWithLink
  /** Asked for and not confirmed yet: it can still be stopped. */
  email_change_requested(account: { name: string }): EmailText
  email_change_confirmed(account: { name: string }): EmailText
  /** The receiver answered 410. */
  webhook_gone(account: { name: string }): EmailText
  /** Nothing was accepted for days. */
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
  /** On the button where no card is taken: the page behind it takes no money. */
  how_to_pay: string
  /** Before the address of the link, in plain text. */
  link: string
  /** The same below a button, for readers whose program shows none. */
  without_button: string
  sandbox: string
  foot(name: string): string
}
