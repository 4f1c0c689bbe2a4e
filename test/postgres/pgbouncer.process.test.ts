// PgBouncer between Florin and PostgreSQL: what works, and the errors for what does not.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Connection, type Db, openDatabase } from '../../src/postgres/database.ts'
import { knownMigrations, migrate } from '../../src/postgres/migrate.ts'
import { sql } from '../../src/postgres/sql.ts'
import { makeInstallation } from '../cli/florin-process.ts'
import { serveOn } from '../support/florin.ts'
import { People } from '../support/people.ts'
import {
  type PgBouncerOptions,
  startPgBouncer,
  without_pgbouncer,
  without_prepared_statements,
} from '../support/pgbouncer.ts'
import { ask, toDatabase } from '../support/postgres.ts'
import { startSingleServer } from '../support/standby-pair.ts'

const lone = without_pgbouncer
  ? undefined
  : await startSingleServer(async (connection) => {
      await migrate(connection, 'sandbox')
    })
after(() => lone?.end())

async function behind(
  options: PgBouncerOptions,
  work: (connection: { connectionString: string }) => Promise<void>,
): Promise<void> {
  const bouncer = await startPgBouncer(lone!.server, lone!.installation, options)
  await work(bouncer.connection).finally(() => bouncer.stop())
}

const able: [string, PgBouncerOptions, string | false][] = [
  ['session', { pool_mode: 'session' }, without_pgbouncer],
  [
    'transaction',
    { pool_mode: 'transaction', default_pool_size: 4, max_prepared_statements: 200 },
    without_prepared_statements,
  ],
]

for (const [mode, options, skip] of able) {
  test(`payments, settings and migrations through ${mode} mode`, { skip }, async (t) => {
    await behind(options, async (connection) => {
      await t.test('payments', () => pay(connection))
      await t.test('settings', () => checkSettings(connection))
      await t.test('several migrations at once', async () => {
        await ask(connection, `create database empty_${mode}`)
        const empty = toDatabase(connection, `empty_${mode}`)
        const runs = await Promise.all([1, 2, 3].map(() => migrate(empty, 'sandbox')))
        const counts = runs.map(({ applied }) => applied.length).sort((one, other) => one - other)
        assert.deepEqual(counts, [0, 0, knownMigrations().length])
      })
    })
  })
}

async function pay(connection: Connection): Promise<void> {
  const florin = await serveOn(connection)
  try {
    assert.equal((await florin.call('GET', '/readyz')).status, 200)
    const owner = await new People(florin.db).owner()
    const body = { account_id: owner.account_id, amount: 5, currency: 'USD', type: 'payment' }
    for (let round = 0; round < 5; round++) {
      const sent = Array.from({ length: 8 }, () =>
        florin.call('POST', '/v1/transactions', { token: owner.token, body }),
      )
      const listed = florin.call('GET', '/v1/transactions', { token: owner.token })
      for (const { status, text } of await Promise.all(sent)) assert.equal(status, 201, text)
      assert.equal((await listed).status, 200)
    }
  } finally {
    await florin.close()
  }
}

const names = [
  'lock_timeout',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'random_page_cost',
  'plan_cache_mode',
  'TimeZone',
  'synchronous_commit',
]
const usual = ['3s', '5s', '5s', '1.1', 'force_generic_plan', 'UTC', 'on']

/** Alternates both kinds of sessions, so that a pooler assigns both the same server processes. */
async function checkSettings(connection: Connection): Promise<void> {
  const db = openDatabase(connection, { clients_max: 3 })
  const relaxed = openDatabase(connection, {
    clients_max: 3,
    async_commit: true,
    no_timeouts: true,
  })
  try {
    for (let round = 0; round < 6; round++) {
      const expected = ['3s', '0', '0', '1.1', 'force_generic_plan', 'UTC', 'off']
      assert.deepEqual(await settingsOf(relaxed), [expected, expected])
      assert.deepEqual(await settingsOf(db), [usual, usual])
    }
  } finally {
    await db.close()
    await relaxed.close()
  }
}

/** The settings of a single statement and of a transaction. */
function settingsOf(db: Db): Promise<string[][]> {
  const read = sql`
    select array_agg(current_setting(name) order by at) as found
    from unnest(${names}::text[]) with ordinality as it (name, at)`
  const find = (row: { found: string[] } | undefined) => row!.found
  return Promise.all([
    db.row<{ found: string[] }>(read).then(find),
    db.transaction((tx) => tx.row<{ found: string[] }>(read)).then(find),
  ])
}

test('leaves no settings in a server process', {
  skip: without_prepared_statements,
}, async () => {
  const options = {
    pool_mode: 'transaction',
    default_pool_size: 1,
    max_prepared_statements: 9,
  } as const
  await behind(options, async (connection) => {
    const text = `select current_setting('statement_timeout') as found`
    const before = (await ask(connection, text)).rows
    const db = openDatabase(connection, { clients_max: 2, async_commit: true })
    await settingsOf(db)
    await db.close()
    assert.deepEqual((await ask(connection, text)).rows, before)
  })
})

test('rejects transaction mode without prepared statements', {
  skip: without_pgbouncer,
}, async (t) => {
  await behind({ pool_mode: 'transaction' }, (connection) =>
    checkMessage(t, connection.connectionString, /does not support prepared statements\. .*1\.21/),
  )
})

test('explains a startup parameter that PgBouncer rejects', {
  skip: without_pgbouncer,
}, async (t) => {
  await behind({ pool_mode: 'session' }, ({ connectionString }) => {
    const url = `${connectionString}?options=-c%20geqo%3Doff`
    return checkMessage(t, url, /rejects a setting: .*options.*ignore_startup_parameters/)
  })
})

/** Checks the message of start, doctor, /readyz and any request. */
async function checkMessage(
  t: Parameters<typeof makeInstallation>[0],
  url: string,
  message: RegExp,
): Promise<void> {
  const installation = await makeInstallation(t)
  const env = { DATABASE_URL: url }
  const started = await installation.run(['start'], { env }).ended
  assert.equal(started.code, 1)
  assert.match(started.stderr, message)
  assert.doesNotMatch(started.stderr, /bug in Florin|cannot be reached/)
  const doctor = await installation.run(['doctor'], { env }).ended
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, message)
  const florin = await serveOn({ connectionString: url })
  try {
    const login = { email: 'unknown@example.com', password: 'not a password' }
    for (const { status, body } of [
      await florin.call('GET', '/readyz'),
      await florin.call('POST', '/v1/auth/login', { body: login }),
    ]) {
      assert.deepEqual([status, body.error], [503, 'unavailable'])
      assert.match(body.message, message)
    }
  } finally {
    await florin.close()
  }
}
