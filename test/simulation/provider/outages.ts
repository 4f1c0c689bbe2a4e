// Failures of the provider: requests and responses that are lost, 500s that stay for the life of an
// idempotency key, rate limits, and times in which nothing responds.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import type { StripeFault } from '../../support/fake-stripe-server.ts'
import type { ProviderParts } from './open-provider.ts'

// Mostly calls that change something: a lost response is dangerous there.
const paths = [
  'POST /v1/refunds',
  'POST /v1/refunds',
  'POST /v1/checkout/sessions',
  'GET /v1/checkout/sessions',
  'GET /v1/refunds',
  'GET /v1/disputes',
  'GET /v1/events',
]

// A lost response is the most dangerous fault, a frozen 500 the most persistent.
const kinds: StripeFault[] = [
  ...Array<StripeFault>(6).fill('bad_gateway'),
  ...Array<StripeFault>(2).fill('lose_response'),
  ...Array<StripeFault>(3).fill('lose_request'),
  ...Array<StripeFault>(2).fill('rate_limit'),
  'freeze_500',
]

const every_ms = { min: 150, jitter: 500 }
// Fewer in a row than open Florin's circuit breaker.
const max_burst = 2

// One outage of everything in each run. It opens the circuit breaker, so more would leave no time
// in which payers can pay.
const down_ms = { min: 300, jitter: 2_000 }

/** Resolves when the provider is healthy again. */
export async function runOutages(parts: ProviderParts): Promise<void> {
  const random = parts.randomOf('outages')
  await Promise.all([loseSome(parts, random), goDown(parts, random)])
  parts.provider.fake.faults.clear()
}

async function loseSome({ recorder, until_ms, provider }: ProviderParts, random: Random) {
  const { faults } = provider.fake
  while (recorder.now() < until_ms) {
    const path = random.pick(paths)
    const pending = faults.get(path) ?? []
    // Refunds are rare: with many faults in line, none would ever get through.
    const count = Math.min(1 + random.below(max_burst), max_burst - pending.length)
    const burst = Array.from({ length: count }, () => random.pick(kinds))
    faults.set(path, [...pending, ...burst])
    await sleep(every_ms.min + random.below(every_ms.jitter))
  }
}

async function goDown({ recorder, until_ms, provider }: ProviderParts, random: Random) {
  const left_ms = until_ms - recorder.now()
  await sleep(left_ms * (0.5 + 0.4 * random.fraction()))
  const begun_ms = recorder.now()
  provider.fake.is_down = true
  await sleep(down_ms.min + random.below(down_ms.jitter))
  provider.fake.is_down = false
  recorder.add({ kind: 'fault', name: 'provider-down', begun_ms, healed_ms: recorder.now() })
}
