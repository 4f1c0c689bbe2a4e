// Finding a date among a million postings of one account takes about twenty primary key lookups,
// not a scan.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { effectOn, type Movement, movements } from '../../src/ledger/posting-rules.ts'
import { selectStatementPostings } from '../../src/ledger/queries.ts'
import { findStatementRange, statementSource } from '../../src/ledger/statement-postings.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { genericPlan } from '../support/generic-plan.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const count = 1_000_000
const account_id = '01900000-0000-7000-9000-000000000000'
const start_ms = Date.UTC(2026, 0, 1)
/** The time of a posting: ten share each millisecond, as in a busy batch. */
const timeOf = (sequence: number) => new Date(start_ms + Math.floor(sequence / 10))

// Half of them arrive and half of them settle, like payments.
await client.query(
  `insert into postings
     (account_id, sequence, transaction_id, movement, amount, available_after, at)
   select $1, n, $1, case n % 2 when 1 then 'arrive' else 'settle' end, 1, n / 2,
     to_timestamp(($2::bigint + n / 10) / 1000::float8)
   from generate_series(1, ${count}) as n`,
  [account_id, start_ms],
)
await client.query(
  `insert into balances values ($1, 'USD', 'active', $2 / 2, 0, 0, $2, 0, $1, now())`,
  [account_id, count],
)

// In another account all payments but the first were canceled, so its statement has one line.
const canceling = '01900000-0000-7000-9000-000000000001'
await client.query(
  `insert into postings
     (account_id, sequence, transaction_id, movement, amount, available_after, at)
   select $1, n, $1, case when n = 2 then 'settle' when n % 2 = 1 then 'arrive' else 'return' end,
     1, 1, now()
   from generate_series(1, 200000) as n`,
  [canceling],
)
// A third account has one movement of each kind.
const one_of_each = '01900000-0000-7000-9000-000000000002'
const kinds = Object.keys(movements) as Movement[]
await client.query(
  `insert into postings
     (account_id, sequence, transaction_id, movement, amount, available_after, at)
   select $1, n, $1, kind, 1, 1, now() from unnest($2::text[]) with ordinality as it (kind, n)`,
  [one_of_each, kinds],
)
await client.query('vacuum analyze postings')

/** Runs statements and counts the pages that PostgreSQL reads. */
class PageCounter implements Queryable {
  buffers = 0
  statements = 0

  async rows<Row>({ text, values }: Sql): Promise<Row[]> {
    const plan = await client.query(`explain (analyze, buffers, format json) ${text}`, values)
    const root = plan.rows[0]['QUERY PLAN'][0].Plan
    this.buffers += root['Shared Hit Blocks'] + root['Shared Read Blocks']
    this.statements += 1
    const response = await client.query(text, values)
    return response.rows.map(toNumbers) as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  async count(): Promise<number> {
    throw new Error('nothing is written here')
  }
}

/** The pool parses bigint as a number; a plain client returns text. */
function toNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([key, value]) => {
    return [key, typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value] as const
  })
  return Object.fromEntries(entries)
}

async function read(from: Date, to: Date) {
  const counter = new PageCounter()
  const range = await findStatementRange(counter, account_id, { from, to })
  const page = { before: null, after: null, limit: 21 }
  const lines = await statementSource(counter, range!).select(page)
  return { ...counter, range: range!, lines }
}

test('a date range is found at any depth without a scan', async () => {
  for (const middle of [20, 5_000, count / 2, count - 5_000]) {
    const { buffers, range, lines } = await read(timeOf(middle), timeOf(middle + 99))
    const first = Math.floor(middle / 10) * 10
    assert.equal(range.first, first)
    assert.equal(range.last, Math.floor((middle + 99) / 10) * 10 + 9)
    assert.equal(lines.length, 21)
    assert.equal(lines[0]!.sequence, range.last - (range.last % 2))
    // Two searches of twenty lookups, four pages each, and the page itself. A scan reads 12,500.
    assert.ok(buffers < 250, `${buffers} pages at ${middle}`)
  }
})

test('dates before the first and after the last posting are found', async () => {
  const early = new Date(start_ms - 1)
  const late = new Date(start_ms + count)
  assert.deepEqual((await read(early, late)).range, { account_id, first: 1, last: count })
  const before = await read(early, early)
  assert.deepEqual([before.range.first, before.range.last, before.lines.length], [1, 0, 0])
  const beyond = await read(late, late)
  assert.deepEqual([beyond.range.first, beyond.range.last], [count + 1, count])
  assert.equal(beyond.lines.length, 0)
})

test('random bounds match those of a full scan', async () => {
  for (let round = 0; round < 10; round += 1) {
    const from = new Date(start_ms + Math.floor(Math.random() * 100_100) - 50)
    const to = new Date(start_ms + Math.floor(Math.random() * 100_100) - 50)
    const scanned = await client.query(
      `select coalesce(max(sequence) filter (where at < $2), 0)::int + 1 as first,
         coalesce(max(sequence) filter (where at <= $3), 0)::int as last
       from postings where account_id = $1`,
      [account_id, from, to],
    )
    const range = await findStatementRange(new PageCounter(), account_id, { from, to })
    assert.deepEqual(range, { account_id, ...scanned.rows[0] })
  }
})

test('a statement contains exactly the movements that change the available balance', async () => {
  const range = { account_id: one_of_each, first: 1, last: kinds.length }
  const page = { before: null, after: null, limit: 21 }
  const lines = await statementSource(new PageCounter(), range).select(page)
  const touching = kinds.filter((kind) => effectOn('available', kind) !== 0)
  assert.deepEqual(lines.map((line) => line.movement).sort(), touching.sort())
})

test('a page reads only the postings that it contains', async () => {
  const range = { account_id: canceling, first: 1, last: 200_000 }
  for (const page of [
    { before: null, after: null, limit: 21 },
    { before: '100000', after: null, limit: 21 },
    { before: null, after: '2', limit: 21 },
  ]) {
    const plan = await genericPlan(client, (db) =>
      selectStatementPostings(db, { ...range, ...page }),
    )
    assert.ok(plan.buffers < 20, JSON.stringify(plan))
  }
})
