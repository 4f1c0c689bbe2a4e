// Demo transactions: types, amounts, references, metadata, and how and when they end.

import type { TransactionType } from '../../ledger/posting-rules.ts'
import type { Metadata } from '../../transactions/metadata.ts'
import type { Random } from './random.ts'

/** 88% payments, 4% credits, 8% refunds. */
export function pickType(random: Random): TransactionType {
  const drawn = random.below(100)
  if (drawn < 88) return 'payment'
  return drawn < 92 ? 'credit' : 'refund'
}

const amount_max = 999_999_999_999

export function demoAmount(random: Random, median: number): number {
  const drawn = random.logNormal(median, 0.9)
  // Real prices are often round.
  const step = random.chance(0.5) ? 100 : random.chance(0.5) ? 10 : 1
  return Math.min(amount_max, Math.max(1, Math.round(drawn / step) * step))
}

// Formatting a month with Intl takes longer than the rest of a transaction.
const months =
  'January February March April May June July August September October November December'.split(' ')

export function demoReference(random: Random, type: TransactionType, at: Date): string | null {
  if (random.chance(0.1)) return null
  const year = at.getUTCFullYear()
  const number = 100 + random.below(900)
  if (type === 'credit') return random.pick([`Bank transfer ${year}-${number}`, 'Opening credit'])
  if (type === 'refund') return random.pick([`Goodwill ${year}-${number}`, `Return ${number}`])
  const month = months[at.getUTCMonth()]
  return random.pick([
    `Invoice ${year}-${number}`,
    `Invoice ${year}-${number}`,
    `Order ${10_000 + random.below(90_000)}`,
    `Order ${10_000 + random.below(90_000)}`,
    `Subscription ${month} ${year}`,
    `Booking ${number}, deposit`,
  ])
}

export function demoMetadata(random: Random): Metadata | null {
  if (random.chance(0.3)) return null
  const channel = random.pick(['web', 'web', 'app', 'phone', 'counter'])
  if (random.chance(0.5)) return { channel }
  return { channel, customer: `C-${1_000 + random.below(9_000)}`, items: 1 + random.below(5) }
}

export interface Ending {
  to: 'succeeded' | 'failed' | 'canceled'
  after_ms: number
}

const minute_ms = 60_000
const day_ms = 86_400_000

/** Most settle within minutes, some take days and may still be pending. */
export function demoEnding(random: Random): Ending {
  const to = random.chance(0.93) ? 'succeeded' : random.chance(0.65) ? 'failed' : 'canceled'
  const slow = random.chance(0.05)
  return { to, after_ms: Math.round(random.exponential(slow ? 2 * day_ms : 3 * minute_ms)) }
}

/** Moves a time towards the middle of its day, preserving the order of times. */
export function inBusinessHours(at_ms: number): number {
  const fraction = (at_ms % day_ms) / day_ms
  // Density is five times the average at noon, and a little over half the average at midnight.
  const moved = fraction + (0.8 * Math.sin(2 * Math.PI * fraction)) / (2 * Math.PI)
  return at_ms - (at_ms % day_ms) + Math.floor(moved * day_ms)
}
