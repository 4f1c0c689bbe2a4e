// The texts that every language must provide. A missing text does not compile.

export interface Translations {
  /** The language in itself, because the reader may understand no other. */
  name: string
  /** Used in emails and on pages. */
  labels: Labels
  emails: EmailTranslations
  payment_page: PaymentPageTranslations
  link_page: LinkPageTranslations
  /** The page that confirms a new email address. */
  confirm_email_page: ConfirmEmailPageTranslations
}

interface Labels {
  sandbox: string
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
  changed_at: string
  /** Of a bank account. */
  holder: string
  endpoint: string
  endpoint_id: string
  respond_by: string
  payments: string
  volume: string
  refunds: string
  fees: string
  failed: string
  /** Payment requests that are not paid yet. */
  open: string
  logged_in_at: string
  /** The IP address. */
  address: string
  /** The browser or program. */
  client: string
  dispute: string
  /** Above a message that the account wrote. */
  message: string
}

export interface Payment {
  /** The payee's account name. */
  name: string
  amount: string
}

interface Refund extends Payment {
  /** The original payment. `amount` is the refund. */
  paid: string
  is_full: boolean
}

interface Payments extends Payment {
  /** `amount` is the total. */
  count: number
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
interface PaymentRequestText extends EmailTextWithLink {
  lead_by_transfer: string
}

interface EmailTranslations {
  payment_request(payment: Payment): PaymentRequestText
  payment_reminder(payment: Payment): PaymentRequestText
  payment_receipt(payment: Payment): EmailTextWithLink
  payment_refund(refund: Refund): EmailTextWithLink
  email_verification(account: { name: string }): EmailTextWithLink
  /** Not confirmed yet: the request can still be canceled. */
  email_change_requested(account: { name: string }): EmailText
  email_change_confirmed(account: { name: string }): EmailText
  /** `service` is the host name of this installation. */
  sign_up_verification(of: { service: string }): EmailTextWithLink
  /** Someone signed up with the address of an existing user. */
  sign_up_attempt(of: { service: string }): EmailTextWithLink
  password_reset(of: { service: string }): EmailTextWithLink
  password_changed(of: { service: string }): EmailText
  invitation(account: { name: string }): EmailTextWithLink
  /** To the account owner: a cardholder disputes a payment, and the amount was withdrawn. */
  dispute_opened(payment: Payment): EmailText
  /** The amount was returned. */
  dispute_won(payment: Payment): EmailText
  dispute_lost(payment: Payment): EmailText
  /** To the account owner. Several payments of one hour have one email. */
  payment_received(payments: Payments): EmailTextWithLink
  payment_failed(payments: Payments): EmailTextWithLink
  new_login(): EmailText
  weekly_summary(week: { name: string; week: string }): EmailTextWithLink
  /** The link to the page on which the reader turns an email off. */
  settings: string
  /** The endpoint returned 410. */
  webhook_gone(account: { name: string }): EmailText
  /** Every delivery has failed for days. */
  webhook_failing(account: { name: string }): EmailText
  /** To the account owner. Payouts go to another bank account from now on. */
  payout_destination_changed(account: { name: string }): EmailText
  /** Button label if the processor does not accept cards: the page shows instructions only. */
  how_to_pay: string
  /** Precedes the URL in the plain-text part. */
  link: string
  /** Precedes the URL below the button, for mail clients that do not show the button. */
  without_button: string
  foot(name: string): string
  /** Of emails to users about their login. */
  service_foot(name: string): string
}

/** What happened (shown in bold), and what to do next. */
export type Notice = readonly [what: string, next: string]

/**
 * The `by_transfer` variants are for processors without cards, where a transfer may be in transit:
 * they must not claim that no money was taken.
 */
/** The page of a reusable payment link, where a payer enters an email address. */
export interface LinkPageTranslations {
  title: (account: string) => string
  heading: string
  email: string
  email_hint: string
  email_fault: string
  amount: string
  amount_range: (min: string, max: string) => string
  amount_fault: (min: string, max: string, example: string) => string
  continue: string
  errors: Record<'form_expired' | 'cross_site' | 'too_many', Notice>
  ended: { heading: string; text: (account: string) => string }
  /** Others may not complete their payments. */
  used_up: { heading: string; text: (account: string) => string }
}

export interface PaymentPageTranslations {
  payments_by: string
  /** Accessible name of the language links in the footer. */
  language: string
  /** Prefix of the title of a page with an error, because screen readers read the title first. */
  error: string
  title: (amount: string, account: string) => string

