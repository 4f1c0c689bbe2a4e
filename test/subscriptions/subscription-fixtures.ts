// Fixtures for tests of subscriptions.

import assert from 'node:assert/strict'
import { moveClock, readTime } from '../../src/postgres/clock.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { PaymentFixtures } from '../payments/payment-fixtures.ts'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

export const day_s = 86_400

type Options = CallOptions & { call?: Florin['call'] }

export class SubscriptionFixtures extends PaymentFixtures {
  /** Creates a monthly subscription over 100 by default. */
  subscribe(who: Person, body: object = {}, options: Options = {}): Promise<ApiResponse> {
    const { call = this.florin.call, ...more } = options
    const whole = {
      customer_email: 'customer@example.com',
      amount: 100,
      currency: 'USD',
      interval: 'month',
    }
    return call('POST', '/v1/subscriptions', {
      token: who.token,
      body: { ...whole, ...body },
      ...more,
    })
  }

  /** Creates a subscription; returns its id. */
  async createSubscription(who: Person, body: object = {}): Promise<string> {
    const created = await this.subscribe(who, body)
    assert.equal(created.status, 201, created.text)
    return created.body.id
  }

  getSubscription(who: Person, id: string, options: Options = {}) {
    return this.#about('GET', who, id, options)
  }

  patchSubscription(who: Person, id: string, body: object, options: Options = {}) {
    return this.#about('PATCH', who, id, { body, ...options })
  }

  cancelSubscription(who: Person, id: string, options: Options = {}) {
    return this.#about('DELETE', who, id, options)
  }

  #about(method: string, who: Person, id: string, options: Options) {
    const { call = this.florin.call, ...more } = options
    return call(method, `/v1/subscriptions/${id}`, { token: who.token, ...more })
  }

  listSubscriptions(who: Person, query = '', options: CallOptions = {}): Promise<ApiResponse> {
    return this.florin.call('GET', `/v1/subscriptions${query}`, { token: who.token, ...options })
  }

  async setSettings(shop: Shop, settings: object): Promise<void> {
    const { token } = shop
    const response = await this.florin.call('PATCH', '/v1/account', { token, body: { settings } })
    assert.equal(response.status, 200, response.text)
  }

  async setStatus(shop: Shop, status: 'active' | 'suspended' | 'pending'): Promise<void> {
    const { token } = this.admin
    const path = `/v1/accounts/${shop.account_id}`
    const response = await this.florin.call('PATCH', path, { token, body: { status } })
    assert.equal(response.status, 200, response.text)
  }

  /** Advances the clock through the API, which completes due work before it returns. */
  async advance(seconds: number): Promise<void> {
    const { token } = this.admin
    const path = '/v1/sandbox/clock/advance'
    const response = await this.florin.call('POST', path, { token, body: { seconds } })
    assert.equal(response.status, 200, response.text)
  }

  /** Sets the clock to this time, without doing due work. */
  async waitUntil(time: string): Promise<void> {
    const by_ms = new Date(time).getTime() - (await readTime(this.florin.db)).getTime()
    assert.ok(by_ms >= 0, `it is past ${time}`)
    await this.florin.db.transaction((tx) => moveClock(tx, by_ms))
  }

  /** Sets the clock to this time and completes due work. */
  async advanceTo(time: string): Promise<void> {
    await this.waitUntil(time)
    await this.advance(1)
  }

  /** The requested periods. */
  async periods(id: string): Promise<{ period: number; starts_at: Date; payment_id: string }[]> {
    const text = `select period, starts_at, payment_id from subscription_periods
      where subscription_id = $1 order by period`
    return (await this.florin.db.pool.query(text, [findUuid('subscription', id)])).rows
  }

  /** Asserts that the first `count` periods were requested once each, with separate requests. */
  async assertRequestedOnce(id: string, count: number): Promise<void> {
    const periods = await this.periods(id)
    const numbers = periods.map(({ period }) => period)
    assert.deepEqual(numbers, [...Array(count).keys()])
    assert.equal(new Set(periods.map(({ payment_id }) => payment_id)).size, count)
  }

  /** Creates `each` daily subscriptions for each shop; returns their ids. */
  createDaily(shops: Shop[], each: number): Promise<string[]> {
    const created = shops.flatMap((shop) =>
      Array.from({ length: each }, () => this.createSubscription(shop, { interval: 'day' })),
    )
    return Promise.all(created)
  }

  async cancelAll(shops: Shop[]): Promise<void> {
    for (const shop of shops) {
      const { body } = await this.listSubscriptions(shop, '?status=active&limit=100')
      await Promise.all(
        body.data.map(({ id }: { id: string }) => this.cancelSubscription(shop, id)),
      )
    }
  }

  /** The payment requests with this subscription in their metadata, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect responses of every shape.
  async requests(shop: Shop, id: string): Promise<any[]> {
    const { body } = await this.list(shop, '?limit=100')
    return body.data
      .filter(({ metadata }: { metadata: object }) => Object.values(metadata).includes(id))
      .reverse()
  }
}

export async function openSubscriptionFixtures(florin: Florin): Promise<SubscriptionFixtures> {
  return new SubscriptionFixtures(florin, await florin.people.admin())
}

export const subscriptionKeys = [
  'account_id',
  'amount',
  'created_at',
  'currency',
  'customer_email',
  'id',
  'interval',
  'interval_count',
  'metadata',
  'next_at',
  'reference',
  'status',
  'updated_at',
]
