// Mollie: the payer pays on a page of Mollie. Its webhooks carry only the id of a payment and no
// signature. The webhook URL of each payment therefore ends with a MAC, and only the payment that
// is fetched afterwards counts.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { currencies } from '../primitives/currencies.ts'
import { cutText } from '../primitives/text.ts'
import type { MollieSettings } from '../processor-settings.ts'
import { isLoopbackName } from '../server-urls.ts'
import { fromMollieAmount, type MollieAmount, toMollieAmount } from './mollie-amounts.ts'
import { mollieBalance } from './mollie-balance.ts'
import {
  type CardSummary,
  type Charge,
  type Checkout,
  type CheckoutIds,
  type Notice,
  type Provider,
  type ProviderDispute,
  ProviderError,
  type ProviderRefund,
  type Snapshot,
  type SnapshotState,
} from './provider.ts'

const timeout_ms = 20_000
// Mollie keeps idempotency keys for one hour.
const key_lives_ms = 45 * 60_000

export function openMollie({
  api_key,
  access_token,
  api_url = 'https://api.mollie.com',
}: MollieSettings): Provider {
  const call = <Body>(method: string, path: string, options: CallOptions = {}) =>
    callMollie<Body>({ api_key, api_url }, method, path, options)
  const findPayment = async (id: string) => {
    const path = `/v2/payments/${encodeURIComponent(id)}?embed=refunds,chargebacks`
    try {
      return (await call<MolliePayment>('GET', path)).body
    } catch (error) {
      if (error instanceof ProviderError && error.code === '404') return undefined
      throw error
    }
  }
  return {
    name: 'mollie',
    is_live: api_key.startsWith('live_'),
    key_lives_ms,
    limits: (currency) =>
      supported.has(currency) ? { min: 1, max: 999_999_999, step: 1 } : undefined,
    async createCheckout(checkout) {
      const { body } = await call<MolliePayment>('POST', '/v2/payments', {
        idempotency_key: checkout.id,
        body: {
          amount: toMollieAmount(checkout.amount, checkout.currency),
          description: cutText(checkout.description, 255),
          redirectUrl: checkout.success_url,
          cancelUrl: checkout.cancel_url,
          ...webhookUrlOf(api_key, checkout),
          locale: locales[checkout.language] ?? 'en_US',
          metadata: {
            florin_account_id: checkout.account_id,
            florin_checkout_id: checkout.id,
          },
        },
      })
      const expires_at = body.expiresAt ? new Date(body.expiresAt) : checkout.expires_at
      return { provider_id: body.id, url: body._links.checkout?.href ?? '', expires_at }
    },
    async fetchSnapshot(provider_id) {
      const payment = await findPayment(provider_id)
      return payment && snapshotOf(payment)
    },
    async expireCheckout(provider_id) {
      const path = `/v2/payments/${encodeURIComponent(provider_id)}`
      // Rejected if the payer has begun to pay: the payment stays open until it expires.
      await call('DELETE', path).catch((error) => {
        if (!(error instanceof ProviderError && error.is_final)) throw error
      })
      const payment = await findPayment(provider_id)
      if (payment !== undefined) return snapshotOf(payment)
      throw new ProviderError(`Mollie has no payment ${provider_id}.`, { is_final: true })
    },
    async refund({ provider_id, transaction_id, amount, currency }) {
      const path = `/v2/payments/${encodeURIComponent(provider_id)}/refunds`
      const { body } = await call<MollieRefund>('POST', path, {
        idempotency_key: transaction_id,
        body: {
          amount: toMollieAmount(amount, currency),
          metadata: { florin_transaction_id: transaction_id },
        },
      })
      return refundOf(body)
    },
    async readWebhook({ path, body }) {
      if (!isWebhookPath(api_key, path)) return undefined
      const id = new URLSearchParams(body.toString('latin1')).get('id') ?? ''
      return /^tr_\w{1,64}$/.test(id) ? noticeOf(id) : null
    },
    async listChanges(cursor) {
      const [payments, refunds, chargebacks] = await Promise.all([
        call<MollieList<MolliePayment>>('GET', '/v2/payments?limit=250'),
        call<MollieList<MollieRefund>>('GET', '/v2/refunds?limit=250'),
        call<MollieList<MollieChargeback>>('GET', '/v2/chargebacks?limit=250'),
      ])
      const changes = [
        ...rowsOf(payments.body).flatMap(changeOf),
        ...rowsOf(refunds.body).map(({ paymentId: id, createdAt: at }) => ({ id, at })),
        ...rowsOf(chargebacks.body).map(({ paymentId: id, createdAt, reversedAt }) => ({
          id,
          at: reversedAt ?? createdAt,
        })),
      ].sort((a, b) => (a.at < b.at ? -1 : 1))
      const newer = changes.filter(({ at }) => cursor !== undefined && at > cursor)
      const ids = new Set(newer.map(({ id }) => id))
      const newest = changes.at(-1)?.at ?? ''
      return {
        notices: [...ids].map(noticeOf),
        cursor: newest > (cursor ?? '') ? newest : (cursor ?? ''),
      }
    },
    ...(access_token !== undefined && {
      balance: mollieBalance((path) => readWithToken({ access_token, api_url }, path)),
    }),
    async check() {
      const { date } = await call('GET', '/v2/payments?limit=1')
      return { at: date }
    },
  }
}

