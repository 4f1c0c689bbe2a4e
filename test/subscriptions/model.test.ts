// Pauses, suspensions and passing time in any order ask for the periods that a few lines of plain
// counting say, and for no others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startFlorin } from '../support/florin.ts'
import { openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const plans = await openSubscriptionFixtures(florin)

type Step = { hours: number } | 'pause' | 'resume' | 'suspend' | 'activate'

class Model {
  /** The numbers of the days that were asked for. */
  readonly asked = [0]
  #hour = 0
  #next = 1
  #paused = false
  #suspended = false

  take(step: Step): void {
    if (step === 'pause') this.#paused = true
    else if (step === 'resume') this.#resume()
    else if (step === 'suspend') this.#suspended = true
    else if (step === 'activate') this.#suspended = false
    else this.#pass(step.hours)
  }

  #resume(): void {
    if (this.#paused) this.#leaveOut()
    this.#paused = false
  }

  #pass(hours: number): void {
    this.#hour += hours
    if (this.#paused) return
    if (this.#suspended) this.#leaveOut()
    while (this.#next * 24 <= this.#hour) this.asked.push(this.#next++)
  }

  #leaveOut(): void {
    this.#next = Math.max(this.#next, Math.floor(this.#hour / 24) + 1)
  }
}

// Time passes half of the time.
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom(6, 24, 30, 72).map((hours): Step => ({ hours })),
  fc.constantFrom<Step>('pause', 'resume', 'suspend', 'activate'),
)

const steps = fc.array(step, { minLength: 8, maxLength: 20 })

test('any order of pauses, suspensions and time asks for what plain counting says', async () => {
  const property = fc.asyncProperty(steps, async (taken) => {
    const shop = await plans.shop()
    const id = await plans.createSubscription(shop, { interval: 'day' })
    const model = new Model()
    for (const step of taken) {
      model.take(step)
      if (step === 'pause') await plans.patchSubscription(shop, id, { status: 'paused' })
      else if (step === 'resume') await plans.patchSubscription(shop, id, { status: 'active' })
      else if (step === 'suspend') await plans.setStatus(shop, 'suspended')
      else if (step === 'activate') await plans.setStatus(shop, 'active')
      else await plans.advance(step.hours * 3_600)
    }
    const numbers = (await plans.periods(id)).map(({ period }) => period)
    assert.deepEqual(numbers, model.asked)
    await plans.cancelSubscription(shop, id)
  })
  await fc.assert(property, { numRuns: 25 })
})
