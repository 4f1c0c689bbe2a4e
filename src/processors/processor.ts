// The payment processor interface: when and how new transactions settle, the outcome of a card
// charge in the sandbox, and the providers whose pages take payments.

import type { ProcessorSettings } from '../processor-settings.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import type { CardSummary, Provider } from './provider.ts'
import { type CardOutcome, type Confirmation, chargeTestCard } from './test-cards.ts'
import { withTracing } from './trace-calls.ts'

export type { CardSummary } from './provider.ts'

export interface Card {
  /** Digits only. Never stored, logged or included in a message. */
  number: string
  /** The decision of the payer, once the bank has asked. */
  confirmation?: Confirmation | undefined
}

/**
 * `refused`: the processor cannot charge this card. `needs_confirmation`: the payer must confirm
 * first, then the card is charged again. Neither counts as an attempt.
 */
export type CardResult = CardOutcome | 'refused' | 'needs_confirmation'

/** Why a card was declined. The sandbox does not check the expiry date and the security code. */
export type DeclineCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'authentication_failed'

/** A payment attempt that the processor decided. A non-null code means it was declined. */
export interface CardAttempt {
  card: CardSummary
  decline_code: DeclineCode | null
  /** The cardholder disputes the charge at once. Only a sandbox card does. */
  is_disputed?: boolean
}

export interface Processor {
  /** Delay before a new transaction settles. Undefined if only an operator settles. */
  settle_after_ms: number | undefined
  /** The outcome of a transaction that is due. */
  outcomeOf(transaction: { metadata: string | null }): 'succeeded' | 'failed'
  /** Charges a card in the sandbox. Otherwise undefined: providers take cards on their pages. */
  chargeCard: ((card: Card) => Promise<CardResult>) | undefined
  /** In the order of the payment page; empty for the sandbox and for transfers only. */
  providers: Provider[]
  /** Whether the payment page shows how to pay by transfer. */
  takes_transfers: boolean
  /** Transfers go to a bank account that the page shows. Otherwise the page shows a text. */
  has_bank_account: boolean
}

type OpenSettings = Omit<ProcessorSettings, 'late_payments' | 'bank_account'> & {
  settle_after_s: number
}

/** Without a tracer, calls to providers are not traced. */
export async function openProcessor(config: OpenSettings, tracer?: Tracer): Promise<Processor> {
  if (config.processors.includes('sandbox')) return sandboxProcessor(config.settle_after_s)
  const providers = await openProviders(config)
  const traced = tracer ? providers.map((provider) => withTracing(provider, tracer)) : providers
  const guarded = traced.map((provider) => withCircuitBreaker(provider))
  const has_bank_account = config.processors.includes('bank_transfer')
  const takes_transfers = has_bank_account || config.processors.includes('manual')
  return liveProcessor(guarded, { takes_transfers, has_bank_account })
}

// Loaded only if chosen: the library of Stripe takes 37 MB of memory.
async function openProviders({ processors, stripe, mollie }: OpenSettings): Promise<Provider[]> {
  const opened = processors.map(async (name) => {
    if (name === 'stripe') return (await import('./stripe.ts')).openStripe(stripe!)
    if (name === 'mollie') return (await import('./mollie.ts')).openMollie(mollie!)
    return undefined
  })
  const providers = await Promise.all(opened)
  return providers.filter((provider) => provider !== undefined)
}

/** If false, payments arrive by transfer, and pages and emails use the `by_transfer` texts. */
export function takesCards({ chargeCard, providers }: Processor): boolean {
  return chargeCard !== undefined || providers.length > 0
}

export function summarizeCard({ number }: Card): CardSummary {
  const brand = brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown'
  return { brand, last4: number.slice(-4) }
}

// By the leading digits (IIN ranges) that the card networks publish.
const brands: readonly [RegExp, CardSummary['brand']][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|65|64[4-9])/, 'discover'],
]

/** Settles everything after a delay, and fails transactions whose metadata requests it. */
export function sandboxProcessor(settle_after_s: number): Processor {
  return {
    settle_after_ms: settle_after_s * 1_000,
    outcomeOf({ metadata }) {
      if (metadata === null) return 'succeeded'
      return JSON.parse(metadata).sandbox_outcome === 'failed' ? 'failed' : 'succeeded'
    },
    chargeCard: async ({ number, confirmation }) => chargeTestCard(number, confirmation),
    providers: [],
    takes_transfers: false,
    has_bank_account: false,
  }
}

/**
 * Providers settle payment requests. An admin or a platform key settles every other transaction
 * once the money has moved.
 */
function liveProcessor(
  providers: Provider[],
  transfers: Pick<Processor, 'takes_transfers' | 'has_bank_account'>,
): Processor {
  return {
    settle_after_ms: undefined,
    outcomeOf: () => 'succeeded',
    chargeCard: undefined,
    providers,
    ...transfers,
  }
}
