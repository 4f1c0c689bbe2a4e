// Compares the requested periods with a simple model, for random sequences of pauses, suspensions
// and clock advances.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)

type ModelAction = { hours: number } | 'pause' | 'resume' | 'suspend' | 'activate'

class Model {
  /** The numbers of the requested days. */
  readonly requested = [0]
  #hour = 0
  #next = 1
  #paused = false
  #suspended = false

  apply(action: ModelAction): void {
    if (action === 'pause') this.#paused = true
    else if (action === 'resume') this.#resume()
    else if (action === 'suspend') this.#suspended = true
    else if (action === 'activate') this.#suspended = false
    else this.#advance(action.hours)
  }

  #resume(): void {
    if (this.#paused) this.#skip()
    this.#paused = false
  }

  #advance(hours: number): void {
    this.#hour += hours
    if (this.#paused) return
    if (this.#suspended) this.#skip()
    while (this.#next * 24 <= this.#hour) this.requested.push(this.#next++)
  }

  #skip(): void {
    this.#next = Math.max(this.#next, Math.floor(this.#hour / 24) + 1)
  }
}

// Half of the actions advance the clock.
const action: fc.Arbitrary<ModelAction> = fc.oneof(
  fc.constantFrom(6, 24, 30, 72).map((hours): ModelAction => ({ hours })),
  fc.constantFrom<ModelAction>('pause', 'resume', 'suspend', 'activate'),
)

const actions = fc.array(action, { minLength: 8, maxLength: 20 })

test('random sequences of pauses, suspensions and clock advances match the model', async () => {
  const property = fc.asyncProperty(actions, async (sequence) => {
    const shop = await fixtures.shop()
    const id = await fixtures.createSubscription(shop, { interval: 'day' })
    const model = new Model()
    for (const action of sequence) {
      model.apply(action)
      if (action === 'pause') await fixtures.patchSubscription(shop, id, { status: 'paused' })
      else if (action === 'resume') await fixtures.patchSubscription(shop, id, { status: 'active' })
      else if (action === 'suspend') await fixtures.setStatus(shop, 'suspended')
      else if (action === 'activate') await fixtures.setStatus(shop, 'active')
      else await fixtures.advance(action.hours * 3_600)
    }
    const numbers = (await fixtures.periods(id)).map(({ period }) => period)
    assert.deepEqual(numbers, model.requested)
    await fixtures.cancelSubscription(shop, id)
  })
  await fc.assert(property, { numRuns: process.env.FLORIN_LONG ? 100 : 12 })
})
