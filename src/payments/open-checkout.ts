// Opens the provider's page for a payer. The checkout row is committed before the provider is
// called, so a charge always leads back to it. After an unknown outcome the next visit repeats the
// call with the same id and the same parameters.

import type { AccountRow } from '../accounts/account.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { OpenedCheckout, Provider } from '../processors/provider.ts'
import { ProviderError } from '../processors/provider.ts'
import { type CheckoutRow, expiryOf } from './checkout.ts'
import { type CheckoutCommand, checkoutKey } from './checkout-commands.ts'
import { selectUsableCheckouts } from './checkout-queries.ts'
import type { PaymentEntry, PaymentLanes } from './lanes.ts'
import { type PaymentRow, paymentUrl, statusJson } from './payment.ts'

interface CheckoutParts {
  db: Db
  payment_lanes: PaymentLanes
}

interface Visit {
  row: PaymentRow
  account: AccountRow
  provider: Provider
  language: string
}

type CheckoutVisit =
  | { url: string }
  /** The payer has already paid, and the money is on its way. */
  | 'processing'
  /** `is_final`: the provider rejected the checkout. Otherwise the outcome is unknown. */
  | { error: ProviderError }

// A payer needs some minutes to enter a card.
const needed_ms = 10 * 60_000

/** Throws a Refusal when the request can no longer be paid. */
export async function openCheckout(parts: CheckoutParts, visit: Visit): Promise<CheckoutVisit> {
  const { row, provider, language } = visit
  const now = Date.now()
  await parts.payment_lanes.submit(
    entryFor({
      kind: 'checkout',
      account_id: row.account_id,
      id: row.id,
      checkout_id: newRealTimeUuid(now),
      provider: provider.name,
      language,
      needed_until: new Date(now + needed_ms),
    }),
  )
  const usable = await findUsableCheckouts(parts.db, row)
  if (usable.some(({ state }) => state === 'processing')) return 'processing'
  const checkout = usable.find((one) => one.provider === provider.name)
  if (checkout === undefined) throw hasJustEnded()
  if (checkout.url !== null) return { url: checkout.url }
  return create(parts, visit, checkout)
}

async function create(
  { payment_lanes }: CheckoutParts,
  visit: Visit,
  checkout: CheckoutRow,
): Promise<CheckoutVisit> {
  const key = checkoutKey(checkout)
  let opened: OpenedCheckout
  try {
    opened = await visit.provider.createCheckout(checkoutOf(visit, checkout, payment_lanes))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.is_final) await submit(payment_lanes, { kind: 'checked', ...key, to: 'failed' })
    return { error }
  }
  const status = await submit(payment_lanes, { kind: 'opened', ...key, opened })
  // The request was canceled meanwhile: the worker ends the checkout.
  if (status !== 'pending') throw hasJustEnded()
  return { url: opened.url }
}

/** The same for every repetition of the call. */
function checkoutOf({ row, account }: Visit, checkout: CheckoutRow, { public_url }: PaymentLanes) {
  const page_url = paymentUrl(row, public_url)
  const lang = new URLSearchParams({ lang: checkout.language })
  return {
    account_id: toTypeId('account', checkout.account_id),
    id: toTypeId('checkout', checkout.id),
    amount: row.amount,
    currency: row.currency,
    description: row.reference === null ? account.name : `${account.name}: ${row.reference}`,
    payer_email: row.customer_email,
    language: checkout.language,
    success_url: `${page_url}?returned=1&${lang}`,
    cancel_url: `${page_url}?${lang}`,
    public_url,
    expires_at: expiryOf(checkout),
  }
}

/** The checkouts of a request that the payer can still use. */
export function findUsableCheckouts(db: Queryable, row: PaymentRow): Promise<CheckoutRow[]> {
  return selectUsableCheckouts(db, [row])
}

/** Returns the status of the request. */
async function submit(lanes: PaymentLanes, command: CheckoutCommand): Promise<string> {
  // The provider has already acted: the result must be recorded.
  const { body } = await lanes.submit({ ...entryFor(command), must_run: true })
  return JSON.parse(String(body)).status
}

function entryFor(command: CheckoutCommand): PaymentEntry {
  return {
    command,
    account_id: command.account_id,
    background: false,
    isWanted: () => true,
    token: undefined,
    key: undefined,
    status: 200,
    render: statusJson,
  }
}

function hasJustEnded(): Refusal {
  return new Refusal('conflict', 'The payment request has just ended.')
}