/** A rejected token must not look like an outage: payments do not use it. */
async function readWithToken<Body>(
  { access_token, api_url }: { access_token: string; api_url: string },
  path: string,
): Promise<Body> {
  try {
    return (await callMollie<Body>({ api_key: access_token, api_url }, 'GET', path, {})).body
  } catch (error) {
    const code = error instanceof ProviderError ? error.code : undefined
    if (code !== '401' && code !== '403') throw error
    const detail = (error as Error).message.replace(/^Mollie: /, '').replace(/\.?$/, '.')
    throw new ProviderError(
      `Mollie rejected FLORIN_MOLLIE_ACCESS_TOKEN: ${detail} Replace it with a token that has ` +
        `the permissions ${tokenPermissions.join(', ')}.`,
      { is_final: true, code, cause: error },
    )
  }
}

const tokenPermissions = ['settlements.read', 'payments.read', 'refunds.read']

/** Mollie rejects a URL that it cannot reach. Without one, the sweep finds the payment. */
function webhookUrlOf(api_key: string, checkout: Checkout): { webhookUrl?: string } {
  const { public_url, account_id, id: checkout_id } = checkout
  if (isLoopbackName(new URL(public_url).hostname)) return {}
  const path = webhookPath(api_key, { account_id, checkout_id })
  return { webhookUrl: `${public_url}/v1/processors/mollie/webhook/${path}` }
}

/** `<account>.<checkout>.<MAC>`. A new API key ends the URLs of the old one. */
function webhookPath(api_key: string, { account_id, checkout_id }: CheckoutIds): string {
  const key = createHmac('sha256', api_key).update('florin webhook path').digest()
  const ids = `${account_id}.${checkout_id}`
  return `${ids}.${createHmac('sha256', key).update(ids).digest('base64url')}`
}

