// Stripe: the payer pays on a Checkout page of Stripe. Only its public API is used, with the API
// version that the `stripe` package pins.

import Stripe from 'stripe'
import { cutText } from '../primitives/text.ts'
import type { StripeSettings } from '../processor-settings.ts'
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
  type WebhookMessage,
} from './provider.ts'
import { fromStripeAmount, limits, requireWholeSteps, toStripeAmount } from './stripe-amounts.ts'
import { feeInCurrency, stripeBalance } from './stripe-balance.ts'

// Stripe responds within seconds. A payer waits for createCheckout, so it must not hang.
const timeout_ms = 20_000
// The tolerance that Stripe recommends for the age of a signature.
const tolerance_s = 300
// Stripe keeps idempotency keys for 24 hours at least.
const key_lives_ms = 20 * 3_600_000

export function openStripe({ secret_key, webhook_secrets, api_url }: StripeSettings): Provider {
  const stripe = new Stripe(secret_key, {
    // Retries are ours: they must survive a restart.
    maxNetworkRetries: 0,
    timeout: timeout_ms,
    telemetry: false,
    ...(api_url === undefined ? {} : addressOf(new URL(api_url))),
  })
  const fetchSnapshot = async (id: string) => {
    const session = await findSession(stripe, id)
    return session && snapshotOf(stripe, session)
  }
  return {
    name: 'stripe',
    is_live: /^[sr]k_live_/.test(secret_key),
    key_lives_ms,
    limits,
    async createCheckout(checkout) {
      const options = { idempotencyKey: checkout.id }
      const session = await attempt(
        stripe.checkout.sessions.create(paramsOf(checkout), options).catch(rejectOtherParams),
      )
      const expires_at = new Date(session.expires_at * 1_000)
      return { provider_id: session.id, url: session.url ?? '', expires_at }
    },
    fetchSnapshot,
    async expireCheckout(provider_id) {
      try {
        await stripe.checkout.sessions.expire(provider_id)
      } catch (error) {
        // Paid, expired or gone: the snapshot shows which.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw translate(error)
      }
      const snapshot = await fetchSnapshot(provider_id)
      if (snapshot !== undefined) return snapshot
      throw new ProviderError(`Stripe has no checkout session ${provider_id}.`, { is_final: true })
    },
    async refund({ transaction_id, charge_id, amount, currency }) {
      requireWholeSteps(amount, currency)
      const refund = await attempt(
        stripe.refunds.create(
          {
            charge: charge_id,
            amount: toStripeAmount(amount, currency),
            metadata: { florin_transaction_id: transaction_id },
          },
          { idempotencyKey: transaction_id },
        ),
      )
      return refundOf(refund)
    },
    readWebhook: (message) => readWebhook(stripe, webhook_secrets, message),
    listChanges: (cursor) => listChanges(stripe, cursor),
    balance: stripeBalance(stripe, attempt),
    async check() {
      const { lastResponse } = await attempt(stripe.balance.retrieve())
      return { at: new Date(lastResponse.headers.date ?? Date.now()) }
    },
  }
}

function addressOf({ protocol, hostname, port }: URL) {
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    ...(port === '' ? {} : { port }),
  }
}

function paramsOf(checkout: Checkout): Stripe.Checkout.SessionCreateParams {
  const { id, amount, currency, description, payer_email } = checkout
  const metadata = { florin_account_id: checkout.account_id, florin_checkout_id: id }
  return {
    mode: 'payment',
    client_reference_id: id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(amount, currency),
          product_data: { name: cutText(description, 250) },
        },
      },
    ],
    success_url: checkout.success_url,
    cancel_url: checkout.cancel_url,
    ...(payer_email === null ? {} : { customer_email: payer_email }),
    locale: locales.has(checkout.language) ? (checkout.language as 'en') : 'auto',
    expires_at: Math.floor(checkout.expires_at.getTime() / 1_000),
    // Otherwise Stripe may charge the payer in another currency than the account's.
    adaptive_pricing: { enabled: false },
    metadata,
    payment_intent_data: { description: cutText(description, 1_000), metadata },
  }
}

const locales = new Set(['de', 'en', 'es', 'fr', 'ja', 'pt'])

