// What a look at the outbox reads, every second: little, however much waits in it. In a database of
// its own, filled by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { claimDue, selectAccountsWithQueued } from '../../src/email/queries.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const nobody = '00000000-0000-0000-0000-000000000000'
const much = '01890a5d-ac96-774b-bcce-b302099a8057'
const others = 400

// One with a hundred thousand, and others with one each, among many that were sent.
await client.query(
  `insert into emails (account_id, cause, id, state, kind, recipient, content, next_at, sent_at)
   select case when n <= 100000 then $1::uuid else gen_random_uuid() end, 'cause ' || n,
     gen_random_uuid(), case when n <= 100000 + $2 then 'queued' else 'sent' end,
     'payment_receipt', 'a@example.com', '{}',
     case when n <= 100000 + $2 then now() + interval '1 hour' end,
     case when n > 100000 + $2 then now() end
   from generate_series(1, 120000) as n`,
  [much, others],
)
await client.query('vacuum analyze emails')

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
}

/** Runs it as a statement that was planned for all values, or for these, and takes it back. */
async function planOf(mode: string, run: (db: Queryable) => Promise<unknown>): Promise<Plan> {
  let plan: Plan | undefined
  const rows = async ({ text, values }: Sql) => {
    const given = values.map((value) => `'${Array.isArray(value) ? `{${value}}` : value}'`)
    const asked = `deallocate all; set plan_cache_mode = ${mode}; begin;
      prepare it as ${text};
      explain (analyze, buffers, format json) execute it (${given.join(', ')}); rollback`
    const responses = [await client.query(asked)].flat()
    plan = responses.find(({ command }) => command === 'EXPLAIN')!.rows[0]['QUERY PLAN'][0].Plan
    return []
  }
  await run({ rows: rows as Queryable['rows'] } as Queryable)
  return plan!
}

function pagesOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

const modes = ['force_custom_plan', 'force_generic_plan']

for (const mode of modes) {
  test(`where nothing is due a look reads a few pages, planned with ${mode}`, async () => {
    const plan = await planOf(mode, (db) => selectAccountsWithQueued(db, nobody, 500))
    assert.equal(plan['Actual Rows'], 0)
    assert.ok(pagesOf(plan) <= 10, `${pagesOf(plan)} pages`)
  })

  test(`a look goes from account to account, planned with ${mode}`, async (t) => {
    const set = 'update emails set next_at = now() + $2::interval where cause = $1'
    await client.query(set, ['cause 1', '-1 second'])
    t.after(() => client.query(set, ['cause 1', '1 hour']))
    const plan = await planOf(mode, (db) => selectAccountsWithQueued(db, nobody, 500))
    assert.equal(plan['Actual Rows'], others + 1)
    assert.ok(pagesOf(plan) <= 5 * others, `${pagesOf(plan)} pages`)
  })
}

test('a few are claimed of a hundred thousand that are due', async () => {
  const set = `update emails set next_at = now() - interval '1 hour' where account_id = $1`
  await client.query(set, [much])
  const lease = { id: nobody, for_ms: 60_000 }
  const claim = (db: Queryable) => claimDue(db, lease, [much], { each: 20, all: 20 })
  for (const mode of modes) {
    const plan = await planOf(mode, claim)
    assert.equal(plan['Actual Rows'], 20)
    // Each has a row and four indexes to write.
    assert.ok(pagesOf(plan) <= 1_000, `${pagesOf(plan)} pages, planned with ${mode}`)
  }
})
