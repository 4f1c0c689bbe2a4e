// Every text of the payment page. The `by_transfer` variants are for processors without cards,
// where a transfer may be in transit: they must not claim that no money was taken.

import type { CardOutcome } from '../../processors/test-cards.ts'
import type { PaymentFormError } from '../payment-view.ts'

/** What happened (shown in bold), and what to do next. */
export type Notice = readonly [what: string, next: string]

export interface PaymentTranslations {
  sandbox_band: string
  payments_by: string
  /** Accessible name of the language links in the footer. */
  language: string
  /** Prefix of the title of a page with an error, because screen readers read the title first. */
  error: string
  title: (amount: string, account: string) => string

  payment_requested: string
  amount_paid: string
  reference: string
  customer: string
  pay_by: string

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
  outcomes: Record<CardOutcome, string>

  errors: Record<Exclude<PaymentFormError['code'], 'malformed'>, Notice>
  offline: Notice
  faults: {
    number: { missing: string; malformed: string }
    expires: { missing: string; malformed: string; past: string }
    csc: { missing: string; malformed: string }
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
    paid_at: string
    refunded_amount: string
    part: (amount: string, paid: string) => string
    refunded_at: string
    number: string
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