const expand = ['payment_intent.latest_charge.balance_transaction']

/** By the id of a checkout session or of its payment intent. */
async function findSession(
  stripe: Stripe,
  id: string,
): Promise<Stripe.Checkout.Session | undefined> {
  try {
    if (id.startsWith('cs_')) return await stripe.checkout.sessions.retrieve(id, { expand })
    const found = await stripe.checkout.sessions.list({
      payment_intent: id,
      limit: 1,
      expand: expand.map((path) => `data.${path}`),
    })
    return found.data[0]
  } catch (error) {
    if ((error as Stripe.errors.StripeError).code === 'resource_missing') return undefined
    throw translate(error)
  }
}

async function snapshotOf(stripe: Stripe, session: Stripe.Checkout.Session): Promise<Snapshot> {
  // Both are set for every session that collects a payment.
  const { amount_total, currency: code } = session
  const session_currency = code?.toUpperCase() ?? ''
  const intent = session.payment_intent as Stripe.PaymentIntent | null
  const charge = (intent?.latest_charge ?? null) as Stripe.Charge | null
  const is_paid = charge?.status === 'succeeded'
  const [refunds, disputes] = await Promise.all([
    is_paid ? listAll(stripe.refunds.list({ charge: charge.id, limit: 100 })) : [],
    charge?.disputed ? listAll(stripe.disputes.list({ charge: charge.id, limit: 100 })) : [],
  ])
  return {
    provider_id: session.id,
    checkout: checkoutIdsOf(session),
    state: stateOf(session, intent, is_paid),
    is_live: session.livemode,
    amount: amount_total && code ? fromStripeAmount(amount_total, session_currency) : 0,
    // What was paid: a charge in another currency must not be recorded as one in the account's.
    currency: is_paid ? charge.currency.toUpperCase() : session_currency,
    charge: is_paid ? chargeOf(charge) : null,
    refunds: refunds.map(refundOf),
    disputes: disputes.flatMap(disputeOf),
  }
}

function checkoutIdsOf({ metadata }: Stripe.Checkout.Session): CheckoutIds | null {
  const { florin_account_id: account_id, florin_checkout_id: checkout_id } = metadata ?? {}
  return account_id && checkout_id ? { account_id, checkout_id } : null
}

function stateOf(
  { status, payment_status }: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  has_charge: boolean,
): SnapshotState {
  // Paid is final, so the charge must be there to be recorded.
  if (payment_status === 'paid') return has_charge ? 'paid' : 'processing'
  if (status === 'open') return 'open'
  if (status === 'expired') return 'ended'
  // Completed, and the money is on its way: a bank debit is `processing`, and a voucher that the
  // payer takes to a shop is `requires_action` for days.
  return intent === null || failed_intents.has(intent.status) ? 'failed' : 'processing'
}

const failed_intents = new Set<string>(['requires_payment_method', 'canceled'])

function chargeOf(charge: Stripe.Charge): Charge {
  const { card } = charge.payment_method_details ?? {}
  return {
    id: charge.id,
    amount: fromStripeAmount(charge.amount, charge.currency.toUpperCase()),
    fee: feeOf(charge),
    card: card ? { brand: brandOf(card.brand), last4: card.last4 ?? '' } : null,
  }
}

function feeOf(charge: Stripe.Charge): number | null {
  const entry = charge.balance_transaction as Stripe.BalanceTransaction | null
  return entry === null ? null : feeInCurrency(entry, charge)
}

function brandOf(brand: string | null): CardSummary['brand'] {
  return known_brands.has(brand ?? '') ? (brand as CardSummary['brand']) : 'unknown'
}

const known_brands = new Set(['visa', 'mastercard', 'amex', 'discover'])

function refundOf({ id, amount, currency, status, metadata }: Stripe.Refund): ProviderRefund {
  const is_failed = status === 'failed' || status === 'canceled'
  return {
    id,
    transaction_id: metadata?.florin_transaction_id ?? null,
    amount: fromStripeAmount(amount, currency.toUpperCase()),
    state: is_failed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
  }
}

