// Query plans with many transactions: they use indexes, read only the partition of a status, and
// read as few pages deep in a list as at its top. Runs in a separate, generated database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { countDeclines } from '../../src/payments/queries.ts'
import type { Queryable, Tx } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { firstUuidAt } from '../../src/primitives/ids.ts'
import {
  selectTransactionPage,
  selectTransactions,
  selectTransactionsById,
  selectVolumes,
  sendTransactionChanges,
  type TransactionFilter,
} from '../../src/transactions/queries.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { rowOf } from './rows.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const accounts = 50
const rows_of_one = 40_000
const large_account = '01900000-0000-7000-9000-000000000000'
const start_ms = Date.UTC(2026, 0, 1)
/** The id of the row with this number; numbers increase with time. */
const id = (number: number) => firstUuidAt(start_ms + number)

// One account has half of the rows. One row in a hundred is pending, one in fifty a refund.
await client.query(
  `insert into transactions (account_id, id, status, amount, currency, type, updated_at)
   select
     case when n % 2 = 0 then $1::uuid
       else ('01900000-0000-7000-8000-' || lpad(to_hex(n % ${accounts} + 1), 12, '0'))::uuid end,
     (lpad(to_hex(($2::bigint + n) >> 16), 8, '0') || '-' ||
       lpad(to_hex(($2::bigint + n) & 65535), 4, '0') || '-7000-8000-000000000000')::uuid,
     case when n % 100 = 0 then 'pending' when n % 100 = 1 then 'failed'
       when n % 100 = 2 then 'canceled' else 'succeeded' end,
     100, 'USD',
     case when n % 50 = 4 then 'refund' else 'payment' end,
     now()
   from generate_series(0, ${rows_of_one * 2 - 1}) as n`,
  [large_account, start_ms],
)
await vacuum('transactions')

/** Repeats until all pages are marked all-visible, which open snapshots delay. */
async function vacuum(table: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    await client.query(`vacuum analyze ${table}`)
    const { rows } = await client.query(
      `select 1 from pg_class where starts_with(relname, $1) and relkind = 'r'
         and relallvisible < relpages`,
      [table],
    )
    if (rows.length === 0) return
    await sleep(100)
  }
  throw new Error('vacuum could not mark all pages visible')
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

interface Plan {
  /** The types of the nodes that read relations. */
  kinds: string[]
  relations: string[]
  seq_scans: string[]
  buffers: number
}

type Explain = (statement: Sql) => [text: string, values: unknown[] | undefined]

/** The plan of the statement that `read` sends. */
async function planOf(
  read: (db: Queryable) => Promise<unknown>,
  explain: Explain = (statement) => [`${explaining} ${statement.text}`, statement.values],
): Promise<Plan> {
  let found: Plan | undefined
  const rows = async (statement: Sql) => {
    const [text, values] = explain(statement)
    const response = [await client.query(text, values)].flat().at(-1)!
    const root: Node = response.rows[0]['QUERY PLAN'][0].Plan
    const nodes = flatten(root).filter((node) => node['Relation Name'] !== undefined)
    const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
    found = {
      kinds: [...new Set(nodes.map((node) => node['Node Type']))],
      relations: [...new Set(nodes.map((node) => node['Relation Name']!))].sort(),
      seq_scans: scans.map((node) => node['Relation Name']!),
      buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    }
    return []
  }
  await read({ rows: rows as Queryable['rows'], row: undefined!, count: undefined! })
  return found!
}

const explaining = 'explain (analyze, buffers, format json)'

/** Explains the generic plan of a prepared statement. */
const generic: Explain = (statement) => {
  const values = statement.values.map((value) => `'{${(value as string[]).join(',')}}'`)
  const text = `deallocate all; set plan_cache_mode = force_generic_plan;
    prepare it as ${statement.text};
    ${explaining} execute it (${values.join(', ')})`
  return [text, undefined]
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}

const all: TransactionFilter = {
  account_id: large_account,
  status: undefined,
  type: undefined,
  first_id: undefined,
  last_id: undefined,
}
const top = { before: null, after: null, limit: 21 }
const page = (filter: Partial<TransactionFilter>, range: object = {}) =>
  planOf((db) => selectTransactionPage(db, { ...all, ...filter }, { ...top, ...range }))

const partitions = ['canceled', 'failed', 'pending', 'succeeded'].map(
  (one) => `transactions_${one}`,
)

test('a page of an account is read by index, at any depth', async () => {
  const at_top = await page({})
  assert.deepEqual(at_top.relations, partitions)
  assert.deepEqual(at_top.seq_scans, [])
  for (const range of [
    { before: id(rows_of_one) },
    { before: id(100) },
    { after: id(100) },
    { after: id(rows_of_one) },
  ]) {
    const plan = await page({}, range)
    assert.deepEqual(plan.seq_scans, [])
    // Allows for one more index level and rows on more pages.
    assert.ok(plan.buffers <= at_top.buffers * 1.5 + 8, `${plan.buffers} of ${at_top.buffers}`)
  }
})

