// Maps a payment request to the view of its payment page. An overdue request shows as expired even
// if the worker has not expired it yet.

import type { AccountRow } from '../accounts/account.ts'
import { declines_max } from '../payments/decide.ts'
import { type PaymentRow, paymentUrl } from '../payments/payment.ts'
import { toTypeId } from '../primitives/ids.ts'
import { inLanguage, type Language } from '../translations/localization.ts'
import { makeFormToken } from './form-token.ts'
import type {
  PageFacts,
  PaymentFacts,
  PaymentFormError,
  PaymentView,
  ShownRefund,
} from './payment-view.ts'

interface ViewOptions extends PageFacts {
  /** Whether the processor accepts cards. If not, the page shows transfer instructions. */
  takes_cards: boolean
  instructions: string | undefined
}

export interface Moment {
  /** Business time. */
  now: Date
  /** The language the payer chose, which overrides the account's. */
  lang?: Language | undefined
  /** The error to show on the form. */
  error?: PaymentFormError | undefined
  values?: { expires: string } | undefined
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
      // Expiry stores status `canceled` too. Compare the times to distinguish them.
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

/** The view after a rejected payment: already paid, ended, or not payable now. */
export function viewEnded(
  row: PaymentRow,
  account: AccountRow,
  options: ViewOptions,
  moment: Moment,
): PaymentView {
  const view = viewPayment(row, account, options, moment)
  if (view.state === 'paid') return { ...view, state: 'already_paid' }
  // The row looked payable, but the locked check rejected it: the account is suspended or full.
  if (view.state === 'form') {
    return { ...factsOf(row, account, options, moment), state: 'unavailable' }
  }
  return view
}

/** The path as the browser sees it, including `base_path`. */
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
  const request = { amount, currency, reference, customer_email }
  const language = inLanguage(account.language, lang)
  const page_path = pathOf(row, options)
  return {
    account_name,
    ...request,
    language,
    timezone,
    sandbox,
    base_path,
    takes_cards,
    page_path,
  }
}
