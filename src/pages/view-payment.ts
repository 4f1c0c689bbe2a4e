// Maps a payment request to the view of its payment page. An overdue request shows as expired even
// if the worker has not expired it yet.

import type { AccountRow } from '../accounts/account.ts'
import type { BankDetailsRow } from '../accounts/bank-details/bank-details.ts'
import { type BrandingRow, noBranding } from '../accounts/branding/branding.ts'
import { referenceOfPayment } from '../bank/creditor-reference.ts'
import { epcQrText } from '../bank/epc-qr.ts'
import { declines_max } from '../payments/decide.ts'
import { type PaymentRow, paymentUrl } from '../payments/payment.ts'
import type { ReturnUrls } from '../payments/return-urls.ts'
import { toTypeId } from '../primitives/ids.ts'
import type { BankAccount } from '../processor-settings.ts'
import type { Processor } from '../processors/processor.ts'
import type { Provider } from '../processors/provider.ts'
import { inLanguage, type Language, preferredLanguage } from '../translations/localization.ts'
import { makeFormToken } from './form-token.ts'
import { brandOf } from './payment-brand.ts'
import type {
  CheckoutError,
  PageFacts,
  PaymentFacts,
  PaymentFormError,
  PaymentView,
  ShownRefund,
  TransferFacts,
} from './payment-view.ts'

interface ViewOptions extends PageFacts {
  /** Whether the processor accepts cards. If not, the page shows transfer instructions. */
  takes_cards: boolean
  instructions: string | undefined
  /** Of the operator, for accounts without one. */
  bank_account: BankAccount | undefined
  processor: Pick<Processor, 'providers' | 'takes_transfers' | 'has_bank_account'>
}

export interface Moment {
  /** Business time. */
  now: Date
  /** The language the payer chose, which overrides the browser's and the account's. */
  lang?: Language | undefined
  /** The header of the browser, whose languages override the account's. */
  accept_language?: string | undefined
  /** The error to show on the form. */
  error?: PaymentFormError | undefined
  values?: { expires: string } | undefined
  refund?: ShownRefund | undefined
  /** The refunds that have succeeded, oldest first. */
  refund_ids?: string[]
  /** The payer has paid at a provider, and the result is not known yet. */
  is_processing?: boolean
  /** The error to show above the choice of providers. */
  checkout_error?: CheckoutError | undefined
  /** The return URLs that may be used now. */
  returns?: ReturnUrls | undefined
  branding?: BrandingRow
  /** The bank account that an admin has set for the account. */
  bank_details?: BankDetailsRow | undefined
  /** The number of the test card that the payer must confirm. */
  confirm_card?: string | undefined
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
      return { ...facts, ...receiptOf(row, options, moment), state: 'paid' }
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
  if (moment.is_processing) {
    return { ...facts, state: 'processing', page_url: returnPath(row, options, lang) }
  }
  if (expires_at <= now) return expired(facts, row)
  if (account.status !== 'active') return { ...facts, state: 'unavailable' }
  const form_token = makeFormToken(row.token, Date.now())
  const form = { form_action: pathOf(row, options, lang), form_token, expires_at }
  const { providers, takes_transfers } = options.processor
  const transfer = takes_transfers ? transferFacts(row, options, moment) : undefined
  const accepting = providersFor(row, providers).map(({ name }) => name)
  if (accepting.length > 0) {
    const checkout = { providers: accepting, transfer, error: moment.checkout_error }
    return { ...facts, ...form, ...checkout, state: 'checkout' }
  }
  if (transfer !== undefined) return { ...facts, ...transfer, state: 'manual', expires_at }
  // No provider accepts the amount or the currency, or there is no bank account.
  if (providers.length > 0 || takes_transfers) return { ...facts, state: 'unavailable' }
  const { confirm_card: card } = moment
  if (card !== undefined) return { ...facts, ...form, state: 'confirm', card }
  return { ...facts, ...form, state: 'form', error, values }
}

