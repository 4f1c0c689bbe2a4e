// Migrations that are applied while the previous version runs.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../src/postgres/database.ts'
import { knownMigrations, migrate } from '../../src/postgres/migrate.ts'
import { ask, dropDatabase, emptyDatabase, stopOwnServer } from '../support/postgres.ts'
import { migrateSome, withClient } from './migrate-some.ts'

after(stopOwnServer)

// The baseline, with the most migrations to apply. The last version ends with its contract.
const previous = 9
const known = knownMigrations()
const waiting = known.slice(-1)
const last_version =
  known.findLastIndex((name) => /_finish_/.test(name) && !waiting.includes(name)) + 1

async function withPrevious(
  work: (connection: Connection) => Promise<void>,
  count = previous,
): Promise<void> {
  const { connection, name } = await emptyDatabase()
  try {
    await withClient(connection, (client) => migrateSome(client, count))
    await work(connection)
  } finally {
    await dropDatabase(name)
  }
}

test('what the previous version needs stays until the upgrade is finished', async () => {
  await withPrevious(async (connection) => {
    const first = await migrate(connection, 'sandbox')
    assert.deepEqual([first.applied, first.waiting], [known.slice(last_version, -1), waiting])
    const second = await migrate(connection, 'sandbox')
    assert.deepEqual([second.applied, second.waiting], [[], waiting])
    const transfer = `
      insert into transfers (account_id, id, side, from_account_id, to_account_id, amount,
        fee_amount, currency, status, updated_at)
      values (gen_random_uuid(), gen_random_uuid(), 'out', gen_random_uuid(), gen_random_uuid(), 1,
        0, 'USD', 'completed', now())`
    await assert.rejects(ask(connection, transfer), { constraint: 'transfers_until_finished' })
    const document = `
      insert into documents (account_id, number, id, type, payment_id, transaction_id, amount,
        currency, customer_email, issued_at, facts)
      values (gen_random_uuid(), 1, gen_random_uuid(), 'receipt', gen_random_uuid(),
        gen_random_uuid(), 1, 'USD', 'ann@example.com', now(), '{}')`
    // Otherwise a customer who is erased by the previous version would keep the address there.
    await assert.rejects(ask(connection, document), { constraint: 'documents_until_finished' })
    const last = await migrate(connection, 'sandbox', { finish: true })
    assert.deepEqual([last.applied, last.waiting], [waiting, []])
    const gates = await ask(
      connection,
      `select conname from pg_constraint where conname like '%until_finished'`,
    )
    assert.deepEqual(gates.rows, [])
    await ask(connection, transfer)
    await ask(connection, document)
  }, last_version)
})

test('a version runs on the schema of a newer one that names it', async () => {
  await withPrevious(async (connection) => {
    await migrate(connection, 'sandbox', { finish: true })
    const addNewer = (runs_alongside: string) =>
      ask(
        connection,
        `insert into schema_migrations (name, run_on, runs_alongside)
         values ('9999_new', now(), '${runs_alongside}')`,
      )
    await addNewer(known.at(-1)!)
    assert.deepEqual((await migrate(connection, 'sandbox')).applied, [])
    await ask(connection, `delete from schema_migrations where name = '9999_new'`)
    await addNewer('9998_before')
    await assert.rejects(migrate(connection, 'sandbox'), {
      name: 'SchemaError',
      message:
        'The database was migrated by a newer version of Florin: it has the migration 9999_new, ' +
        'which this version cannot run alongside. Start the newer version.',
    })
  })
})

test('a migration that waits for a table lets payments pass', async () => {
  await withPrevious(async (connection) => {
    await withClient(connection, async (reader) => {
      await reader.query('begin; select from balances')
      const migrating = migrate(connection, 'sandbox')
      for (let round = 0; round < 3; round++) {
        await untilWaiting(connection)
        // Waits behind the migration until that gives up.
        await ask(connection, `set lock_timeout = '5s'; update balances set available = available`)
      }
      const applied = await ask(connection, 'select from schema_migrations')
      assert.equal(applied.rowCount, previous)
      await reader.query('commit')
      assert.deepEqual((await migrating).waiting, waiting)
    })
  })
})

test('an interrupted migration is continued, and reported completely', async () => {
  await withPrevious(async (connection) => {
    await withClient(connection, async (reader) => {
      // Building an index waits for this snapshot.
      await reader.query('begin isolation level repeatable read; select')
      const migrating = migrate(connection, 'sandbox')
      await untilWaiting(connection, 'virtualxid')
      // The previous version can be restarted while indexes are built.
      const stored = await ask(
        connection,
        `select name from schema_migrations where runs_alongside = '${known[previous - 1]}'`,
      )
      assert.deepEqual(
        stored.rows.map(({ name }) => name),
        known.slice(previous, known.indexOf('0021_indexes')),
      )
      await withClient(connection, async (writer) => {
        await writer.query('begin; lock table only payment_requests in row exclusive mode')
        await reader.query('commit')
        await untilWaiting(connection, 'relation')
        await untilWaiting(connection, 'nothing')
        await writer.query('commit')
      })
      assert.deepEqual((await migrating).applied, known.slice(previous, -1))
    })
  })
})

/** Waits until the migration waits for a lock of this kind, or for nothing. */
async function untilWaiting(connection: Connection, lock = 'relation'): Promise<void> {
  for (;;) {
    const { rows } = await ask(
      connection,
      `select wait_event from pg_stat_activity
       where application_name = 'florin migrate' and wait_event_type = 'Lock'`,
    )
    if ((rows[0]?.wait_event ?? 'nothing') === lock) return
    await sleep(20)
  }
}

test('indexes of tables with rows are valid, also after an interrupted build', async () => {
  await withPrevious(async (connection) => {
    await ask(
      connection,
      `insert into postings
       select gen_random_uuid(), 1, gen_random_uuid(), 'arrive', 1, 0, now()
       from generate_series(1, 2)`,
    )
    const interrupted =
      'create unique index concurrently postings_of_statement on postings (amount)'
    await assert.rejects(ask(connection, interrupted), { code: '23505' })
    await migrate(connection, 'sandbox')
    const { rows } = await ask(
      connection,
      `select indexrelid::regclass::text as name, indisvalid as is_valid, indisunique as is_unique
       from pg_index
       where indexrelid::regclass::text ~ '^(postings_of_statement|payment_requests_customer)'
       order by 1`,
    )
    const parts = ['', '_canceled', '_failed', '_pending', '_succeeded']
    const names = parts.map((part) => `payment_requests_customer${part}`)
    assert.deepEqual(
      rows,
      [...names, 'postings_of_statement'].map((name) => ({
        name,
        is_valid: true,
        is_unique: false,
      })),
    )
  })
})
