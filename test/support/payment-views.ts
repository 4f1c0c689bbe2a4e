// Every state of the payment page, with data that a small company would have.

import { noBranding } from '../../src/accounts/branding/branding.ts'
import { creditorReference } from '../../src/bank/creditor-reference.ts'
import { epcQrText } from '../../src/bank/epc-qr.ts'
import { brandOf } from '../../src/pages/payment-brand.ts'
import type { PaymentFormError, PaymentState, PaymentView } from '../../src/pages/payment-view.ts'
import { nil_uuid, toTypeId } from '../../src/primitives/ids.ts'

export const page_path = '/pay/example'

const unbranded = noBranding(nil_uuid)

const facts = {
  account_name: 'Acme Ltd',
  amount: 7_500,
  currency: 'USD',
  reference: 'Invoice 2026-114',
  message: null,
  customer_email: 'ann@example.com',
  contact_email: 'billing@acme.example',
  brand: brandOf(unbranded, { base_path: '', has_links: true }),
  language: 'en',
  timezone: 'America/New_York',
  sandbox: true,
  base_path: '',
  takes_cards: true,
  page_path,
  back_path: null,
}

/** Of every branded account. */
export const logo_path = `/brand/${toTypeId('account', nil_uuid)}/${'0'.repeat(32)}`

export const transfer_code = creditorReference('TDEE3Q7K')

const receipt = {
  paid_at: '2026-11-15T10:42:07.000Z',
  transaction_id: '019a9d5e-7b1c-7c3a-9d52-4f0e8a6b2c11',
  refund: null,
  receipt_path: `${page_path}/receipt`,
  credit_note_paths: [],
}

const form = {
  ...facts,
  state: 'form',
  form_action: page_path,
  form_token: 'token-of-the-form',
  expires_at: '2026-12-14T23:00:00.000Z',
} as const

export function formView(error?: PaymentFormError): PaymentView {
  return { ...form, error }
}

const byState: { [State in PaymentState]: Extract<PaymentView, { state: State }> } = {
  form,
  confirm: {
    ...facts,
    state: 'confirm',
    form_action: page_path,
    form_token: form.form_token,
    card: '4000002760003184',
  },
  manual: {
    ...facts,
    state: 'manual',
    instructions:
      'Transfer the amount to Acme Ltd.\n\nIBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001\n' +
      'Deutsche Kreditbank Berlin',
    transfer_reference: transfer_code,
    bank_account: undefined,
    expires_at: form.expires_at,
  },
  checkout: {
    ...facts,
    state: 'checkout',
    providers: ['stripe'],
    transfer: undefined,
    form_action: page_path,
    form_token: form.form_token,
    expires_at: form.expires_at,
  },
  processing: { ...facts, state: 'processing', page_url: page_path },
  paid: { ...facts, ...receipt, state: 'paid' },
  already_paid: { ...facts, ...receipt, state: 'already_paid' },
  failed: { ...facts, state: 'failed', declined: true },
  canceled: { ...facts, state: 'canceled' },
  expired: { ...facts, state: 'expired', expires_at: form.expires_at },
  unavailable: { ...facts, state: 'unavailable' },
  not_found: { state: 'not_found', sandbox: true, base_path: '' },
  away: { state: 'away', sandbox: true, base_path: '', page_url: page_path },
}

const errors: Record<PaymentFormError['code'], PaymentFormError> = {
  declined: { code: 'declined' },
  insufficient_funds: { code: 'insufficient_funds' },
  processing_error: { code: 'processing_error' },
  authentication_failed: { code: 'authentication_failed' },
  card_refused: { code: 'card_refused' },
  malformed: {
    code: 'malformed',
    faults: { number: 'malformed', expires: 'past', csc: 'missing' },
  },
  too_many: { code: 'too_many' },
  form_expired: { code: 'form_expired' },
  cross_site: { code: 'cross_site' },
}

