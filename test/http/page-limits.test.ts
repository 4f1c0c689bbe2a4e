// No list returns more than 100 entries per page, whatever the limit. Lists that do not use the
// shared cursor code are included.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPage } from '../../src/primitives/cursor.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { openTransactionFixtures } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const shop = await fixtures.shop()
await Promise.all(Array.from({ length: 101 }, () => fixtures.create(shop)))

async function list(path: string) {
  const { status, body } = await florin.call('GET', path, { token: shop.token })
  assert.equal(status, 200, path)
  return { count: body.data.length, has_more: body.has_more }
}

test('treats a limit over 100 as 100 in every list with its own paging', async () => {
  // The request log is written asynchronously, and drops entries when the database is busy.
  await until(async () => {
    await fixtures.create(shop)
    return (await list('/v1/request_logs?limit=100')).has_more
  }, 'the request log')
  for (const path of [
    '/v1/transactions?',
    '/v1/events?',
    '/v1/events?after=0&',
    '/v1/request_logs?',
  ]) {
    for (const limit of [100, 101, 1_000]) {
      assert.deepEqual(await list(`${path}limit=${limit}`), { count: 100, has_more: true }, path)
    }
  }
})

test('a page reads one row more than it returns', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => at)
  for (const [limit, read] of [
    [1, 2],
    [100, 101],
    [101, 101],
    [Number.MAX_SAFE_INTEGER, 101],
  ] as const) {
    const limits_read: number[] = []
    const page = await cutPage({ limit }, async (most) => {
      limits_read.push(most)
      return rows.slice(0, most)
    })
    assert.deepEqual(limits_read, [read])
    assert.deepEqual(page, { object: 'list', data: rows.slice(0, read - 1), has_more: true })
  }
  const last = await cutPage({ limit: 1_000 }, async () => rows.slice(0, 100))
  assert.deepEqual([last.data.length, last.has_more], [100, false])
})
