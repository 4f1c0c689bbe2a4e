// Fixtures for tests of transfers: funded accounts, transfers, and a worker that can crash.

import assert from 'node:assert/strict'
import { readTime } from '../../src/postgres/clock.ts'
import type { Db } from '../../src/postgres/database.ts'
import { completeAllTransfers } from '../../src/transfers/complete-transfers.ts'
import type { Transfer } from '../../src/transfers/transfer.ts'
import type { CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { type Shop, TransactionFixtures } from '../transactions/transaction-fixtures.ts'

type Target = Pick<Shop, 'account_id'>

export class TransferFixtures extends TransactionFixtures {
  /** Sends the request as the owner of the source. */
  send(from: Shop, to: Target, amount: number, more: object = {}, options: CallOptions = {}) {
    const body = { to_account_id: to.account_id, amount, currency: 'USD', ...more }
    return this.florin.call('POST', '/v1/transfers', { token: from.token, body, ...options })
  }

  /** The same as an admin, who may choose the fee. */
  sendAsAdmin(from: Shop, to: Target, amount: number, more: object = {}) {
    return this.send(from, to, amount, more, {
      token: this.admin.token,
      headers: { 'florin-account': from.account_id },
    })
  }

  /** The body of a request for a transfer to a new account, from an account with funds for it. */
  async newTransfer(from: Owner): Promise<object> {
    await this.fund({ ...from, uuid: '' }, 50)
    const { account_id: to_account_id } = await this.florin.people.owner()
    return { to_account_id, amount: 50, currency: 'USD' }
  }

  /** The body of a request that sets a fee. */
  async newFee(): Promise<object> {
    return { fee_account_id: (await this.florin.people.owner()).account_id, basis_points: 100 }
  }

  /** Creates a transfer that is in transit. */
  async transfer(from: Shop, to: Target, amount: number, more: object = {}): Promise<Transfer> {
    const made = await this.sendAsAdmin(from, to, amount, more)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  async getTransfer(who: Shop, id: string) {
    return (await this.florin.call('GET', `/v1/transfers/${id}`, { token: who.token })).body
  }

  async complete(db: Db = this.florin.db): Promise<void> {
    await completeAllTransfers(db, await readTime(this.florin.db), 20_000)
  }

  /** The available balances of these accounts. */
  async available(...shops: Shop[]): Promise<number[]> {
    return Promise.all(shops.map(async (shop) => (await this.balance(shop)).available))
  }

  /** All money of these accounts, including what they have in transit to each other. */
  async total(shops: Shop[]): Promise<number> {
    const { rows } = await this.florin.db.pool.query(
      `select (select sum(available - owed) from balances where account_id = any($1)) + (
         select coalesce(sum(sent.amount - coalesce(received.amount, 0)), 0)
         from transfers as sent
         left join (
           select id,
             sum(case side when 'in' then amount - fee_amount else fee_amount end) as amount
           from transfers where side <> 'out' and status = 'completed'
           group by id) as received using (id)
         where side = 'out' and status = 'in_transit' and account_id = any($1)) as total`,
      [shops.map(({ uuid }) => uuid)],
    )
    return Number(rows[0].total)
  }

  close(shop: Shop) {
    return this.florin.call('DELETE', '/v1/account', { token: shop.token })
  }

  async setStatus(shop: Shop, status: 'active' | 'suspended'): Promise<void> {
    const path = `/v1/accounts/${shop.account_id}`
    const options = { token: this.admin.token, body: { status } }
    assert.equal((await this.florin.call('PATCH', path, options)).status, 200)
  }
}

export async function openTransferFixtures(florin: Florin): Promise<TransferFixtures> {
  return new TransferFixtures(florin, await florin.people.admin())
}

/** The database of a process that dies after this many committed transactions. */
export function crashingDb(db: Db, commits: number): Db {
  let left = commits
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return async (change: Parameters<Db['transaction']>[0]) => {
        if (left === 0) throw new Error('the process has crashed')
        left -= 1
        return target.transaction(change)
      }
    },
  })
}
