// Payments that the stand-in for Stripe has charged, and the worker's job that refunds them.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { writeChanges } from '../../src/lanes/define-lane.ts'
import type { CommandResult } from '../../src/lanes/lane-entry.ts'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import { closedAtOf } from '../../src/ledger/closings.ts'
import { lockBalances } from '../../src/ledger/write-ledger.ts'
import { paymentRequests } from '../../src/payments/refunds.ts'
import type { Tx } from '../../src/postgres/database.ts'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { Provider, Snapshot } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { applyClosings } from '../../src/transactions/apply-closings.ts'
import { applyFee, applyRefunds, loadCharges } from '../../src/transactions/charges.ts'
import {
  type TransactionEntry,
  TransactionLanes,
  writeTransactions,
} from '../../src/transactions/lanes.ts'
import { submitRefundsJob } from '../../src/transactions/submit-refunds.ts'
import { TransactionSet } from '../../src/transactions/transaction-set.ts'
import { PaymentFixtures } from '../payments/payment-fixtures.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { type Florin, patient } from '../support/florin.ts'
import type { Shop } from './transaction-fixtures.ts'

interface ChargedPayment {
  shop: Shop
  /** `txn_…`. */
  id: string
  /** The checkout session and the charge at Stripe. */
  session_id: string
  charge_id: string
}

const all_slots = [...Array(16).keys()]

export class StripeCharges extends PaymentFixtures {
  readonly fake: FakeStripe
  provider: Provider
  /** Errors of the job, which it retries. */
  readonly errors: unknown[] = []

  static async open(florin: Florin): Promise<StripeCharges> {
    const fake = await FakeStripe.start()
    after(() => fake.stop())
    return new StripeCharges(florin, await florin.people.admin(), fake)
  }

  constructor(florin: Florin, admin: PaymentFixtures['admin'], fake: FakeStripe) {
    super(florin, admin)
    this.fake = fake
    const secret_key = 'sk_test_123'
    this.provider = openStripe({ secret_key, webhook_secrets: ['whsec_1'], api_url: fake.url })
  }

  /** A paid payment request whose money is at Stripe. */
  async paid(shop: Shop, amount: number): Promise<ChargedPayment> {
    const request_id = await this.request(shop, { amount })
    const settled = await this.settlePayment(request_id)
    assert.equal(settled.status, 200, settled.text)
    const { provider_id } = await this.provider.createCheckout(checkoutOf(shop, amount))
    const charge = this.fake.pay(provider_id)!
    const payment = {
      shop,
      id: settled.body.transaction_id as string,
      session_id: provider_id,
      charge_id: charge.id,
    }
    await this.#record(payment, amount)
    return payment
  }

  async #record({ shop, id, session_id, charge_id }: ChargedPayment, amount: number) {
    await this.#change(shop, (_, locked) => {
      const set = new TransactionSet(locked)
      set.insertCharge({
        account_id: shop.uuid,
        transaction_id: findUuid('transaction', id)!,
        provider: 'stripe',
        charge_id,
        checkout_id: null,
        provider_id: session_id,
        amount,
        fee: null,
        is_disputed: false,
        is_late: false,
        card_brand: null,
        card_last4: null,
      })
      return Promise.resolve(set)
    })
  }

  /** Fetches what Stripe knows and applies it, as a webhook does. */
  async apply(payment: ChargedPayment): Promise<void> {
    await this.applySnapshot(payment, (await this.provider.fetchSnapshot(payment.session_id))!)
  }

  async applySnapshot({ shop, charge_id }: ChargedPayment, snapshot: Snapshot): Promise<void> {
    await this.#change(shop, async (tx, locked) => {
      const key = { account_id: shop.uuid, provider: 'stripe', charge_id } as const
      const loaded = await loadCharges(tx, [key])
      const rows = applyClosings(loaded.rows, closedAtOf(locked.locks.values()))
      const payments = rows.filter(({ type }) => type === 'payment')
      const { prepareRefundEmails } = paymentRequests(this.florin.config.public_url)
      const queueRefundEmails = await prepareRefundEmails(tx, payments)
      const set = new TransactionSet(locked, { ...loaded, rows, queueRefundEmails })
      const lock = locked.locks.get(shop.uuid)!
      const [charge] = set.charges.values()
      applyFee(set, lock, charge!, snapshot.charge!.fee)
      applyRefunds(set, lock, charge!, snapshot.refunds)
      return set
    })
  }

  /** Marks the payment as disputed, or not. */
  async setDisputed({ shop, charge_id }: ChargedPayment, is_disputed: boolean): Promise<void> {
    await this.#change(shop, async (tx, locked) => {
      const key = { account_id: shop.uuid, provider: 'stripe', charge_id } as const
      const set = new TransactionSet(locked, await loadCharges(tx, [key]))
      for (const charge of set.charges.values()) set.changeCharge(charge, { is_disputed })
      return set
    })
  }

  #change(shop: Shop, decide: (tx: Tx, locked: LockedAccounts) => Promise<TransactionSet>) {
    return this.florin.db.transaction(async (tx) => {
      const locked = new LockedAccounts(tx.now, await lockBalances(tx, [shop.uuid]))
      writeChanges(tx, await decide(tx, locked), writeTransactions)
    })
  }

  /** One round of the worker; returns the number of refunds that it handled. */
  async submitRefunds(afterSubmit = () => {}): Promise<number> {
    const { db, config } = this.florin
    const lanes = new ObservedLanes(db, patient, paymentRequests(config.public_url))
    lanes.afterSubmit = afterSubmit
    const parts = { db, lanes, providers: [this.provider] }
    this.errors.length = 0
    const run = submitRefundsJob(parts, (error) => this.errors.push(error))
    const { signal } = new AbortController()
    return (await run({ slots: all_slots, signal })).done
  }

  /** The requests that created refunds, by their idempotency key. */
  refundKeys(): (string | undefined)[] {
    return this.fake.requests
      .filter(({ method, path }) => method === 'POST' && path === '/v1/refunds')
      .map(({ idempotency_key }) => idempotency_key)
  }

  charge(shop: Shop, id: string) {
    return this.florin.call('GET', `/v1/transactions/${id}/charge`, { token: shop.token })
  }

  async buckets(shop: Shop) {
    const text = 'select available, incoming, held, owed from balances where account_id = $1'
    return (await this.florin.db.pool.query(text, [shop.uuid])).rows[0]
  }

  /** The transactions of this account that are not payments, oldest first. */
  async others(shop: Shop) {
    const text = `select type, status, amount from transactions
      where account_id = $1 and type <> 'payment' order by id`
    return (await this.florin.db.pool.query(text, [shop.uuid])).rows.map(
      ({ type, status, amount }) => `${status} ${type} of ${amount}`,
    )
  }
}

class ObservedLanes extends TransactionLanes {
  afterSubmit = () => {}

  override async submit(entry: TransactionEntry): Promise<CommandResult> {
    const result = await super.submit(entry)
    if (entry.command.kind === 'submit') this.afterSubmit()
    return result
  }
}

function checkoutOf(shop: Shop, amount: number) {
  return {
    account_id: shop.account_id,
    id: toTypeId('checkout', newUuid(Date.now())),
    amount,
    currency: 'USD',
    description: 'Invoice 7',
    payer_email: null,
    language: 'en',
    success_url: 'https://pay.example/pay/x?returned=1',
    cancel_url: 'https://pay.example/pay/x',
    public_url: 'https://pay.example',
    expires_at: new Date(Date.now() + 3_600_000),
  }
}
