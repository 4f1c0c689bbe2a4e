// The payment provider of a run: the stand-in for Stripe, on a loopback port of the runner, and the
// settings that make Florin use it. Like the real one, it survives every fault of Florin.

import type { Random } from '../../../src/operations/seeding/random.ts'
import { FakeStripe } from '../../support/fake-stripe.ts'
import { stripeFee } from '../../support/fake-stripe-objects.ts'
import type { Sender } from '../clients/send.ts'
import type { World } from '../clients/world.ts'
import type { Recorder } from '../record.ts'
import type { ProviderState } from './provider-history.ts'

export interface RunProvider {
  fake: FakeStripe
  webhook_secret: string
  /** Settings of the servers. */
  env: Record<string, string>
  /** What the provider holds now. */
  state(): ProviderState
}

/** What the participants of the provider's side share. */
export interface ProviderParts {
  provider: RunProvider
  world: World
  sender: Sender
  recorder: Recorder
  /** An independent stream for each participant. */
  randomOf(name: string, number?: number): Random
  chooseServer(random: Random): number | undefined
  /** After this, no participant starts anything new. */
  until_ms: number
}

export async function openProvider(seed: number): Promise<RunProvider> {
  const fake = await FakeStripe.start()
  const webhook_secret = `whsec_of_chaos_${seed}`
  // Both policies must hold, so the seed decides.
  const late_payments = seed % 2 === 0 ? 'refund' : 'keep'
  return {
    fake,
    webhook_secret,
    env: {
      FLORIN_PROCESSOR: 'stripe',
      FLORIN_STRIPE_SECRET_KEY: 'sk_test_of_chaos',
      FLORIN_STRIPE_WEBHOOK_SECRET: webhook_secret,
      FLORIN_STRIPE_API_URL: fake.url,
      FLORIN_LATE_PAYMENTS: late_payments,
    },
    state: () => readState(fake, late_payments),
  }
}

function readState(fake: FakeStripe, late_payments: ProviderState['late_payments']): ProviderState {
  const sessions = [...fake.sessions.values()]
  const by_intent = new Map(sessions.map((session) => [session.payment_intent, session]))
  return {
    kind: 'provider',
    late_payments,
    sessions: sessions.map(({ id, client_reference_id, status }) => {
      return { id, checkout: textOrNull(client_reference_id), status: String(status) }
    }),
    charges: [...fake.charges.values()].map(({ id, amount, payment_intent }) => {
      const session = by_intent.get(payment_intent)!
      const checkout = textOrNull(session.client_reference_id)
      const fee = stripeFee(Number(amount))
      return { id, session: session.id, checkout, amount: Number(amount), fee }
    }),
    refunds: [...fake.refunds.values()].map(({ id, charge, amount, status, metadata }) => {
      const { florin_transaction_id } = metadata as Record<string, string>
      const transaction = textOrNull(florin_transaction_id)
      const state = { charge: String(charge), amount: Number(amount), status: String(status) }
      return { id, ...state, transaction }
    }),
    disputes: [...fake.disputes.values()].map(({ id, charge, amount, status }) => {
      return { id, charge: String(charge), amount: Number(amount), status: String(status) }
    }),
    frozen_keys: [...fake.frozen_keys],
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
