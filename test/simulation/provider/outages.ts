// Failures of the provider: requests and responses that are lost, 500s that stay for the life of an
// idempotency key, rate limits, and times in which nothing responds.

import { setTimeout as sleep } from 'node:timers/promises'
import type { StripeFault } from '../../support/fake-stripe.ts'
import type { ProviderParts } from './open-provider.ts'

const paths = ['/v1/refunds', '/v1/checkout/sessions', '/v1/events', '/v1/disputes']

// A lost response is the most dangerous fault, a frozen 500 the most persistent.
const kinds: StripeFault[] = [
  ...Array<StripeFault>(6).fill('lose_response'),
  ...Array<StripeFault>(3).fill('lose_request'),
  ...Array<StripeFault>(2).fill('rate_limit'),
  'freeze_500',
]

const every_ms = { min: 100, jitter: 500 }
const down_chance = 0.08
const down_ms = { min: 200, jitter: 2_000 }
const max_burst = 3

/** Resolves when the provider is healthy again. */
export async function runOutages(parts: ProviderParts): Promise<void> {
  const { recorder, until_ms, provider } = parts
  const { fake } = provider
  const random = parts.randomOf('outages')
  while (recorder.now() < until_ms) {
    const path = random.pick(paths)
    const burst = Array.from({ length: 1 + random.below(max_burst) }, () => random.pick(kinds))
    const pending = fake.faults.get(path) ?? []
    // Refunds are rare: with many faults in line, none would ever get through.
    if (pending.length < max_burst) fake.faults.set(path, [...pending, ...burst])
    if (random.chance(down_chance)) {
      const begun_ms = recorder.now()
      fake.is_down = true
      await sleep(down_ms.min + random.below(down_ms.jitter))
      fake.is_down = false
      const healed_ms = recorder.now()
      recorder.add({ kind: 'fault', name: 'provider-down', begun_ms, healed_ms })
    }
    await sleep(every_ms.min + random.below(every_ms.jitter))
  }
  fake.faults.clear()
}
