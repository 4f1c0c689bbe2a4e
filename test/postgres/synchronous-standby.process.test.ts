// A primary with a synchronous standby. If the wait for the standby is canceled, a COMMIT is on the
// primary only and is lost in a failover, so it must never be acknowledged.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { connectionOf } from '../../src/postgres/connect.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { sql } from '../../src/postgres/sql.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { type SecondServer, serveOn } from '../support/florin.ts'
import { People } from '../support/people.ts'
import { ask } from '../support/postgres.ts'
import { type StandbyPair, startStandbyPair } from '../support/standby-pair.ts'
import { until } from '../support/until.ts'

const message =
  'The outcome is unknown. Retry with the same Idempotency-Key, ' +
  'or check whether the change was applied.'

let pair: StandbyPair
let florin: SecondServer

beforeEach(async () => {
  pair = await startStandbyPair({
    prepare: async (connection) => {
      await migrate(connection, 'sandbox')
    },
  })
  florin = await serveOn(pair.primary.connection)
})

afterEach(async () => {
  await florin.close()
  await pair.end()
})

const ways = { canceled: 'pg_cancel_backend', terminated: 'pg_terminate_backend' } as const

for (const [how, action] of Object.entries(ways)) {
  test(`does not acknowledge a payment whose wait for the standby is ${how}`, async () => {
    const owner = await new People(florin.db).owner()
    const pay = (key: string) =>
      florin.call('POST', '/v1/transactions', {
        token: owner.token,
        body: { account_id: owner.account_id, amount: 1200, currency: 'USD', type: 'payment' },
        headers: { 'idempotency-key': key },
      })
    const before = await pay('before')
    assert.equal(before.status, 201)

    await pair.standby.kill()
    const responses = Promise.all(['one', 'two', 'three'].map(pay))
    await interrupt(action, responses)
    for (const { status, body } of await responses) {
      assert.deepEqual([status, body], [503, { error: 'unavailable', message }])
    }
    // The stored response is on the primary only, too.
    const replay = pay('one')
    await interrupt(action, replay)
    assert.equal((await replay).status, 503)
    // Outside of lanes, a replay rolls back its transaction.
    for (const _ of ['first', 'replay']) {
      const created = florin.call('POST', '/v1/api_keys', {
        token: owner.token,
        body: { name: 'A key', scopes: ['balance:read'] },
        headers: { 'idempotency-key': 'a key' },
      })
      await interrupt(action, created)
      assert.equal((await created).status, 503)
    }

    await pair.failOver()
    const { rows } = await ask(pair.primary.connection, 'select count(*)::int from transactions')
    assert.deepEqual(rows, [{ count: 1 }], 'the standby has exactly what was acknowledged')
  })
}

test('fails a single statement whose wait for the standby is canceled', async () => {
  await florin.db.row(sql`select 1`)
  await pair.standby.kill()
  // The worker claims deliveries this way, and must not send one whose claim a failover reverts.
  for (const action of Object.values(ways)) {
    const write = florin.db.count(sql`update clock set offset_ms = 1`)
    const rejected = assert.rejects(write, { code: 'unavailable' })
    await interrupt(action, rejected)
    await rejected
  }
})

/** Interrupts every wait for the standby until the work is done. */
async function interrupt(action: string, work: Promise<unknown>): Promise<void> {
  let is_done = false
  const done = () => {
    is_done = true
  }
  work.then(done, done)
  let ended = 0
  await until(async () => {
    for (const pid of await pair.waiting()) {
      ended += 1
      await ask(pair.primary.connection, `select ${action}(${pid})`)
    }
    return is_done
  }, 'an end')
  assert.ok(ended > 0, 'a wait was interrupted')
}

test('acknowledges a COMMIT whose response is lost once the standby has it', async () => {
  const proxy = await startCommitProxy({ connectionString: pair.primary.url })
  const db = openDatabase(proxy.connection)
  const change = () =>
    db.transaction(async (tx) => {
      tx.send(sql`update clock set offset_ms = offset_ms + 1`)
    })
  await change()
  proxy.next('lose_commit_response')
  await change()
  await pair.failOver()
  const { rows } = await ask(pair.primary.connection, 'select offset_ms::int from clock')
  assert.deepEqual(rows, [{ offset_ms: 2 }])
  await db.close()
})

test('reports an unknown outcome for a lost COMMIT while the standby is down', async () => {
  const proxy = await startCommitProxy({ connectionString: pair.primary.url })
  const db = openDatabase(proxy.connection)
  await db.row(sql`select 1`)
  const commit = proxy.next('strand')
  const change = db.transaction(async (tx) => {
    tx.send(sql`update clock set offset_ms = 7`)
  })
  const outcome = assert.rejects(change, { code: 'unavailable', message })
  await commit.seen
  await pair.standby.kill()
  // The server commits alone, and its warning does not reach the client.
  const committed = commit.release()
  await until(async () => (await pair.waiting()).length > 0, 'COMMIT waits for the standby')
  for (const pid of await pair.waiting()) {
    await ask(pair.primary.connection, `select pg_cancel_backend(${pid})`)
  }
  await committed
  await outcome
  await pair.failOver()
  const { rows } = await ask(pair.primary.connection, 'select offset_ms::int from clock')
  assert.deepEqual(rows, [{ offset_ms: 0 }])
  await db.close()
})

test('settles a COMMIT that a failover interrupts, on the new primary', async () => {
  const proxy = await startCommitProxy({ connectionString: pair.primary.url })
  const hosts = `${new URL(proxy.connection.connectionString!).host},127.0.0.1:${pair.standby.port}`
  const url = `postgres://florin@${hosts}/florin?target_session_attrs=read-write`
  const db = openDatabase(connectionOf(url))
  await db.row(sql`select 1`)
  const commit = proxy.next('strand')
  const change = db.transaction(async (tx) => {
    tx.send(sql`update clock set offset_ms = offset_ms + 1`)
  })
  const outcome = change.then(
    () => 'acknowledged',
    (error) => error.code,
  )
  await commit.seen
  await pair.failOver()
  const result = await outcome
  const { rows } = await ask(pair.primary.connection, 'select offset_ms::int from clock')
  // Unavailable if the failover takes longer than the check.
  const expected = result === 'acknowledged' ? 1 : 0
  assert.deepEqual(
    [result, rows],
    [expected ? 'acknowledged' : 'unavailable', [{ offset_ms: expected }]],
  )
  await db.close()
})