  payment_requested: string
  amount_paid: string
  customer: string
  /** Before the account's email address. */
  contact: string
  /** The link to the terms of the account. */
  terms: string
  /** The label of the name that the payer's bank statement shows. */
  statement_name: string
  /** The link to the account's site. */
  back: (account: string) => string

  pay_by_card: string
  card_number: string
  expires: string
  expires_hint: string
  security_code: string
  security_code_hint: string
  pay: (amount: string) => string
  paying: string
  trust: (account: string) => string

  test_cards: string
  test_cards_hint: string
  outcomes: Record<
    | 'paid'
    | 'needs_confirmation'
    | 'disputed'
    | 'declined'
    | 'insufficient_funds'
    | 'processing_error',
    string
  >

  errors: {
    declined: Notice
    insufficient_funds: Notice
    processing_error: Notice
    authentication_failed: Notice
    card_refused: Notice
    too_many: Notice
    form_expired: Notice
    cross_site: Notice
  }
  offline: Notice
  faults: {
    number: { missing: string; malformed: string }
    expires: { missing: string; malformed: string; past: string }
    csc: { missing: string; malformed: string }
  }

  /** The payer pays on a provider's page, not here. */
  checkout: {
    heading: string
    /** The buttons, if there are several. */
    pay_with: Record<'stripe' | 'mollie', string>
    /** On a button while the provider's page is opened. */
    opening: string
    trust: (account: string) => string
    /** The heading above the instructions for transfers. */
    or_transfer: string
    errors: Record<'unavailable' | 'rejected' | 'form_expired' | 'cross_site', Notice>
  }
  /** The sandbox plays the page on which the payer's bank asks for a confirmation. */
  confirm: {
    heading: string
    text: (amount: string, account: string) => string
    confirm: string
    reject: string
    note: string
  }
  manual: {
    heading: string
    /** Shown when FLORIN_PAYMENT_INSTRUCTIONS is not set. */
    ask: (account: string) => string
    /** Must not use the word for `reference`: the account's reference does not match transfers. */
    code_label: string
    copy: string
    copied: string
    note: (account: string) => string
  }
  /** With a bank account of the operator. */
  transfer: {
    lead: string
    recipient: string
    amount: string
    /** Must not be the word for `reference`, as above. */
    code: string
    copy: string
    /** Names the QR code for screen readers. */
    qr_label: string
    scan: string
  }
  processing: { heading: string; text: string }
  paid: { heading: string; text: (account: string) => string }
  already_paid: { heading: string; text: string }
  refunded: { heading: string; text: (account: string) => string }
  partly_refunded: {
    heading: string
    text: (account: string, amount: string, paid: string) => string
  }
  receipt: {
    paid_to: string
    refunded_amount: string
    part: (amount: string, paid: string) => string
    download: string
    download_credit_note: string
    print: string
  }
  failed: {
    heading: string
    /** After ten declined attempts. */
    declined: (account: string) => string
    text: (account: string) => string
    by_transfer: (account: string) => string
  }
  canceled: { heading: string; text: (account: string) => string }
  expired: {
    heading: string
    text: (date: string, account: string) => string
    by_transfer: (date: string, account: string) => string
  }
  unavailable: {
    heading: string
    text: (account: string) => string
    by_transfer: (account: string) => string
  }
  not_found: { heading: string; text: string }
  away: { heading: string; text: string; again: string }
}

/** A list item: a title in bold, and its explanation. */
export type ListItem = readonly [title: string, text: string]

interface ConfirmEmailPageTranslations {
  email: string
  this_link: string
  link_lifetime: string

  confirm: {
    heading: string
    lead: (account: string) => string
    what: string
    steps: readonly [ListItem, ListItem]
    button: string
    safe: string
  }
  /** The heading above the steps of the states below. */
  next: string
  confirmed: {
    heading: string
    lead: (account: string) => string
    steps: readonly [ListItem, ListItem]
  }
  invalid: { heading: string; lead: string; steps: readonly [ListItem, ListItem] }
  taken: { heading: string; lead: string; steps: readonly [ListItem, ListItem] }
}
