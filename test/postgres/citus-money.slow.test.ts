// Money on a Citus cluster: each change is a transaction of one shard, without two-phase commit.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moveClock } from '../../src/postgres/clock.ts'
import { type Connection, openDatabase } from '../../src/postgres/database.ts'
import { sandboxProcessor } from '../../src/processors/processor.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { dueSettlementJob } from '../../src/transactions/settle-due.ts'
import { distributedDatabase, without_citus } from '../support/citus.ts'
import { countShards, measure } from '../support/citus-counters.ts'
import { patient, type SecondServer } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { type Owner, People } from '../support/people.ts'

const options = { skip: without_citus }
const total = 1_000
const at_once = 32

const database = without_citus ? undefined : await distributedDatabase()
after(() => database?.drop())

/** Runs them in order of arrival, some at a time. */
async function forEach<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const run = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: at_once }, run))
}

async function openOwners(connection: Connection, count: number): Promise<Owner[]> {
  const db = openDatabase(connection)
  const people = new People(db)
  const owners = await Promise.all(Array.from({ length: count }, () => people.owner()))
  await db.close()
  return owners
}

async function create(florin: SecondServer, owner: Owner, key: string, more: object) {
  const { account_id, token } = owner
  const body = { account_id, amount: 100, currency: 'USD', ...more }
  const headers = { 'idempotency-key': key }
  const sent = await florin.call('POST', '/v1/transactions', { token, headers, body })
  assert.equal(sent.status, 201, sent.text)
  return sent.body.id as string
}

test(
  '1,000 creates, settlements, refunds and cancellations are one task each',
  options,
  async () => {
    const on = database!
    await countShards(on)
    const owners = await openOwners(on.connection, 12)
    const numbers = Array.from({ length: total }, (_, at) => at)
    const ownerOf = (at: number) => owners[at % owners.length]!

    const payments: string[] = []
    const created = await measure(on, (florin) =>
      forEach(numbers, async (at) => {
        payments[at] = await create(florin, ownerOf(at), `create-${at}`, { type: 'payment' })
      }),
    )
    assert.deepEqual([created.multi, created.prepared], [0, 0])
    assert.ok(created.single > 0)

    const clock = openDatabase(on.connection, { clients_max: 1 })
    await clock.transaction((tx) => moveClock(tx, 60_000))
    await clock.close()
    let rounds = 0
    const settled = await measure(on, async ({ db }) => {
      const parts = {
        db,
        lanes: new TransactionLanes(db, patient),
        processor: sandboxProcessor(30),
      }
      const errors: unknown[] = []
      const settle = dueSettlementJob(parts, (error) => errors.push(error))
      const { signal } = new AbortController()
      for (let done = 0; done < total; rounds++) {
        done += (await settle({ slots: [...Array(16).keys()], signal })).done
        assert.deepEqual(errors, [])
      }
    })
    assert.equal(settled.prepared, 0)
    assert.ok(settled.multi <= 17 * rounds, 'only the search for due rows reads several shards')

    const refunds: string[] = []
    const refunded = await measure(on, (florin) =>
      forEach(numbers, async (at) => {
        const refund = { type: 'refund', reference: payments[at] }
        refunds[at] = await create(florin, ownerOf(at), `refund-${at}`, refund)
      }),
    )
    assert.deepEqual([refunded.multi, refunded.prepared], [0, 0])
    const canceled = await measure(on, (florin) =>
      forEach(numbers, async (at) => {
        const { token } = ownerOf(at)
        const sent = await florin.call('DELETE', `/v1/transactions/${refunds[at]}`, { token })
        assert.equal(sent.status, 200, sent.text)
      }),
    )
    assert.deepEqual([canceled.multi, canceled.prepared], [0, 0])

    const db = openDatabase(on.connection)
    await checkInvariants(db.pool)
    await assertVerifyPasses(db)
    const { rows } = await db.pool.query(
      `select type, status, count(*)::int as n
       from transactions group by type, status order by type`,
    )
    await db.close()
    assert.deepEqual(rows, [
      { type: 'payment', status: 'succeeded', n: total },
      { type: 'refund', status: 'canceled', n: total },
    ])
  },
)
