// The postings of each transaction type and outcome, balance limits, and database constraints.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { amount_max } from '../../src/primitives/money.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import { checkInvariants } from '../support/invariants.ts'
import { createOf, entryOf } from './entries.ts'
import { openTransactionFixtures, type Shop } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const { pool } = florin.db

type Balances = [available: number, incoming: number, held: number]

async function bucketsOf(shop: Shop): Promise<Balances> {
  const { available, incoming, held } = await fixtures.balance(shop)
  return [available, incoming, held]
}

async function movementsOf(shop: Shop, from: number): Promise<string[]> {
  const text = `select movement || ' ' || amount as line from postings
    where account_id = $1 and sequence > $2 order by sequence`
  return (await pool.query(text, [shop.uuid, from])).rows.map((row) => row.line)
}

// Written by hand; every account starts with 1,000 available.
const table: [type: string, ending: string, created: Balances, ended: Balances, moves: string][] = [
  ['payment', 'succeeded', [1000, 70, 0], [1070, 0, 0], 'arrive 70, settle 70'],
  ['payment', 'failed', [1000, 70, 0], [1000, 0, 0], 'arrive 70, return 70'],
  ['payment', 'canceled', [1000, 70, 0], [1000, 0, 0], 'arrive 70, return 70'],
  ['credit', 'succeeded', [1000, 70, 0], [1070, 0, 0], 'arrive 70, settle 70'],
  ['credit', 'failed', [1000, 70, 0], [1000, 0, 0], 'arrive 70, return 70'],
  ['credit', 'canceled', [1000, 70, 0], [1000, 0, 0], 'arrive 70, return 70'],
  ['refund', 'succeeded', [930, 0, 70], [930, 0, 0], 'hold 70, pay_out 70'],
  ['refund', 'failed', [930, 0, 70], [1000, 0, 0], 'hold 70, release 70'],
  ['refund', 'canceled', [930, 0, 70], [1000, 0, 0], 'hold 70, release 70'],
]

for (const [type, ending, created, ended, moves] of table) {
  test(`a ${ending} ${type} moves money according to the table, exactly once`, async () => {
    const shop = await fixtures.shop(1_000)
    const transaction = await fixtures.create(shop, { type, amount: 70 })
    assert.equal(transaction.body.status, 'pending')
    assert.deepEqual(await bucketsOf(shop), created)
    const end = () =>
      ending === 'canceled'
        ? fixtures.cancel(shop, transaction.body.id)
        : fixtures.settle(transaction.body.id, ending as 'succeeded' | 'failed')
    assert.equal((await end()).body.status, ending)
    assert.deepEqual(await bucketsOf(shop), ended)
    for (const again of [
      fixtures.cancel(shop, transaction.body.id),
      fixtures.settle(transaction.body.id),
      fixtures.settle(transaction.body.id, 'failed'),
    ]) {
      assert.equal((await again).status, 409)
    }
    assert.deepEqual(await bucketsOf(shop), ended)
    assert.equal((await movementsOf(shop, 2)).join(', '), moves)
    assert.equal((await fixtures.get(shop, transaction.body.id)).body.status, ending)
  })
}

// None of these violates a CHECK constraint; only the invariant checks find them.
const damages: Record<string, string> = {
  'a balance that is too high': 'update balances set available = available + 1',
  'a missing posting': 'delete from postings where sequence = 2',
  'a posting with a wrong amount': 'update postings set amount = amount + 1',
  'a posting with a wrong movement': "update postings set movement = 'return' where sequence = 2",
  'a skipped sequence number': `
    update postings set sequence = 99 where sequence = 4;
    update balances set posting_sequence = 99 where posting_sequence = 4`,
  'a wrong balance after a posting': 'update postings set available_after = available_after + 1',
  'a status without its posting':
    "update transactions set status = 'failed' where status = 'pending'",
  'a transaction without postings': `insert into transactions
    select account_id, account_id, 'failed', 1, currency, 'payment', null, null, last_at
    from balances`,
  'a refund that counts twice': 'update refund_totals set amount = amount * 2',
  'a decreasing time': "update postings set at = at - interval '1 day' where sequence = 3",
  'a last id that is not the latest':
    "update balances set last_transaction_id = '00000000-0000-0000-0000-000000000000'",
}

