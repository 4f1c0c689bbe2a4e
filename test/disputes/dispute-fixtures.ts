// Fixtures for tests of disputes: payments by the sandbox card whose charge is disputed.

import assert from 'node:assert/strict'
import { findAccounts } from '../../src/accounts/find-accounts.ts'
import { applyDisputes } from '../../src/disputes/apply-disputes.ts'
import type { Dispute } from '../../src/disputes/dispute.ts'
import { DisputeSet, loadDisputes, writeDisputes } from '../../src/disputes/dispute-set.ts'
import { writeChanges } from '../../src/lanes/define-lane.ts'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import { lockAccountIfExists } from '../../src/ledger/account-lock.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import type { ProviderDispute } from '../../src/processors/provider.ts'
import { findCharges } from '../../src/transactions/charges.ts'
import { writeTransactions } from '../../src/transactions/lanes.ts'
import { TransactionSet } from '../../src/transactions/transaction-set.ts'
import { attemptOf, Payers } from '../payments/payers.ts'
import { PaymentFixtures } from '../payments/payment-fixtures.ts'
import type { CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

export class DisputeFixtures extends PaymentFixtures {
  readonly #payers: Payers

  constructor(florin: Florin, admin: Person) {
    super(florin, admin)
    this.#payers = new Payers(florin.db)
  }

  /** Pays a request with a card whose charge is disputed, and returns the dispute. */
  async dispute(shop: Pick<Shop, 'account_id' | 'token'>, amount = 100): Promise<Dispute> {
    const paying = { ...shop, uuid: findUuid('account', shop.account_id)! } as Shop
    const id = await this.request(paying, { amount })
    const entry = attemptOf(paying, id, true)
    Object.assign(entry.command, { is_disputed: true })
    await this.#payers.lanes.submit(entry)
    const options = { token: this.admin.token, headers: { 'florin-account': shop.account_id } }
    const { body } = await this.florin.call('GET', '/v1/disputes?limit=1', options)
    assert.equal(body.data[0]?.amount, amount, JSON.stringify(body))
    return body.data[0]
  }

  /** Applies what a provider reports about the charge of a payment. */
  async apply(shop: Shop, transaction_id: string, disputes: ProviderDispute[]): Promise<void> {
    const account_id = shop.uuid
    const id = findUuid('transaction', transaction_id)!
    await this.florin.db.transaction(async (tx) => {
      const lock = (await lockAccountIfExists(tx, account_id))!
      const charges = await findCharges(tx, [{ account_id, id }])
      const rows = await loadDisputes(tx, [{ account_id, transaction_id: id }])
      const accounts = await findAccounts(tx, [account_id])
      const money = new LockedAccounts(tx.now, [lock])
      const transactions = new TransactionSet(money, { charges })
      const set = new DisputeSet(transactions, new Map([[account_id, accounts[0]!]]), rows)
      applyDisputes(set, lock, charges[0]!, disputes)
      writeChanges(tx, set, (inside, all) => {
        writeTransactions(inside, all.transactions)
        writeDisputes(inside, all)
      })
    })
  }

  getDispute(who: Person, id: string) {
    return this.florin.call('GET', `/v1/disputes/${id}`, { token: who.token })
  }

  resolve(who: Person, id: string, status: string, options: CallOptions = {}) {
    const path = `/v1/disputes/${id}/resolve`
    return this.florin.call('POST', path, { token: who.token, body: { status }, ...options })
  }

  /** [available, owed] of the account. */
  async funds(shop: Person): Promise<[number, number]> {
    const { body } = await this.florin.call('GET', '/v1/account/balance', { token: shop.token })
    return [body.available, body.owed]
  }
}

export async function openDisputeFixtures(florin: Florin): Promise<DisputeFixtures> {
  return new DisputeFixtures(florin, await florin.people.admin())
}

export const disputeKeys = [
  'account_id',
  'amount',
  'created_at',
  'currency',
  'due_at',
  'evidence_url',
  'id',
  'provider',
  'provider_dispute_id',
  'reason',
  'status',
  'transaction_id',
  'updated_at',
]