/** Undefined if no bank account has been set. */
function transferFacts(
  row: PaymentRow,
  options: ViewOptions,
  { branding, bank_details }: Moment,
): TransferFacts | undefined {
  const transfer_reference = referenceOfPayment(row.id)
  if (!options.processor.has_bank_account) {
    const instructions = branding?.payment_instructions ?? options.instructions
    return { instructions, transfer_reference, bank_account: undefined }
  }
  // Owners write instructions. Only operators decide where the money goes, so these are not shown.
  const account = bank_details ?? (options.bank_account && { ...options.bank_account, fields: [] })
  if (account === undefined) return undefined
  const { name, iban, bic, fields } = account
  const { amount, currency } = row
  const transfer = { name, bic, amount, currency, creditor_reference: transfer_reference }
  const qr_text = iban === null ? undefined : epcQrText({ ...transfer, iban })
  const bank_account = { name, iban, bic, fields, qr_text }
  return { instructions: undefined, transfer_reference, bank_account }
}

/** The providers that accept the currency and the amount. */
export function providersFor({ amount, currency }: PaymentRow, providers: Provider[]): Provider[] {
  return providers.filter(({ limits }) => {
    const allowed = limits(currency)
    if (allowed === undefined) return false
    return amount >= allowed.min && amount <= allowed.max && amount % allowed.step === 0
  })
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
  if (view.state === 'form' || view.state === 'checkout') {
    return { ...factsOf(row, account, options, moment), state: 'unavailable' }
  }
  return view
}

/** The path as the browser sees it, including `base_path`. */
export function pathOf(row: { token: string }, { base_path }: PageFacts, lang?: Language): string {
  const path = paymentUrl(row, base_path)
  return lang === undefined ? path : `${path}?lang=${lang}`
}

/** The page polls this path after the payer has returned: it does not ask the provider. */
function returnPath(row: { token: string }, facts: PageFacts, lang?: Language): string {
  const path = pathOf(row, facts, lang)
  return `${path}${path.includes('?') ? '&' : '?'}returned=${returned.polling}`
}

/** The values of `returned` in the URL of the page. */
export const returned = { first: '1', polling: '2' } as const

/** Where the payer goes next: after a payment to return_url, otherwise to cancel_url. */
export function backUrlOf(
  row: PaymentRow,
  account: AccountRow,
  returns: ReturnUrls | undefined,
): string | null {
  // An operator may have suspended the account because its site deceives payers.
  if (account.status !== 'active' || returns === undefined) return null
  return row.status === 'succeeded' ? returns.return_url : returns.cancel_url
}

function backPathOf(
  row: PaymentRow,
  account: AccountRow,
  options: PageFacts,
  { returns }: Moment,
): string | null {
  const url = backUrlOf(row, account, returns)
  return url === null ? null : `${pathOf(row, options)}/return`
}

function expired(facts: PaymentFacts, { expires_at }: PaymentRow): PaymentView {
  return { ...facts, state: 'expired', expires_at }
}

function receiptOf(row: PaymentRow, options: PageFacts, { refund, refund_ids = [] }: Moment) {
  const path = pathOf(row, options)
  return {
    paid_at: row.updated_at,
    transaction_id: toTypeId('transaction', row.transaction_id!),
    refund: refund ?? null,
    receipt_path: `${path}/receipt`,
    credit_note_paths: refund_ids.map((id) => `${path}/credit-note/${toTypeId('transaction', id)}`),
  }
}

function factsOf(
  row: PaymentRow,
  account: AccountRow,
  options: ViewOptions,
  moment: Moment,
): PaymentFacts {
  const { amount, currency, reference, customer_email, message } = row
  const { name: account_name, timezone } = account
  const branding = moment.branding ?? noBranding(account.id)
  const { sandbox, base_path, processor } = options
  // With a provider, a payment may be on its way when the request ends.
  const takes_cards = options.takes_cards && processor.providers.length === 0
  const request = { amount, currency, reference, customer_email, message }
  const preferred = moment.lang ?? preferredLanguage(moment.accept_language)
  const language = inLanguage(account.language, preferred)
  const page_path = pathOf(row, options)
  return {
    account_name,
    contact_email: branding.support_email ?? account.email,
    brand: brandOf(branding, { base_path, has_links: account.status === 'active' }),
    ...request,
    language,
    timezone,
    sandbox,
    base_path,
    takes_cards,
    page_path,
    back_path: backPathOf(row, account, options, moment),
  }
}
