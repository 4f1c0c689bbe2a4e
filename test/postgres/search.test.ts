// Concurrent searches never occupy all database clients.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

interface Search {
  path: string
  /** The table that the test locks, so that the search waits. */
  table: string
  at_once?: number
  who?: 'admin'
}

const searches: Search[] = [
  { path: '/v1/events?type=account.closed', table: 'events' },
  { path: '/v1/account/statement', table: 'postings' },
  // An account downloads five files at once; the sixth is rejected.
  { path: '/v1/account/statement?format=csv', table: 'postings', at_once: 5 },
  { path: '/v1/transactions?type=payment&status=succeeded', table: 'transactions' },
  { path: '/v1/transactions?type=refund', table: 'transactions', who: 'admin' },
  { path: '/v1/users?search=ann', table: 'users', who: 'admin' },
  { path: '/v1/accounts?search=ann', table: 'accounts', who: 'admin' },
]

for (const { path, table, who, at_once = 40 } of searches) {
  test(`serves other reads while ${at_once} requests of GET ${path} are blocked`, async () => {
    const searcher = who === 'admin' ? await florin.people.admin() : await florin.people.owner()
    const other = await florin.people.owner()
    const blocker = await florin.db.pool.connect()
    let ended = 0
    try {
      await blocker.query(`begin; lock table ${table} in access exclusive mode`)
      const responses = Array.from({ length: at_once }, async () => {
        const { status } = await florin.call('GET', path, { token: searcher.token })
        ended += 1
        return status
      })
      const read = await florin.call('GET', '/v1/auth/sessions', { token: other.token })
      assert.deepEqual([read.status, ended], [200, 0])
      await blocker.query('rollback')
      const statuses = new Set(await Promise.all(responses))
      assert.ok(statuses.isSubsetOf(new Set([200, 503])), `${[...statuses]}`)
      assert.ok(statuses.has(200))
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
  })
}