test('the invariant checks that run after every test find every kind of damage', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.fund(shop, 100)
  await fixtures.refund(shop, 30, payment)
  await fixtures.create(shop)
  assert.equal((await movementsOf(shop, 0)).length, 4)
  for (const [name, text] of Object.entries(damages)) {
    const client = new pg.Client({ ...florin.connection })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(text)
      await assert.rejects(checkInvariants(client as unknown as pg.Pool), /violated/, name)
    } finally {
      await client.end()
    }
  }
})

test('a refund is limited to the available balance, without incoming and held', async () => {
  const shop = await fixtures.shop(100)
  await fixtures.create(shop, { amount: 500 })
  const held = await fixtures.refund(shop, 60)
  const refused = await fixtures.refund(shop, 41)
  assert.deepEqual([refused.status, refused.body.error], [402, 'insufficient_funds'])
  assert.deepEqual(await bucketsOf(shop), [40, 500, 60])
  assert.equal((await fixtures.refund(shop, 40)).status, 201)
  await fixtures.cancel(shop, held.body.id)
  assert.equal((await fixtures.refund(shop, 60)).status, 201)
  assert.deepEqual(await bucketsOf(shop), [0, 500, 100])
})

test('a balance above 2^53 − 1 is rejected; balances up to it are exact', async () => {
  const shop = await fixtures.shop()
  const lanes = new TransactionLanes(florin.db, { queue_max: 100_000, age_max_ms: 60_000 })
  const whole = Math.floor(Number.MAX_SAFE_INTEGER / amount_max)
  const largest = createOf(shop, { amount: amount_max })
  await Promise.all(Array.from({ length: whole }, () => lanes.submit(entryOf(shop, largest))))
  const left = Number.MAX_SAFE_INTEGER - whole * amount_max
  const over = await fixtures.create(shop, { amount: left + 1 })
  assert.deepEqual([over.status, over.body.error], [400, 'invalid_request'])
  assert.match(over.body.message, /^"amount" .*9007199254740991/)
  const last = await fixtures.create(shop, { amount: left })
  assert.equal(last.status, 201)
  assert.deepEqual(await bucketsOf(shop), [0, Number.MAX_SAFE_INTEGER, 0])
  assert.equal((await fixtures.create(shop, { amount: 1 })).status, 400)
  // All buckets count towards the limit; money that was paid out does not.
  await fixtures.settle(last.body.id)
  assert.equal((await fixtures.create(shop, { type: 'credit', amount: 1 })).status, 400)
  const refund = await fixtures.refund(shop, 1)
  assert.equal((await fixtures.create(shop, { amount: 1 })).status, 400)
  await fixtures.settle(refund.body.id)
  assert.equal((await fixtures.create(shop, { amount: 1 })).status, 201)
})

// Writes that application code would have to let through first, by constraint.
const violations: Record<string, (shop: Shop) => string> = {
  balances_available_must_not_be_negative: (shop) =>
    `update balances set available = -1 where account_id = '${shop.uuid}'`,
  balances_incoming_must_not_be_negative: (shop) =>
    `update balances set incoming = -1 where account_id = '${shop.uuid}'`,
  balances_held_must_not_be_negative: (shop) =>
    `update balances set held = -1 where account_id = '${shop.uuid}'`,
  transactions_amount_in_range: () => 'update transactions set amount = 0',
  transactions_type_is_known: () => "update transactions set type = 'gift'",
  refund_totals_must_not_be_negative: (shop) =>
    `insert into refund_totals values ('${shop.uuid}', '${shop.uuid}', -1)`,
  refund_totals_succeeded_in_range: (shop) =>
    `insert into refund_totals values ('${shop.uuid}', '${shop.uuid}', 1, 2)`,
  postings_movement_is_known: () => "update postings set movement = 'vanish'",
  postings_amount_is_positive: () => 'update postings set amount = 0',
  postings_pkey: () =>
    `insert into postings select account_id, sequence, transaction_id, 'settle', 1, 1, at
     from postings limit 1`,
  idempotency_keys_pkey: (shop) =>
    `insert into idempotency_keys
     select '${shop.uuid}', 'k', 'f', now(), 201, 'b' from generate_series(1, 2)`,
}

test('database constraints reject invalid rows', async () => {
  const shop = await fixtures.shop(100)
  for (const [constraint, write] of Object.entries(violations)) {
    await assert.rejects(pool.query(write(shop)), { constraint }, constraint)
  }
  const unknown_status = "update transactions set status = 'lost'"
  await assert.rejects(pool.query(unknown_status), { code: '23514' }, 'there is no partition')
})
