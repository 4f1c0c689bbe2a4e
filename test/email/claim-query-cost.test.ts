// The cost of the outbox queries, which run every second: they read few pages however many emails
// are queued. Uses a separate database with generated rows.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { claimDue, isAnyDue, selectQueued } from '../../src/email/queries.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { nil_uuid } from '../../src/primitives/ids.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const busy_account = '01890a5d-ac96-774b-bcce-b302099a8057'
const others = 400

// One account has 100,000 queued emails and 400 accounts have one each, among sent emails.
await client.query(
  `insert into emails (account_id, cause, id, state, kind, recipient, content, next_at, sent_at)
   select case when n <= 100000 then $1::uuid else gen_random_uuid() end, 'cause ' || n,
     gen_random_uuid(), case when n <= 100000 + $2 then 'queued' else 'sent' end,
     'payment_receipt', 'a@example.com', '{}',
     case when n <= 100000 + $2 then now() + interval '1 hour' end,
     case when n > 100000 + $2 then now() end
   from generate_series(1, 120000) as n`,
  [busy_account, others],
)
await client.query('vacuum analyze emails')

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
}

/** Runs the query with a custom or generic plan, and rolls back. */
async function planOf(mode: string, run: (db: Queryable) => Promise<unknown>): Promise<Plan> {
  let plan: Plan | undefined
  const rows = async ({ text, values }: Sql) => {
    const parameters = values.map((value) => `'${Array.isArray(value) ? `{${value}}` : value}'`)
    const given = parameters.length === 0 ? '' : `(${parameters.join(', ')})`
    const statements = `deallocate all; set plan_cache_mode = ${mode}; begin;
      prepare it as ${text};
      explain (analyze, buffers, format json) execute it ${given}; rollback`
    const responses = [await client.query(statements)].flat()
    plan = responses.find(({ command }) => command === 'EXPLAIN')!.rows[0]['QUERY PLAN'][0].Plan
    return []
  }
  const row = async (statement: Sql) => void (await rows(statement))
  await run({ rows: rows as Queryable['rows'], row: row as Queryable['row'] } as Queryable)
  return plan!
}

function pagesOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

const modes = ['force_custom_plan', 'force_generic_plan']

for (const mode of modes) {
  test(`finding that nothing is due reads at most 10 pages (${mode})`, async () => {
    const plan = await planOf(mode, isAnyDue)
    assert.equal(plan['Actual Rows'], 0)
    assert.ok(pagesOf(plan) <= 10, `${pagesOf(plan)} pages`)
  })

  test(`a page of the scan reads its rows only (${mode})`, async () => {
    const plan = await planOf(mode, (db) => selectQueued(db, nil_uuid, 500))
    assert.equal(plan['Actual Rows'], 500)
    assert.ok(pagesOf(plan) <= 2 * 500, `${pagesOf(plan)} pages`)
  })
}

test('claiming 20 of 100,000 due emails reads few pages', async () => {
  const set = `update emails set next_at = now() - interval '1 hour' where account_id = $1`
  await client.query(set, [busy_account])
  const lease = { id: nil_uuid, for_ms: 60_000 }
  const claim = (db: Queryable) => claimDue(db, lease, [busy_account], { each: 20, all: 20 })
  for (const mode of modes) {
    const plan = await planOf(mode, claim)
    assert.equal(plan['Actual Rows'], 20)
    // Each update writes a row and four indexes.
    assert.ok(pagesOf(plan) <= 1_000, `${pagesOf(plan)} pages, planned with ${mode}`)
  }
})