function isWebhookPath(api_key: string, path: string): boolean {
  const [account_id = '', checkout_id = ''] = path.split('.')
  const [given, expected] = [path, webhookPath(api_key, { account_id, checkout_id })].map((text) =>
    Buffer.from(text),
  ) as [Buffer, Buffer]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Mollie has no event ids: a new notice about a payment makes its row due again. */
function noticeOf(payment_id: string): Notice {
  return { event_id: payment_id, provider_id: payment_id }
}

interface MolliePayment {
  id: string
  mode: 'test' | 'live'
  status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
  amount: MollieAmount
  expiresAt?: string
  paidAt?: string
  canceledAt?: string
  expiredAt?: string
  failedAt?: string
  metadata?: { florin_account_id?: string; florin_checkout_id?: string } | null
  details?: { cardLabel?: string; cardNumber?: string } | null
  _links: { checkout?: { href: string } }
  _embedded?: { refunds?: MollieRefund[]; chargebacks?: MollieChargeback[] }
}

interface MollieRefund {
  id: string
  paymentId: string
  createdAt: string
  amount: MollieAmount
  status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled'
  metadata?: { florin_transaction_id?: string } | null
}

interface MollieChargeback {
  id: string
  paymentId: string
  createdAt: string
  amount: MollieAmount
  reason?: { code: string } | null
  reversedAt?: string | null
}

interface MollieList<Row> {
  _embedded: Record<string, Row[]>
}

function rowsOf<Row>({ _embedded }: MollieList<Row>): Row[] {
  return Object.values(_embedded).flat()
}

/** When a payment got its last state. */
function changeOf(payment: MolliePayment): { id: string; at: string }[] {
  const { id, paidAt, canceledAt, expiredAt, failedAt } = payment
  const at = paidAt ?? canceledAt ?? expiredAt ?? failedAt
  return at === undefined ? [] : [{ id, at }]
}

function snapshotOf(payment: MolliePayment): Snapshot {
  const { id, mode, status, amount, metadata, _embedded } = payment
  return {
    provider_id: id,
    checkout: checkoutIdsOf(metadata ?? {}),
    state: states[status],
    is_live: mode === 'live',
    amount: fromMollieAmount(amount),
    currency: amount.currency,
    charge: status === 'paid' ? chargeOf(payment) : null,
    refunds: (_embedded?.refunds ?? []).map(refundOf),
    disputes: (_embedded?.chargebacks ?? []).map(disputeOf),
  }
}

function checkoutIdsOf(metadata: NonNullable<MolliePayment['metadata']>): CheckoutIds | null {
  const { florin_account_id: account_id, florin_checkout_id: checkout_id } = metadata
  return account_id && checkout_id ? { account_id, checkout_id } : null
}

const states: Record<MolliePayment['status'], SnapshotState> = {
  open: 'open',
  pending: 'processing',
  authorized: 'processing',
  paid: 'paid',
  canceled: 'ended',
  expired: 'ended',
  failed: 'failed',
}

/** At Mollie a payment is also the charge. Its fee is only on invoices, not in the API of a key. */
function chargeOf({ id, amount, details }: MolliePayment): Charge {
  const last4 = details?.cardNumber
  const card = last4 === undefined ? null : { brand: brandOf(details?.cardLabel), last4 }
  return { id, amount: fromMollieAmount(amount), fee: null, card }
}

function brandOf(label = ''): CardSummary['brand'] {
  const found = brands.find(([name]) => label.toLowerCase().startsWith(name))
  return found?.[1] ?? 'unknown'
}

const brands: [string, CardSummary['brand']][] = [
  ['visa', 'visa'],
  ['mastercard', 'mastercard'],
  ['american express', 'amex'],
  ['discover', 'discover'],
]

function refundOf({ id, amount, status, metadata }: MollieRefund): ProviderRefund {
  const is_failed = status === 'failed' || status === 'canceled'
  return {
    id,
    transaction_id: metadata?.florin_transaction_id ?? null,
    amount: fromMollieAmount(amount),
    state: is_failed ? 'failed' : status === 'refunded' ? 'succeeded' : 'pending',
  }
}

// A chargeback takes the money at once. It is contested outside of the API; a reversal returns it.
function disputeOf({ id, amount, reason, reversedAt }: MollieChargeback): ProviderDispute {
  return {
    id,
    amount: fromMollieAmount(amount),
    reason: reason?.code ?? 'unknown',
    status: reversedAt ? 'won' : 'lost',
    due_at: null,
  }
}

const locales: Record<string, string> = {
  de: 'de_DE',
  en: 'en_US',
  es: 'es_ES',
  fr: 'fr_FR',
  pt: 'pt_PT',
}

// From Mollie's documentation. Methods limit amounts further; Mollie checks that.
const supported = new Set(
  `AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON RUB SEK SGD
   THB TWD USD ZAR`
    .split(/\s+/)
    .filter((code) => currencies.has(code)),
)

interface CallOptions {
  idempotency_key?: string
  body?: unknown
}

async function callMollie<Body>(
  { api_key, api_url }: { api_key: string; api_url: string },
  method: string,
  path: string,
  { idempotency_key, body }: CallOptions,
): Promise<{ body: Body; date: Date }> {
  const headers: Record<string, string> = { authorization: `Bearer ${api_key}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotency_key !== undefined) headers['idempotency-key'] = idempotency_key
  let response: Response
  let text: string
  try {
    response = await fetch(new URL(path, api_url), {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout_ms),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    text = await response.text()
    if (response.ok) {
      const date = new Date(response.headers.get('date') ?? Date.now())
      return { body: (text === '' ? undefined : JSON.parse(text)) as Body, date }
    }
  } catch (cause) {
    throw new ProviderError('Mollie could not be reached.', { is_final: false, cause })
  }
  throw failureOf(response.status, text)
}

// A request in progress (409) and a rate limit (429) can succeed later with the same key. A
// rejected API key (401, 403) is not final either: refunds wait until the operator has replaced it.
function failureOf(status: number, text: string): ProviderError {
  const is_final = status >= 400 && status < 500 && ![401, 403, 408, 409, 429].includes(status)
  const detail = /"detail":\s*"([^"]{0,300})/.exec(text)?.[1] ?? `HTTP ${status}`
  return new ProviderError(`Mollie: ${detail}`, { is_final, code: String(status) })
}
