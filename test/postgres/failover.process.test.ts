// With several hosts in DATABASE_URL, connections go to the server that accepts writes, also after
// a failover.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { connectionOf } from '../../src/postgres/connect.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { sql } from '../../src/postgres/sql.ts'
import { makeInstallation } from '../cli/florin-process.ts'
import { type SecondServer, serveOn } from '../support/florin.ts'
import { type Owner, People } from '../support/people.ts'
import { ask } from '../support/postgres.ts'
import { type StandbyPair, startStandbyPair } from '../support/standby-pair.ts'
import { until } from '../support/until.ts'

let pair: StandbyPair

beforeEach(async () => {
  pair = await startStandbyPair({
    prepare: async (connection) => {
      await migrate(connection, 'sandbox')
    },
  })
})

afterEach(() => pair.end())

function pay(florin: SecondServer, { account_id, token }: Owner) {
  const body = { account_id, amount: 5, currency: 'USD', type: 'payment' }
  return florin.call('POST', '/v1/transactions', { token, body })
}

for (const order of ['primary first', 'standby first']) {
  test(`recovers from a failover without a restart: ${order}`, async () => {
    const hosts = [pair.primary.port, pair.standby.port].map((port) => `127.0.0.1:${port}`)
    if (order === 'standby first') hosts.reverse()
    const url = `postgres://florin@${hosts}/florin?target_session_attrs=read-write`
    const florin = await serveOn(connectionOf(url))
    try {
      const owner = await new People(florin.db).owner()
      assert.equal((await pay(florin, owner)).status, 201)
      await pair.failOver()
      await until(async () => {
        const { status, text } = await pay(florin, owner)
        assert.ok(status === 201 || status === 503, text)
        return status === 201
      }, 'a payment after the failover')
      assert.equal((await florin.call('GET', '/readyz')).status, 200)
      const list = await florin.call('GET', '/v1/transactions', { token: owner.token })
      assert.ok(list.body.data.length >= 2, 'the payment before the failover is there')
    } finally {
      await florin.close()
    }
  })
}

test('finds the primary among several hosts in commands', async (t) => {
  const installation = await makeInstallation(t)
  const { port } = pair.standby
  const hosts = `127.0.0.1:1,127.0.0.1:${port},127.0.0.1:${pair.primary.port}`
  const env = { DATABASE_URL: `postgres://florin@${hosts}/florin?target_session_attrs=primary` }
  const migrated = await installation.run(['migrate'], { env }).ended
  assert.equal(migrated.code, 0, migrated.stderr)
  const doctor = await installation.run(['doctor'], { env }).ended
  assert.match(doctor.stdout, new RegExp(`at ${hosts}/florin`))
  const { florin, url } = await installation.start({ env })
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  assert.equal((await florin.stop()).code, 0)
})

test('rejects a standby with an explanation, but can verify it', async (t) => {
  const installation = await makeInstallation(t)
  const env = { DATABASE_URL: pair.standby.url }
  const message = /is a standby, which is read-only\. .*target_session_attrs=read-write/
  for (const command of ['start', 'worker', 'migrate']) {
    const { code, stderr } = await installation.run([command], { env }).ended
    assert.equal(code, 1)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /bug in Florin|cannot be reached/)
  }
  const doctor = await installation.run(['doctor'], { env }).ended
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, message)
  const verified = await installation.run(['verify'], { env }).ended
  assert.equal(verified.code, 0, verified.stderr)
  const florin = await serveOn({ connectionString: env.DATABASE_URL })
  const { status, body } = await florin.call('GET', '/readyz')
  await florin.close()
  assert.deepEqual([status, body.error], [503, 'unavailable'])
  assert.match(body.message, message)
})

test('replaces connections to a server that became read-only', async () => {
  const db = openDatabase(connectionOf(pair.url), { clients_max: 1 })
  const write = () => db.count(sql`update clock set offset_ms = offset_ms + 1`)
  const change = () => db.transaction((tx) => tx.count(sql`update clock set offset_ms = 1`))
  await write()
  await setReadOnly('on')
  // The first call discards its connection; the second gets the reason why there is no other.
  await assert.rejects(write(), { code: 'unavailable' })
  await assert.rejects(change(), { code: 'unavailable', message: /^The database is / })
  await setReadOnly('off')
  await until(async () => (await write().catch(() => 0)) === 1, 'a write')
  await setReadOnly('on')
  await assert.rejects(change(), { code: 'unavailable' })
  assert.equal(db.pool.totalCount, 0, 'the connection was dropped')
  await setReadOnly('off')
  await db.close()
})

/** Also affects open sessions. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { connection } = pair.primary
  // Works while read-only, because ALTER SYSTEM writes to a file.
  await ask(connection, `alter system set default_transaction_read_only = ${value}`)
  await ask(connection, 'select pg_reload_conf()')
  await until(async () => {
    const { rows } = await ask(connection, 'show default_transaction_read_only')
    return rows[0].default_transaction_read_only === value
  }, `read-only ${value}`)
}
