// Lanes by account, commands in arrival order, one lock order, two flushes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { TransactionLanes, transactionLane } from '../../src/transactions/lanes.ts'
import { noPaymentRequests } from '../../src/transactions/payment-requests.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { patient, startFlorin } from '../support/florin.ts'
import { disableIndexScans } from '../support/postgres.ts'
import { createOf, entryOf, outcomeCode } from './entries.ts'
import {
  holdLock,
  openTransactionFixtures,
  type Shop,
  waitForWaiters,
} from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

/** Submits these refunds while the lane is busy, so that they form one batch, in this order. */
async function refundInOneBatch(shop: Shop, amounts: number[]): Promise<string[]> {
  const lanes = new TransactionLanes(florin.db, patient)
  const release = await holdLock(florin, shop)
  const first = lanes.submit(entryOf(shop, createOf(shop)))
  await waitForWaiters(florin)
  const refunds = amounts.map((amount) =>
    outcomeCode(lanes.submit(entryOf(shop, createOf(shop, { type: 'refund', amount })))),
  )
  assert.equal(lanes.waiting, amounts.length)
  await release()
  await first
  return Promise.all(refunds)
}

test('commands of a batch are decided in arrival order', async () => {
  const no = 'insufficient_funds'
  const shop = await fixtures.shop(100)
  assert.deepEqual(await refundInOneBatch(shop, [60, 60, 40]), ['ok', no, 'ok'])
  const other = await fixtures.shop(100)
  assert.deepEqual(await refundInOneBatch(other, [40, 60, 60]), ['ok', 'ok', no])
})

test('postings and ids of a batch are in arrival order', async () => {
  const shop = await fixtures.shop()
  const lanes = new TransactionLanes(florin.db, patient)
  const amounts = Array.from({ length: 50 }, (_, at) => ((at * 37) % 50) + 1)
  await Promise.all(
    amounts.map((amount) => lanes.submit(entryOf(shop, createOf(shop, { amount })))),
  )
  const ordered = async (text: string) =>
    (await florin.db.pool.query(text, [shop.uuid])).rows.map((row) => row.amount)
  const by_id = 'select amount from transactions where account_id = $1 order by id'
  const by_sequence = 'select amount from postings where account_id = $1 order by sequence'
  assert.deepEqual(await ordered(by_id), amounts)
  assert.deepEqual(await ordered(by_sequence), amounts)
})

test('commands of a locked account stay in order, and other accounts do not wait', async () => {
  const [shop, other] = [await fixtures.shop(), await fixtures.shop()]
  const { id } = (await fixtures.create(shop)).body
  const row = await florin.db.pool.query('select id from transactions where account_id = $1', [
    shop.uuid,
  ])
  assert.ok(id)
  const lanes = new TransactionLanes(florin.db, patient)
  const release = await holdLock(florin, shop)
  const create = lanes.submit(entryOf(shop, createOf(shop)))
  await waitForWaiters(florin)
  const end = { kind: 'end', to: 'canceled', if_not_pending: 'not_cancellable' } as const
  const cancel = lanes.submit(
    entryOf(shop, { ...end, account_id: shop.uuid, id: row.rows[0].id }, { status: 200 }),
  )
  await lanes.submit(entryOf(other, createOf(other)))
  assert.equal(lanes.waiting, 1, 'the cancellation waits behind the creation of the same account')
  await release()
  await Promise.all([create, cancel])
})

test('a batch that waits locks its accounts in id order', async () => {
  const first = await fixtures.shop()
  const second = await fixtures.shop()
  assert.ok(first.uuid < second.uuid)
  // The update moves the first row behind the second in the table, so a sequential scan, which the
  // planner may choose at any time, reads it last.
  await fixtures.create(first)
  await disableIndexScans(florin.db.pool)
  const db = openDatabase(florin.connection)
  const release = await holdLock(florin, first)
  const entries = [second, first].map((shop) => entryOf(shop, createOf(shop)))
  const sent = transactionLane(noPaymentRequests)(db).waiting(entries)
  await waitForWaiters(florin)
  const free = await florin.db.pool.query(
    'select 1 from balances where account_id = $1 for update skip locked',
    [second.uuid],
  )
  assert.equal(free.rowCount, 1, 'the second is not locked while the batch waits for the first')
  await release()
  assert.equal((await sent).length, 2)
  await db.close()
})

test('concurrent batches of two processes over the same accounts never deadlock', async () => {
  const shops = await Promise.all(Array.from({ length: 12 }, () => fixtures.shop()))
  const states: string[] = []
  const pools = [0, 1].map(() => openDatabase(florin.connection))
  for (const { pool } of pools) pool.on('connect', (client) => noteStates(client, states))
  const lanes = pools.map((db) => new TransactionLanes(db, patient))
  let done = 0
  for (let round = 0; round < 40; round++) {
    const sent = lanes.flatMap((lane) =>
      shuffled(shops).map((shop) => lane.submit(entryOf(shop, createOf(shop)))),
    )
    done += (await Promise.all(sent)).length
  }
  await Promise.all(pools.map((db) => db.close()))
  assert.deepEqual(states, [])
  assert.equal(done, 40 * 2 * shops.length)
})

/** Records every SQLSTATE that this connection receives. */
function noteStates(client: unknown, states: string[]): void {
  const { connection } = client as { connection: NodeJS.EventEmitter }
  connection.on('errorMessage', ({ code }: { code: string }) => states.push(code))
}

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)
}

test('a batch is two flushes: locks and reads, then writes and COMMIT', async () => {
  const proxy = await startCommitProxy(florin.connection)
  const db = openDatabase(proxy.connection)
  const lanes = new TransactionLanes(db, patient)
  const shop = await fixtures.shop(1_000)
  // The first batch prepares the statements.
  await lanes.submit(entryOf(shop, createOf(shop)))
  proxy.flushes.length = 0
  const commands = [createOf(shop), createOf(shop, { type: 'refund', amount: 1 })]
  await Promise.all(commands.map((command) => lanes.submit(entryOf(shop, command))))
  assert.deepEqual(proxy.flushes, [2])
  await db.close()
})
