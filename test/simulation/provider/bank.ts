// What happens at the provider without Florin: refunds in its dashboard, refunds that fail late,
// disputes, bank debits that succeed or fail, checkouts that expire, and late fees.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import type { FakeStripe } from '../../support/fake-stripe.ts'
import type { Row } from '../../support/fake-stripe-objects.ts'
import type { ProviderParts } from './open-provider.ts'

const weights = {
  refund: 28,
  dispute: 16,
  close_dispute: 24,
  fail_refund: 10,
  end_debit: 20,
  expire: 12,
  delay_fees: 10,
} as const

type Action = keyof typeof weights

const actions = Object.entries(weights).flatMap(([action, weight]) =>
  Array.from({ length: weight }, () => action as Action),
)

const every_ms = { min: 40, jitter: 160 }

export async function runBank(parts: ProviderParts): Promise<void> {
  const { recorder, until_ms, provider } = parts
  const random = parts.randomOf('bank')
  while (recorder.now() < until_ms) {
    perform[random.pick(actions)](provider.fake, random)
    await sleep(every_ms.min + random.below(every_ms.jitter))
  }
  provider.fake.has_fees = true
}

const perform: Record<Action, (fake: FakeStripe, random: Random) => void> = {
  refund(fake, random) {
    const charge = pick(random, fake.charges)
    if (charge === undefined) return
    const left = Number(charge.amount) - Number(charge.amount_refunded)
    if (left > 0) fake.refundInDashboard(charge.id, 1 + random.below(left))
  },
  // A dispute may exceed the charge, because of fees and exchange rates.
  dispute(fake, random) {
    const charge = pick(random, fake.charges)
    if (charge === undefined || charge.disputed) return
    fake.dispute(charge.id, Number(charge.amount) + (random.chance(0.2) ? 150 : 0))
  },
  close_dispute(fake, random) {
    const open = pick(random, fake.disputes, ({ status }) => status === 'needs_response')
    if (open !== undefined) fake.closeDispute(open.id, random.chance(0.6) ? 'won' : 'lost')
  },
  fail_refund(fake, random) {
    const paid = pick(random, fake.refunds, ({ status }) => status === 'succeeded')
    if (paid !== undefined) fake.failRefund(paid.id)
  },
  end_debit(fake, random) {
    const open = pick(random, fake.sessions, isUnpaid)
    if (open !== undefined) fake.endDebit(open.id, random.chance(0.5))
  },
  expire(fake, random) {
    const open = pick(random, fake.sessions, ({ status }) => status === 'open')
    if (open !== undefined) fake.expire(open.id)
  },
  delay_fees(fake) {
    fake.has_fees = !fake.has_fees
  },
}

function isUnpaid({ status, payment_status }: Row): boolean {
  return status === 'complete' && payment_status === 'unpaid'
}

function pick(
  random: Random,
  rows: Map<string, Row>,
  fits: (row: Row) => boolean = () => true,
): Row | undefined {
  const found = [...rows.values()].filter(fits)
  return found.length === 0 ? undefined : random.pick(found)
}
