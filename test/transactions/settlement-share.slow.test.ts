// Limits of settlement: a quarter of a batch, none of the queue for requests, and few pages read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AccountLanes } from '../../src/lanes/account-lanes.ts'
import type { QueueLimits } from '../../src/lanes/entry-queue.ts'
import type { LaneEntry, Outcome } from '../../src/lanes/lane-entry.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { sandboxProcessor } from '../../src/processors/processor.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { selectDue } from '../../src/transactions/queries.ts'
import { settleAllDue } from '../../src/transactions/settle-due.ts'
import { startFlorin } from '../support/florin.ts'
import { rollBackAfter } from '../support/without-timeout.ts'
import { makeDue, settledOnce, shopsInSlots } from './due.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransactionFixtures(florin)

interface Item extends LaneEntry {
  n: number
}

/** A lane that only records its batches; each takes `batch_ms`. */
function recordingLane(limits: QueueLimits, batch_ms = 10) {
  const batches: Item[][] = []
  const run = async (items: Item[]): Promise<Outcome<number>[]> => {
    batches.push(items)
    await sleep(batch_ms)
    return items.map(({ n }) => ({ value: n }))
  }
  const lane = new AccountLanes({ skipping: run, waiting: run }, limits)
  return { batches, lane }
}

function item(n: number, background: boolean, account_id = 'a'): Item {
  return { n, background, account_id, isWanted: () => true }
}

const settlements = (items: Item[]) => items.filter(({ background }) => background).length

test('at most a quarter of a batch is settlements, with and without requests', async () => {
  const { batches, lane } = recordingLane({
    batch_max: 16,
    queue_max: 1_000,
    age_max_ms: 10_000,
  })
  const due = Array.from({ length: 60 }, (_, n) => lane.submit(item(n, true)))
  const requests = Array.from({ length: 60 }, (_, n) => lane.submit(item(n, false)))
  await Promise.all(requests)
  const first = batches.slice(0, 5)
  assert.equal(first.flat().length - settlements(first.flat()), 60, 'twelve requests per batch')
  for (const batch of first) assert.equal(settlements(batch), 4)
  await Promise.all(due)
  assert.equal(batches.length, 15)
  for (const batch of batches) assert.ok(settlements(batch) <= 4)
  assert.ok(batches.every((batch) => batch.length <= 16))
})

test('within a batch, requests precede settlements, each in arrival order', async () => {
  const { batches, lane } = recordingLane({ batch_max: 16, queue_max: 100, age_max_ms: 1_000 })
  const sent = [item(1, true), item(2, false), item(3, true), item(4, false)]
  await Promise.all(sent.map((entry) => lane.submit(entry)))
  assert.deepEqual(
    batches[0]!.map(({ n }) => n),
    [2, 4, 1, 3],
  )
})

test('queued settlements do not count towards the limits of requests', async () => {
  const { lane } = recordingLane({ batch_max: 4, queue_max: 20, age_max_ms: 1_000 }, 150)
  const due = Array.from({ length: 20 }, (_, n) => lane.submit(item(n, true)))
  assert.equal(lane.areFull(), false)
  await lane.submit(item(21, false))
  await sleep(1_000)
  assert.ok(lane.waiting > 0, 'some wait longer than the limit for requests')
  assert.equal(lane.areFull(), false)
  await lane.submit(item(22, false))
  await Promise.all(due)
  assert.throws(
    () => Array.from({ length: 21 }, (_, n) => lane.submit(item(n, true)).catch(() => {})),
    /too busy/,
  )
})

test('settlements are committed in batches of at most 64', async () => {
  const shops = await shopsInSlots(fixtures, 3)
  await makeDue(florin, shops, 500)
  const lanes = new TransactionLanes(florin.db)
  const by = new Date(Date.now() + 1_000)
  await settleAllDue({ db: florin.db, lanes, processor: sandboxProcessor(0) }, by, 60_000)
  await settledOnce(florin)
  const { rows } = await florin.db.pool.query(`
    select count(*)::int as n
    from postings
    where movement = 'settle'
    group by xmin::text`)
  assert.equal(
    rows.reduce((sum, { n }) => sum + n, 0),
    500,
  )
  for (const { n } of rows) assert.ok(n <= 64, `${n} in one database transaction`)
})

test('due rows are found by index despite a long backlog of another slot', async () => {
  const statement = await captured((db) =>
    selectDue(db, {
      by: new Date(),
      slots: [5],
      limit: 64,
      excluded_ids: [],
      except_account_ids: [],
    }),
  )
  await rollBackAfter(florin.db.pool, async (query) => {
    // Fifty thousand due rows of slot 4, followed by three of slot 5.
    await query(`
      insert into transactions (account_id, id, status, amount, currency, type, due_at, updated_at)
      select ('00000000-0000-7000-8000-00000000000'
          || case when n <= 50000 then 4 else 5 end)::uuid,
        gen_random_uuid(), 'pending', 1, 'USD', 'payment',
        now() - interval '1 day' + n * interval '1 ms', now()
      from generate_series(1, 50003) as n`)
    await query('analyze transactions_pending')
    const { rows } = await query(
      `explain (analyze, buffers, format json) ${statement.text}`,
      statement.values,
    )
    const [{ Plan: plan }] = rows[0]['QUERY PLAN']
    const nodes = nodesOf(plan)
    assert.ok(nodes.some((node) => node['Index Name'] === 'transactions_due'))
    assert.ok(!nodes.some((node) => /Seq Scan|Sort/.test(node['Node Type'])))
    assert.equal(plan['Actual Rows'], 3)
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    // The backlog alone has about five hundred pages; the cost of skipping it varies by a few.
    assert.ok(buffers <= 30, `${buffers} pages were read`)
  })
})

/** The statement that a query would send. */
async function captured(query: (db: Queryable) => Promise<unknown>): Promise<Sql> {
  let sent: Sql | undefined
  const rows = async (statement: Sql) => {
    sent = statement
    return []
  }
  await query({ rows } as unknown as Queryable)
  return sent!
}

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  Plans?: PlanNode[]
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
