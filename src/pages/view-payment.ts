// What the payment page shows of a request: the one state that it is in, whatever the worker has or
// has not come to yet.

import type { AccountRow } from '../accounts/account.ts'
import { declines_max } from '../payments/decide.ts'
import { type PaymentRow, paymentUrl } from '../payments/payment.ts'
import { toTypeId } from '../primitives/ids.ts'
import { makeFormToken } from './form-token.ts'
import { inLanguage, type Language } from './payment-translations.ts'
import type {
  PageFacts,
  PaymentFacts,
  PaymentFormError,
  PaymentView,
  ShownRefund,
} from './payment-view.ts'

export interface ViewOptions extends PageFacts {
  /** Whether the processor takes cards; else the page shows how to pay otherwise. */
  takes_cards: boolean
  instructions: string | undefined
}

export interface Moment {
  /** Business time. */
  now: Date
  /** What the payer reads it in, instead of the account's language. */
  lang?: Language | undefined
  /** Why the form is shown again. */
  error?: PaymentFormError | undefined
  values?: { expires: string } | undefined
  /** What has been refunded of it. */
  refund?: ShownRefund | undefined
}

export function viewPayment(
  row: PaymentRow,
  account: AccountRow,
  options: ViewOptions,
  moment: Moment,
): PaymentView {
  const facts = factsOf(row, account, options, moment)
  switch (row.status) {
    case 'succeeded':
      return { ...facts, ...receiptOf(row, moment), state: 'paid' }
    case 'failed':
      return { ...facts, state: 'failed', declined: row.declines >= declines_max }
    case 'canceled':
      // Nobody canceled it: its time was over.
      if (row.updated_at >= row.expires_at) return expired(facts, row)
      return { ...facts, state: 'canceled' }
    case 'pending':
      return viewPending(row, account, options, moment)
  }
}

function viewPending(
  row: PaymentRow,
  account: AccountRow,
  options: ViewOptions,
  moment: Moment,
): PaymentView {
  const { now, lang, error, values } = moment
  const facts = factsOf(row, account, options, moment)
  const { expires_at } = row
  if (expires_at <= now) return expired(facts, row)
  if (account.status !== 'active') return { ...facts, state: 'unavailable' }
  if (!options.takes_cards) {
    const { instructions } = options
    const transfer_reference = toTypeId('payment', row.id)
    return { ...facts, state: 'manual', instructions, transfer_reference, expires_at }
  }
  const form_token = makeFormToken(row.token, Date.now())
  const form_action = pathOf(row, options, lang)
  return { ...facts, state: 'form', form_action, form_token, expires_at, error, values }
}

/** For whoever tried to pay what takes no money: paid already, ended, or not to be paid now. */
export function viewEnded(
  row: PaymentRow,
  account: AccountRow,
  options: ViewOptions,
  moment: Moment,
): PaymentView {
  const view = viewPayment(row, account, options, moment)
  if (view.state === 'paid') return { ...view, state: 'already_paid' }
  // Open as it seems, it was refused under the lock: the account was suspended, or is full.
  if (view.state === 'form') {
    return { ...factsOf(row, account, options, moment), state: 'unavailable' }
  }
  return view
}

/** As a browser asks for it. */
export function pathOf(row: { token: string }, { base_path }: PageFacts, lang?: Language): string {
  const path = paymentUrl(row, base_path)
  return lang === undefined ? path : `${path}?lang=${lang}`
}

function expired(facts: PaymentFacts, { expires_at }: PaymentRow): PaymentView {
  return { ...facts, state: 'expired', expires_at }
}

function receiptOf({ updated_at, transaction_id }: PaymentRow, { refund }: Moment) {
  const number = toTypeId('transaction', transaction_id!)
  return { paid_at: updated_at, transaction_id: number, refund: refund ?? null }
}

function factsOf(
  row: PaymentRow,
  account: AccountRow,
  options: ViewOptions,
  { lang }: Moment,
): PaymentFacts {
  const { amount, currency, reference, customer_email } = row
  const { name: account_name, timezone } = account
  const { sandbox, base_path, takes_cards } = options
  const asked = { amount, currency, reference, customer_email }
  const language = inLanguage(account.language, lang)
  const page_path = pathOf(row, options)
  return { account_name, ...asked, language, timezone, sandbox, base_path, takes_cards, page_path }
}
