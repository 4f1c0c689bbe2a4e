// Fixtures for tests of transactions: funded accounts, and helpers for requests.

import assert from 'node:assert/strict'
import pg from 'pg'
import { findUuid } from '../../src/primitives/ids.ts'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'
import { until } from '../support/until.ts'

/** The owner of an account, and the account's UUID in the database. */
export interface Shop extends Owner {
  uuid: string
}

type Call = Florin['call']

export class TransactionFixtures {
  readonly florin: Florin
  readonly admin: Person

  constructor(florin: Florin, admin: Person) {
    this.florin = florin
    this.admin = admin
  }

  /** A new account with this available balance. */
  async shop(available = 0): Promise<Shop> {
    const owner = await this.florin.people.owner()
    const shop = { ...owner, uuid: findUuid('account', owner.account_id)! }
    if (available > 0) await this.fund(shop, available)
    return shop
  }

  /** Creates a succeeded payment; returns its id. */
  async fund(shop: Shop, amount: number, more: object = {}): Promise<string> {
    const created = await this.create(shop, { amount, ...more })
    assert.equal(created.status, 201, created.text)
    const settled = await this.settle(created.body.id)
    assert.equal(settled.status, 200, settled.text)
    return created.body.id
  }

  /** Creates a payment of 100 by default. */
  create(shop: Shop, body: object = {}, options: CallOptions & { call?: Call } = {}) {
    const { call = this.florin.call, ...more } = options
    const whole = { account_id: shop.account_id, amount: 100, currency: 'USD', type: 'payment' }
    return call('POST', '/v1/transactions', {
      token: shop.token,
      body: { ...whole, ...body },
      ...more,
    })
  }

  /** Creates a pending transaction; returns its id. */
  async pending(shop: Shop, body: object = {}): Promise<string> {
    const created = await this.create(shop, body)
    assert.equal(created.status, 201, created.text)
    return created.body.id
  }

  refund(shop: Shop, amount: number, reference?: string, options = {}) {
    const link = reference === undefined ? {} : { reference }
    return this.create(shop, { type: 'refund', amount, ...link }, options)
  }

  settle(id: string, outcome: 'succeeded' | 'failed' = 'succeeded', options: CallOptions = {}) {
    const { token } = this.admin
    const path = `/v1/transactions/${id}/settle`
    return this.florin.call('POST', path, { token, body: { outcome }, ...options })
  }

  cancel(shop: Person, id: string, options: CallOptions = {}) {
    return this.florin.call('DELETE', `/v1/transactions/${id}`, { token: shop.token, ...options })
  }

  get(shop: Person, id: string) {
    return this.florin.call('GET', `/v1/transactions/${id}`, { token: shop.token })
  }

  patch(shop: Person, id: string, body: unknown, options: CallOptions = {}) {
    const { token } = shop
    return this.florin.call('PATCH', `/v1/transactions/${id}`, { token, body, ...options })
  }

  /** The balance row in the database. */
  async balance(shop: Shop): Promise<{ available: number; incoming: number; held: number }> {
    const text = 'select available, incoming, held from balances where account_id = $1'
    return (await this.florin.db.pool.query(text, [shop.uuid])).rows[0]
  }

  /** The number of stored transactions of this account. */
  async count(shop: Shop): Promise<number> {
    const text = 'select count(*)::int as n from transactions where account_id = $1'
    return (await this.florin.db.pool.query(text, [shop.uuid])).rows[0].n
  }
}

export async function openTransactionFixtures(florin: Florin): Promise<TransactionFixtures> {
  return new TransactionFixtures(florin, await florin.people.admin())
}

/** Holds the account's lock in a separate session, until the returned function is called. */
export async function holdLock(florin: Florin, shop: Shop): Promise<() => Promise<void>> {
  const holder = new pg.Client({ ...florin.connection })
  await holder.connect()
  await holder.query('begin')
  const text = 'select 1 from balances where account_id = $1 for update'
  const held = await holder.query(text, [shop.uuid])
  assert.equal(held.rowCount, 1, 'the account exists')
  return () => holder.end()
}

/** Locks all balances, so that every batch waits, until the returned function is called. */
export async function lockBalancesTable(florin: Florin): Promise<() => Promise<void>> {
  const holder = new pg.Client({ ...florin.connection })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table balances in exclusive mode')
  return () => holder.end()
}

/** Waits until `count` sessions of this database wait for a lock. */
export async function waitForWaiters(florin: Florin, count = 1): Promise<void> {
  const text = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await florin.db.pool.query(text)).rows[0].n >= count)
}

/** Counts the responses by status and error code. */
export function tally(responses: ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of responses) {
    const result = status < 300 ? String(status) : `${status} ${body.error}`
    counts[result] = (counts[result] ?? 0) + 1
  }
  return counts
}
