// Requests of one moment share their statements in the server as it is composed: what they ask
// PostgreSQL is read as it passes a proxy.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { openTransactionFixtures } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const till = await openTransactionFixtures(florin)
const proxy = await startProxy(florin.connection)
const passed: string[] = []
proxy.onStatement = (text) => passed.push(text)
const behind = await florin.startSecondServer({}, proxy.connection)

const count = 40
// Two statements are under way when the others come, and those share the next two; a few more are
// for callers that were told in different turns.
const statements_max = 8

let arrived = 0
behind.app.server.on('request', () => {
  arrived += 1
})

interface Asked {
  token: string
  path: string
}

/** The database answers nobody before all of them have come. */
async function askAtOnce(
  asked: Asked[],
): Promise<{ responses: ApiResponse[]; statements: string[] }> {
  // Whoever comes first opens connections, and that is not what is counted.
  await Promise.all(asked.map(({ path, token }) => behind.call('GET', path, { token })))
  arrived = 0
  passed.length = 0
  proxy.hold()
  const responses = asked.map(({ path, token }) => behind.call('GET', path, { token }))
  await until(() => arrived === asked.length)
  proxy.release()
  return { responses: await Promise.all(responses), statements: [...passed] }
}

function assertShared(statements: string[], table: string): void {
  const naming = new RegExp(`\\b(from|join)\\s+${table}\\b`)
  const found = statements.filter((text) => naming.test(text)).length
  const said = `${found} statements for ${count} requests:\n${statements.join('\n')}`
  assert.ok(found >= 1 && found <= statements_max, said)
}

test('forty callers of one moment and their accounts are found in few statements', async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, () => till.shop()))
  const asked = Array.from({ length: count }, (_, at) => shops[at % shops.length]!)
  const { responses, statements } = await askAtOnce(
    asked.map(({ token }) => ({ token, path: '/v1/account' })),
  )
  for (const [at, { status, body, text }] of responses.entries()) {
    assert.deepEqual([status, body.id], [200, asked[at]!.account_id], text)
  }
  assertShared(statements, 'tokens')
  assertShared(statements, 'accounts')
})

test('forty transactions that are asked for by id are read in few statements', async () => {
  const shop = await till.shop()
  const ids = await Promise.all(Array.from({ length: count }, () => till.pending(shop)))
  const { token } = shop
  const { responses, statements } = await askAtOnce(
    ids.map((id) => ({ token, path: `/v1/transactions/${id}` })),
  )
  for (const [at, { status, body, text }] of responses.entries()) {
    assert.deepEqual([status, body.id], [200, ids[at]], text)
  }
  assertShared(statements, 'tokens')
  assertShared(statements, 'transactions')
})

test('whoever comes to the dashboard without a session asks the database nothing', async () => {
  passed.length = 0
  for (const headers of [{}, { cookie: 'florin_dashboard=nothing' }]) {
    const response = await behind.call('GET', '/dashboard/api/v1/account', { headers })
    assert.equal(response.status, 401)
  }
  // The requests of the tests before this one are written down when it is time.
  const asked = passed.filter((text) => !/\brequest_logs\b/.test(text))
  assert.deepEqual(asked, [])
})