/** Final states whose text depends on the outcome or on the payment method. */
const refunded_at = '2026-11-18T15:03:00.000Z'
const ends: [string, PaymentView][] = [
  ['refunded', { ...byState.paid, refund: { amount: facts.amount, at: refunded_at } }],
  ['partly-refunded', { ...byState.paid, refund: { amount: 2_500, at: refunded_at } }],
  ['already-paid-refunded', { ...byState.already_paid, refund: { amount: 1, at: refunded_at } }],
  ['failed-otherwise', { ...byState.failed, declined: false }],
  ['failed-transfer', { ...byState.failed, declined: false, takes_cards: false }],
  ['expired-transfer', { ...byState.expired, takes_cards: false }],
  ['unavailable-transfer', { ...byState.unavailable, takes_cards: false }],
]

const checkout_errors = [
  'unavailable',
  'rejected',
  'too_many',
  'form_expired',
  'cross_site',
] as const
const { instructions, transfer_reference } = byState.manual

const bank_account = {
  name: 'Acme Payments GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
}
const qr_text = epcQrText({
  ...bank_account,
  amount: 7_500,
  currency: 'EUR',
  creditor_reference: transfer_code,
})
const in_euros = { currency: 'EUR', timezone: 'Europe/Berlin', takes_cards: false }
const to_account = {
  instructions: undefined,
  transfer_reference,
  bank_account: { ...bank_account, fields: [], qr_text },
}
const us_account = {
  name: 'Acme Payments Inc.',
  iban: null,
  bic: null,
  fields: [
    { label: 'Routing number', value: '021000021' },
    { label: 'Account number', value: '1234567890' },
  ],
  qr_text: undefined,
}
const transfers: [string, PaymentView][] = [
  ['bank-transfer', { ...byState.manual, ...in_euros, ...to_account }],
  ['bank-transfer-fields', { ...byState.manual, ...to_account, bank_account: us_account }],
  [
    'checkout-bank-transfer',
    { ...byState.checkout, ...in_euros, takes_cards: true, transfer: to_account },
  ],
]

const checkouts: [string, PaymentView][] = [
  [
    'checkout-several',
    {
      ...byState.checkout,
      providers: ['stripe', 'mollie'],
      transfer: { instructions, transfer_reference, bank_account: undefined },
    },
  ],
  ...checkout_errors.map(
    (error) => [`checkout-${error}`, { ...byState.checkout, error }] as [string, PaymentView],
  ),
]

/** Requests with a link to the account's site. */
const back = { back_path: `${page_path}/return` }
const returns = (['form', 'manual', 'paid', 'already_paid', 'failed', 'expired'] as const).map(
  (state): [string, PaymentView] => [
    `${state.replace('_', '-')}-with-return`,
    { ...byState[state], ...back },
  ],
)

/** Accounts with a logo, a color and every way to reach them. */
const branded = (
  [
    ['form', '#7a1f5c', 320],
    ['manual', '#b3261e', 60],
    ['paid', '#1f5fbf', 900],
    ['expired', '#111111', 240],
  ] as const
).map(([state, accent_color, logo_width]): [string, PaymentView] => {
  const branding = {
    ...unbranded,
    logo_hash: logo_path.slice(-32),
    logo_width,
    logo_height: 100,
    accent_color,
    support_phone: '+1 (555) 010-0199',
    website: 'https://acme.example/',
    terms_url: 'https://acme.example/terms',
    statement_name: 'ACME LTD',
  }
  const brand = brandOf(branding, { base_path: '', has_links: true })
  return [`${state}-branded`, { ...byState[state], brand }]
})

/** Every state, the form with each error, and the variants of final states, by name. */
export const paymentViews: ReadonlyMap<string, PaymentView> = new Map<string, PaymentView>([
  ...Object.entries(byState),
  ...ends,
  ...checkouts,
  ...transfers,
  ...returns,
  ...branded,
  ...Object.entries(errors).map(([name, error]) => [`form-${name}`, formView(error)] as const),
])

export function transferView(language: string): PaymentView {
  return { ...byState.manual, language }
}

/** Text too wide for the page: a name and a reference without spaces, and the largest amount. */
export const wide_facts = {
  account_name: `Donaudampfschifffahrtsgesellschaft${'kapitaen'.repeat(20)}`,
  amount: 999_999_999_999,
  reference: 'W'.repeat(255),
  customer_email: `${'m'.repeat(64)}@${'example'.repeat(20)}.com`,
  contact_email: `${'b'.repeat(64)}@${'example'.repeat(20)}.com`,
  ...back,
}
