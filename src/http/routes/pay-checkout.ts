// The payment page with providers: opens the provider's page, and asks the provider once when the
// payer returns. Returning proves nothing: only the provider's state settles a request.

import type { FastifyRequest } from 'fastify'
import type { AccountRow } from '../../accounts/account.ts'
import type { CheckoutError } from '../../pages/payment-view.ts'
import { readProvider } from '../../pages/read-payment-form.ts'
import { providersFor, returned } from '../../pages/view-payment.ts'
import type { CheckoutRow } from '../../payments/checkout.ts'
import { findUsableCheckouts, openCheckout } from '../../payments/open-checkout.ts'
import type { PaymentRow } from '../../payments/payment.ts'
import { receiveSnapshot } from '../../payments/receive-snapshot.ts'
import type { Provider } from '../../processors/provider.ts'
import type { RouteContext } from '../route-context.ts'

/** Where to send the payer, or why not. */
type CheckoutStart = { url: string } | 'processing' | CheckoutError

export async function startCheckout(
  context: RouteContext,
  request: FastifyRequest,
  visit: { row: PaymentRow; account: AccountRow; language: string },
): Promise<CheckoutStart> {
  const { row } = visit
  const provider = chooseProvider(context.processor.providers, row, readProvider(request.body))
  if (provider === undefined) return 'form_expired'
  // Rejected checkouts and changes of the provider call it each time: one link must not use up the
  // calls that the provider allows for all payers.
  if (context.checkout_starts.isUsedUp(row.id)) return 'too_many'
  context.checkout_starts.count(row.id)
  const opened = await openCheckout(context, { ...visit, provider })
  if (typeof opened === 'string' || 'url' in opened) return opened
  const { error } = opened
  request.log.warn({ err: error, provider: provider.name }, 'failed to open a checkout')
  return error.is_final ? 'rejected' : 'unavailable'
}

/** Only a provider that the page offers: others do not accept the amount or the currency. */
function chooseProvider(
  providers: Provider[],
  row: PaymentRow,
  chosen: string,
): Provider | undefined {
  const offered = providersFor(row, providers)
  return offered.length === 1 ? offered[0] : offered.find(({ name }) => name === chosen)
}

/** Whether the payer has paid at the provider, as far as it is known. */
export async function isProcessing(
  context: RouteContext,
  request: FastifyRequest,
  row: PaymentRow,
): Promise<boolean> {
  if (row.status !== 'pending' || context.processor.providers.length === 0) return false
  const usable = await findUsableCheckouts(context.db, row)
  if (usable.some(({ state }) => state === 'processing')) return true
  const open = usable.find(({ provider_id }) => provider_id !== null)
  if (open === undefined) return false
  const { returned: value } = request.query as { returned?: unknown }
  if (value === returned.first) return !(await fetchOnce(context, request, open))
  return value === returned.polling
}

// A payer waits for the page. The worker finds out what happened if the provider takes longer.
const fetch_max_ms = 5_000

/** Returns whether the state of the provider is now known. */
async function fetchOnce(
  context: RouteContext,
  request: FastifyRequest,
  { id, provider: name, provider_id }: CheckoutRow,
): Promise<boolean> {
  const provider = context.processor.providers.find((one) => one.name === name)
  if (provider === undefined) return false
  try {
    // Opening the link again and again must not cause a call to the provider each time.
    context.return_fetches.count(id)
    await within(receiveSnapshot(context, provider, provider_id!), fetch_max_ms)
    return true
  } catch (err) {
    request.log.warn({ err, provider: name }, 'failed to ask a provider about a checkout')
    return false
  }
}

async function within<Value>(work: Promise<Value>, limit_ms: number): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no result within ${limit_ms} ms`)), limit_ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