test('a status filter reads only the partition of that status', async () => {
  for (const status of ['pending', 'succeeded', 'failed', 'canceled'] as const) {
    const plan = await page({ status })
    assert.deepEqual([plan.relations, plan.seq_scans], [[`transactions_${status}`], []])
  }
})

test('date filters use ranges of the same index', async () => {
  const around = { first_id: id(rows_of_one), last_id: id(rows_of_one + 500) }
  const { seq_scans, buffers } = await page(around)
  assert.deepEqual(seq_scans, [])
  assert.ok(buffers <= (await page({})).buffers * 1.5 + 8)
})

test('refunds and credits are found without scanning the payments', async () => {
  const refunds = await page({ type: 'refund' })
  assert.deepEqual(refunds.seq_scans, [])
  const none = await page({ type: 'credit' })
  assert.ok(refunds.buffers < 100, `${refunds.buffers} pages`)
  assert.ok(none.buffers < 20, `${none.buffers} pages for no rows`)
})

test('a page across accounts uses the index on ids', async () => {
  for (const range of [{}, { before: id(rows_of_one) }, { after: id(100) }]) {
    const plan = await page({ account_id: undefined }, range)
    assert.deepEqual(plan.seq_scans, [])
    assert.ok(plan.buffers < 100, `${plan.buffers} pages`)
  }
})

test('transactions by id are index lookups, also with a generic plan', async () => {
  const names = Array.from({ length: 64 }, (_, at) => ({
    account_id: large_account,
    id: id(at * 1_000),
  }))
  for (const explain of [undefined, generic]) {
    const mine = await planOf((db) => selectTransactions(db, names), explain)
    assert.ok(!mine.seq_scans.includes('transactions_succeeded'), String(mine.seq_scans))
    const ids = names.map((one) => one.id)
    const any = await planOf((db) => selectTransactionsById(db, ids), explain)
    assert.ok(!any.seq_scans.includes('transactions_succeeded'), String(any.seq_scans))
    assert.ok(mine.buffers < 64 * 16 && any.buffers < 64 * 16, JSON.stringify([mine, any]))
  }
})

test('a batch of changes finds its rows by index in one partition', async () => {
  const rows = Array.from({ length: 64 }, (_, at) =>
    rowOf({ account_id: large_account, id: id(at * 1_000 + 4), reference: 'changed' }),
  )
  await client.query('begin')
  const plan = await planOf(async (db) => {
    const send = (statement: Sql) => void sent.push(db.rows(statement))
    const sent: Promise<unknown>[] = []
    sendTransactionChanges(
      { send } as unknown as Tx,
      rows.map((row) => [{ ...row, status: 'succeeded' }, 'succeeded']),
    )
    await Promise.all(sent)
  })
  await client.query('rollback')
  const stored = plan.relations.filter((relation) => relation !== 'transactions')
  assert.deepEqual([stored, plan.seq_scans], [['transactions_succeeded'], []])
})

test('volumes are summed with index-only scans', async () => {
  // Twenty ranges that contain all rows of the account, like the days of a report.
  const piece = (rows_of_one * 2) / 20
  const ranges = Array.from({ length: 20 }, (_, at) => ({
    first_id: id(at * piece),
    last_id: id((at + 1) * piece - 1),
  }))
  const plan = await planOf((db) => selectVolumes(db, large_account, ranges))
  assert.deepEqual(plan.kinds, ['Index Only Scan'])
  assert.deepEqual(plan.relations, partitions)
  // An index page holds about ninety rows, and each range descends into four indexes.
  assert.ok(plan.buffers < rows_of_one / 50 + 20 * 4 * 4, `${plan.buffers} buffers`)
})

test('declined cards are counted with an index-only scan', async () => {
  await client.query(
    `insert into payment_attempts (account_id, payment_id, number, created_at, outcome,
       decline_code, card_brand, card_last4)
     select $1::uuid, gen_random_uuid(), 1, to_timestamp($2::bigint / 1000 + n),
       case when n % 10 = 0 then 'declined' else 'succeeded' end,
       case when n % 10 = 0 then 'card_declined' end, 'visa', '0002'
     from generate_series(0, 9999) as n`,
    [large_account, start_ms],
  )
  await vacuum('payment_attempts')
  const spans = Array.from({ length: 20 }, (_, at) => ({
    from: new Date(start_ms + at * 500_000),
    to: new Date(start_ms + (at + 1) * 500_000 - 1),
  }))
  const plan = await planOf((db) => countDeclines(db, large_account, spans))
  assert.deepEqual([plan.relations, plan.kinds], [['payment_attempts'], ['Index Only Scan']])
  // A thousand declines take a few index pages; the table has a hundred pages.
  assert.ok(plan.buffers < 20 * 4, `${plan.buffers} buffers`)
})
