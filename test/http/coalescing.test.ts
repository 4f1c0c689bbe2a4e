// Concurrent requests share their SQL statements. A proxy in front of PostgreSQL records the
// statements.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { openTransactionFixtures } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const proxy = await startProxy(florin.connection)
const passed: string[] = []
proxy.onStatement = (text) => passed.push(text)
const behind = await florin.startSecondServer({}, proxy.connection)

const count = 40
// Two statements are in progress when the other requests arrive, which share the next two. The
// rest is slack for callers that were resolved in different ticks.
const statements_max = 8

let arrived = 0
behind.app.server.on('request', () => {
  arrived += 1
})

interface Read {
  token: string
  path: string
}

/** Holds all database responses until every request has arrived. */
async function readAtOnce(
  reads: Read[],
): Promise<{ responses: ApiResponse[]; statements: string[] }> {
  // The first requests open connections, whose statements must not count.
  await Promise.all(reads.map(({ path, token }) => behind.call('GET', path, { token })))
  arrived = 0
  passed.length = 0
  proxy.hold()
  const responses = reads.map(({ path, token }) => behind.call('GET', path, { token }))
  await until(() => arrived === reads.length)
  proxy.release()
  return { responses: await Promise.all(responses), statements: [...passed] }
}

function assertShared(statements: string[], table: string): void {
  const naming = new RegExp(`\\b(from|join)\\s+${table}\\b`)
  const found = statements.filter((text) => naming.test(text)).length
  const message = `${found} statements for ${count} requests:\n${statements.join('\n')}`
  assert.ok(found >= 1 && found <= statements_max, message)
}

test('40 concurrent callers and their accounts are read in few statements', async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, () => fixtures.shop()))
  const callers = Array.from({ length: count }, (_, at) => shops[at % shops.length]!)
  const { responses, statements } = await readAtOnce(
    callers.map(({ token }) => ({ token, path: '/v1/account' })),
  )
  for (const [at, { status, body, text }] of responses.entries()) {
    assert.deepEqual([status, body.id], [200, callers[at]!.account_id], text)
  }
  assertShared(statements, 'tokens')
  assertShared(statements, 'accounts')
})

test('40 concurrent reads of transactions by id share few statements', async () => {
  const shop = await fixtures.shop()
  const ids = await Promise.all(Array.from({ length: count }, () => fixtures.pending(shop)))
  const { token } = shop
  const { responses, statements } = await readAtOnce(
    ids.map((id) => ({ token, path: `/v1/transactions/${id}` })),
  )
  for (const [at, { status, body, text }] of responses.entries()) {
    assert.deepEqual([status, body.id], [200, ids[at]], text)
  }
  assertShared(statements, 'tokens')
  assertShared(statements, 'transactions')
})

test('a dashboard call without a session causes no query', async () => {
  passed.length = 0
  for (const headers of [{}, { cookie: 'florin_dashboard=nothing' }]) {
    const response = await behind.call('GET', '/dashboard/api/v1/account', { headers })
    assert.equal(response.status, 401)
  }
  // The request log of the previous tests may still be written.
  const statements = passed.filter((text) => !/\brequest_logs\b/.test(text))
  assert.deepEqual(statements, [])
})
