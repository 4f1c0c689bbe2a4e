// A server whose payers pay at the stand-in for Stripe, and the worker's checks of their checkouts.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { checkCheckoutsJob } from '../../src/payments/check-checkouts.ts'
import type { CheckoutRow } from '../../src/payments/checkout.ts'
import { PaymentLanes } from '../../src/payments/lanes.ts'
import { type ReceivedSnapshot, receiveSnapshot } from '../../src/payments/receive-snapshot.ts'
import { findUuid, newRealTimeUuid } from '../../src/primitives/ids.ts'
import { openProcessor, type Processor } from '../../src/processors/processor.ts'
import type { Provider } from '../../src/processors/provider.ts'
import type { ChargeRow } from '../../src/transactions/charge.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { type Florin, patient, startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Customer, hiddenFields, type PageResponse } from './customer.ts'
import { PaymentFixtures } from './payment-fixtures.ts'

export const stripe_env = {
  FLORIN_PROCESSOR: 'stripe',
  FLORIN_STRIPE_SECRET_KEY: 'sk_test_checkouts',
  FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_checkouts',
}

export interface Visit {
  shop: Shop
  /** `pay_…`. */
  id: string
  payer: Payer
}

interface ReceiveOptions {
  provider?: Provider
  late?: 'refund' | 'keep'
}

export class CheckoutFixtures extends PaymentFixtures {
  readonly fake: FakeStripe
  readonly processor: Processor
  /** Errors of the worker's checks, which it retries. */
  readonly errors: unknown[] = []

  static async open(env: Record<string, string> = {}): Promise<CheckoutFixtures> {
    const fake = await FakeStripe.start()
    const florin = await startFlorin({
      ...stripe_env,
      FLORIN_STRIPE_API_URL: fake.url,
      ...env,
    })
    after(() => fake.stop())
    const processor = await openProcessor(florin.config)
    return new CheckoutFixtures(florin, await florin.people.admin(), fake, processor)
  }

  constructor(
    florin: Florin,
    admin: PaymentFixtures['admin'],
    fake: FakeStripe,
    processor: Processor,
  ) {
    super(florin, admin)
    this.fake = fake
    this.processor = processor
  }

  get provider(): Provider {
    return this.processor.providers[0]!
  }

  /** A new request, and its payer. */
  async visit(body: object = {}, shop?: Shop): Promise<Visit> {
    const owner = shop ?? (await this.shop())
    const created = await this.createPayment(owner, body)
    assert.equal(created.status, 201, created.text)
    const { id, payment_url } = created.body
    return { shop: owner, id, payer: new Payer(this.florin.url, payment_url) }
  }

  /** A payer at the provider's page: returns the id of the checkout session. */
  async atStripe(visit: Visit): Promise<string> {
    const response = await visit.payer.choose()
    assert.equal(response.status, 303, response.text)
    return response.headers.get('location')!.split('/').at(-1)!
  }

  get parts() {
    const { db, config } = this.florin
    const has_providers = this.processor.providers.length > 0
    const payment_lanes = new PaymentLanes(db, config.public_url, { ...patient, has_providers })
    return { db, payment_lanes, late_payments: config.late_payments }
  }

  receive(
    session_id: string,
    { provider = this.provider, late = 'refund' }: ReceiveOptions = {},
  ): Promise<ReceivedSnapshot> {
    return receiveSnapshot({ ...this.parts, late_payments: late }, provider, session_id)
  }

  /** One round of the worker's job. */
  async check(): Promise<number> {
    const { providers } = this.processor
    const job = checkCheckoutsJob({ ...this.parts, providers }, (error) => this.errors.push(error))
    const slots = [...Array(16).keys()]
    const { done } = await job({ slots, signal: new AbortController().signal })
    return done
  }

  // In the past, because a stored time is rounded to milliseconds, also to the next one.
  /** Makes every checkout of the request due. */
  async makeDue(visit: Visit): Promise<void> {
    await this.florin.db.pool.query(
      `update checkouts set check_at = now() - interval '1 second'
       where payment_id = $1 and check_at is not null`,
      [findUuid('payment', visit.id)],
    )
  }

  /** Makes the checkouts of a request older, as far as their ids show. */
  async age(visit: Visit, minutes: number): Promise<void> {
    for (const { id } of await this.checkouts(visit)) {
      const older = newRealTimeUuid(Date.now() - minutes * 60_000)
      await this.florin.db.pool.query('update checkouts set id = $1 where id = $2', [older, id])
    }
  }

  /** The checkouts of a request, oldest first. */
  async checkouts(visit: Visit): Promise<CheckoutRow[]> {
    const text = 'select * from checkouts where payment_id = $1 order by id'
    const { rows } = await this.florin.db.pool.query(text, [findUuid('payment', visit.id)])
    return rows
  }

  /** The transactions of an account, oldest first. */
  async transactionsOf({ token }: Shop) {
    const { body } = await this.florin.call('GET', '/v1/transactions', { token })
    return body.data.toReversed()
  }

  async chargeOf(transaction_id: string): Promise<ChargeRow> {
    const text = 'select * from charges where transaction_id = $1'
    const { rows } = await this.florin.db.pool.query(text, [
      findUuid('transaction', transaction_id),
    ])
    assert.equal(rows.length, 1, `${transaction_id} has no charge`)
    return rows[0]
  }
}

/** A customer who pays on the provider's page. */
class Payer extends Customer {
  /** Opens the page and presses a provider's button. */
  async choose(
    provider = 'stripe',
    headers: Record<string, string> = {},
    query = '',
  ): Promise<PageResponse> {
    const page = await this.open()
    assert.equal(page.state, 'checkout', page.text)
    return this.submit(page, provider, headers, query)
  }

  submit(
    page: PageResponse,
    provider: string,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<PageResponse> {
    return this.send({ ...hiddenFields(page.text), provider }, headers, query)
  }
}
