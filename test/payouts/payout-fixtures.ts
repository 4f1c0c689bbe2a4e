// Fixtures for tests of payouts: accounts with a balance and a destination.

import assert from 'node:assert/strict'
import type { Payout } from '../../src/payouts/payout.ts'
import type { CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { type Shop, TransactionFixtures } from '../transactions/transaction-fixtures.ts'

// The example of the IBAN registry.
export const iban = 'DE89370400440532013000'
export const other_iban = 'GB29NWBK60161331926819'
export const debtor = { name: 'Florin Operations', iban: 'FR1420041010050500013M02606' }

export class PayoutFixtures extends TransactionFixtures {
  setDestination(shop: Person, body: object = {}, options: CallOptions = {}) {
    return this.florin.call('PATCH', '/v1/account/payout_destination', {
      token: shop.token,
      body: { name: 'Acme Ltd', iban, ...body },
      ...options,
    })
  }

  setLimit(shop: Shop, approval_limit: number | null, options: CallOptions = {}) {
    return this.florin.call('PATCH', '/v1/account/payout_limit', {
      token: this.admin.token,
      headers: { 'florin-account': shop.account_id },
      body: { approval_limit },
      ...options,
    })
  }

  payOut(shop: Person, amount: number, options: CallOptions = {}) {
    return this.florin.call('POST', '/v1/payouts', {
      token: shop.token,
      body: { amount },
      ...options,
    })
  }

  change(who: Person, id: string, verb: string, body: object = {}, options: CallOptions = {}) {
    const path = `/v1/payouts/${id}/${verb}`
    return this.florin.call('POST', path, { token: who.token, body, ...options })
  }

  export(who: Person = this.admin, body: object = {}, options: CallOptions = {}) {
    return this.florin.call('POST', '/v1/payout_exports', {
      token: who.token,
      body: { currency: 'USD', debtor, ...body },
      ...options,
    })
  }

  /** A new account with a destination. */
  async payable(available = 1_000): Promise<Shop> {
    const shop = await this.shop(available)
    const changed = await this.setDestination(shop)
    assert.equal(changed.status, 200, changed.text)
    return shop
  }

  /** A payout that waits for approval, because none to its destination was approved. */
  async created(shop: Person, amount = 100): Promise<Payout> {
    const created = await this.payOut(shop, amount)
    assert.equal(created.status, 201, created.text)
    return created.body
  }

  async approved(shop: Person, amount = 100): Promise<Payout> {
    const payout = await this.created(shop, amount)
    if (payout.status === 'approved') return payout
    return this.#ok(await this.change(this.admin, payout.id, 'approve'))
  }

  /** Exports all approved payouts of the database. */
  async inTransit(shop: Person, amount = 100): Promise<Payout> {
    const { id } = await this.approved(shop, amount)
    const exported = await this.export()
    assert.equal(exported.status, 201, exported.text)
    return (await this.read(shop, id)).body
  }

  async paid(shop: Person, amount = 100): Promise<Payout> {
    const { id } = await this.inTransit(shop, amount)
    return this.#ok(await this.change(this.admin, id, 'resolve', { status: 'paid' }))
  }

  read(who: Person, id: string) {
    return this.florin.call('GET', `/v1/payouts/${id}`, { token: who.token })
  }

  /** [available, held] of the account. */
  async funds(shop: Shop): Promise<[number, number]> {
    const { available, held } = await this.balance(shop)
    return [Number(available), Number(held)]
  }

  #ok({ status, text, body }: { status: number; text: string; body: Payout }): Payout {
    assert.equal(status, 200, text)
    return body
  }
}

export async function openPayoutFixtures(florin: Florin): Promise<PayoutFixtures> {
  return new PayoutFixtures(florin, await florin.people.admin())
}
