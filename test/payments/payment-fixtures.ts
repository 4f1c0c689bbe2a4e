// Fixtures for tests of payment requests.

import assert from 'node:assert/strict'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { type Shop, TransactionFixtures } from '../transactions/transaction-fixtures.ts'

type Call = Florin['call']

export class PaymentFixtures extends TransactionFixtures {
  /** Creates a request over 100 by default. */
  createPayment(shop: Shop, body: object = {}, options: CallOptions & { call?: Call } = {}) {
    const { call = this.florin.call, ...more } = options
    const whole = {
      account_id: shop.account_id,
      amount: 100,
      currency: 'USD',
      customer_email: 'customer@example.com',
    }
    return call('POST', '/v1/payments', { token: shop.token, body: { ...whole, ...body }, ...more })
  }

  /** Creates a pending request; returns its id. */
  async request(shop: Shop, body: object = {}): Promise<string> {
    const created = await this.createPayment(shop, body)
    assert.equal(created.status, 201, created.text)
    return created.body.id
  }

  getPayment(who: Person, id: string) {
    return this.florin.call('GET', `/v1/payments/${id}`, { token: who.token })
  }

  status(who: Person, id: string) {
    return this.florin.call('GET', `/v1/payments/${id}/status`, { token: who.token })
  }

  attempts(who: Person, id: string) {
    return this.florin.call('GET', `/v1/payments/${id}/attempts`, { token: who.token })
  }

  cancelPayment(who: Person, id: string, options: CallOptions & { call?: Call } = {}) {
    return this.#change(who, id, 'cancel', options)
  }

  resend(who: Person, id: string, options: CallOptions & { call?: Call } = {}) {
    return this.#change(who, id, 'send', options)
  }

  settlePayment(
    id: string,
    outcome: 'succeeded' | 'failed' = 'succeeded',
    options: CallOptions & { call?: Call } = {},
  ) {
    return this.#change(this.admin, id, 'settle', { body: { outcome }, ...options })
  }

  #change(who: Person, id: string, verb: string, options: CallOptions & { call?: Call }) {
    const { call = this.florin.call, ...more } = options
    return call('POST', `/v1/payments/${id}/${verb}`, { token: who.token, ...more })
  }

  async list(who: Person, query = ''): Promise<ApiResponse> {
    return this.florin.call('GET', `/v1/payments${query}`, { token: who.token })
  }

  /** The types of the account's events, in order. */
  async eventTypes(shop: Shop, like = '%'): Promise<string[]> {
    const text = 'select type from events where account_id = $1 and type like $2 order by sequence'
    const { rows } = await this.florin.db.pool.query(text, [shop.uuid, like])
    return rows.map(({ type }) => type)
  }
}

export async function openPaymentFixtures(florin: Florin): Promise<PaymentFixtures> {
  return new PaymentFixtures(florin, await florin.people.admin())
}

export const createdKeys = [
  'account_id',
  'amount',
  'created_at',
  'currency',
  'customer_email',
  'id',
  'metadata',
  'payment_url',
  'reference',
  'status',
]

export const optionKeys = ['message', 'payment_link_id', 'reminder_at', 'reminder_days', 'sends']

export const wholeKeys = [
  ...createdKeys,
  'expires_at',
  'refunded_amount',
  'transaction_id',
  'updated_at',
].sort()
