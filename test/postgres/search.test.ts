// Searches leave the database's clients to others, however many are asked for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

test('while forty searches of one account stand still, others read', async () => {
  const searcher = await florin.people.owner()
  const other = await florin.people.owner()
  const blocker = await florin.db.pool.connect()
  let ended = 0
  try {
    await blocker.query('begin; lock table events in access exclusive mode')
    const path = '/v1/events?type=account.closed'
    const searches = Array.from({ length: 40 }, async () => {
      const { status } = await florin.call('GET', path, { token: searcher.token })
      ended += 1
      return status
    })
    const read = await florin.call('GET', '/v1/account', { token: other.token })
    assert.deepEqual([read.status, ended], [200, 0])
    await blocker.query('rollback')
    const statuses = new Set(await Promise.all(searches))
    assert.ok(statuses.isSubsetOf(new Set([200, 503])), `${[...statuses]}`)
    assert.ok(statuses.has(200))
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
})