// Inquiries (`warning_…`) and prevented disputes move no money.
function disputeOf(dispute: Stripe.Dispute): ProviderDispute[] {
  const { id, amount, currency, reason, status, evidence_details } = dispute
  if (!dispute_statuses.has(status)) return []
  const { due_by } = evidence_details
  return [
    {
      id,
      amount: fromStripeAmount(amount, currency.toUpperCase()),
      reason,
      status: status as ProviderDispute['status'],
      due_at: due_by === null ? null : new Date(due_by * 1_000),
    },
  ]
}

const dispute_statuses = new Set<string>(['needs_response', 'under_review', 'won', 'lost'])

/** The events after which a checkout may have another snapshot. */
export const stripeEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'charge.updated',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

async function readWebhook(
  stripe: Stripe,
  secrets: string[],
  { headers, body }: WebhookMessage,
): Promise<Notice | null | undefined> {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') return undefined
  for (const secret of secrets) {
    try {
      const event = await stripe.webhooks.constructEventAsync(body, signature, secret, tolerance_s)
      return noticeOf(event) ?? null
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    }
  }
  return undefined
}

/** About the checkout session, or the payment intent that belongs to one. */
function noticeOf({ id: event_id, type, data }: Stripe.Event): Notice | undefined {
  if (!(stripeEvents as readonly string[]).includes(type)) return undefined
  const object = data.object as { id: string; object: string; payment_intent?: unknown }
  if (object.object === 'checkout.session') return { event_id, provider_id: object.id }
  const { payment_intent: provider_id } = object
  return typeof provider_id === 'string' ? { event_id, provider_id } : undefined
}

async function listChanges(stripe: Stripe, cursor: string | undefined) {
  const types = [...stripeEvents]
  if (cursor === undefined) {
    const newest = await attempt(stripe.events.list({ types, limit: 1 }))
    return { notices: [], cursor: newest.data[0]?.id ?? '' }
  }
  const events = await listEventsAfter(stripe, cursor, types)
  const notices = events.toReversed().flatMap((event) => noticeOf(event) ?? [])
  return { notices, cursor: events[0]?.id ?? cursor }
}

/**
 * Newest first. The empty cursor means that no event existed. Stripe keeps events for 30 days; all
 * of them are listed if that of the cursor is gone.
 */
async function listEventsAfter(stripe: Stripe, cursor: string, types: string[]) {
  const all = () => listAll(stripe.events.list({ types, limit: 100 }))
  if (cursor === '') return all()
  try {
    return (await stripe.events.list({ types, limit: 100, ending_before: cursor })).data
  } catch (error) {
    if ((error as Stripe.errors.StripeError).code === 'resource_missing') return all()
    throw translate(error)
  }
}

function listAll<Row>(pages: Stripe.ApiListPromise<Row>): Promise<Row[]> {
  return attempt(pages.autoPagingToArray({ limit: 10_000 }))
}

async function attempt<Value>(call: Promise<Value>): Promise<Value> {
  try {
    return await call
  } catch (error) {
    throw translate(error)
  }
}

/**
 * The account was renamed, or the public URL changed, since a call whose response was lost. The
 * URL of that session reached no payer, so another checkout replaces it. Not for refunds: the first
 * call may have paid.
 */
function rejectOtherParams(error: unknown): never {
  const { StripeIdempotencyError } = Stripe.errors
  if (!(error instanceof StripeIdempotencyError) || error.statusCode === 409) throw error
  throw new ProviderError(`Stripe: ${error.message}`, { is_final: true })
}

function translate(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const is_final = final_errors.some((kind) => error instanceof kind) && error.statusCode !== 409
  const status = error.statusCode
  const code = status === 401 || status === 403 ? String(status) : error.code
  // Stripe quotes a rejected address, and those of customers must not be logged. A cause is logged.
  const message = `Stripe: ${error.message.replace(/\S+@\S+/g, '…')}`
  const cause = is_final ? {} : { cause: error }
  return new ProviderError(message, { is_final, ...cause, ...(code && { code }) })
}

// A rejected key (401, 403) is not final: refunds wait until the operator has replaced the key.
const final_errors = [Stripe.errors.StripeInvalidRequestError, Stripe.errors.StripeCardError]
