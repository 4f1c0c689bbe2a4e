// `florin verify` while the database is in use: no false positives, and no locks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyDatabase } from '../../src/operations/verify-database.ts'
import { confirmDifferences, type Difference } from '../../src/postgres/difference.ts'
import { startFlorin } from '../support/florin.ts'
import {
  holdLock,
  openTransactionFixtures,
  type Shop,
} from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

const random = (count: number) => Math.floor(Math.random() * count)

/** Makes a random change to an account, its money or its users. */
async function trade(shop: Shop, ids: string[]): Promise<void> {
  const { token } = shop
  const id = ids[random(ids.length)] ?? 'txn_none'
  switch (random(8)) {
    case 0:
      return void (await fixtures.refund(shop, 1 + random(50), random(2) === 0 ? id : undefined))
    case 1:
      return void (await fixtures.cancel(shop, id))
    case 2:
      return void (await fixtures.patch(shop, id, { metadata: { seen: random(100) } }))
    case 3:
      return void (await fixtures.settle(id, random(4) === 0 ? 'failed' : 'succeeded'))
    case 4:
      await florin.people.member(shop)
      return
    case 5: {
      const body = { name: `Name ${random(1_000)}` }
      return void (await florin.call('PATCH', '/v1/account', { token, body }))
    }
    default: {
      const created = await fixtures.create(shop, { amount: 1 + random(100) })
      ids.push(created.body.id)
    }
  }
}

test('verify finds no differences during concurrent writes', async () => {
  let writes = 0
  let stopped = false
  const write = async () => {
    while (!stopped) {
      const shop = await fixtures.shop(100)
      const ids: string[] = []
      for (let step = 0; step < 40 && !stopped; step += 1) {
        await trade(shop, ids)
        writes += 1
      }
      // Half of the accounts are closed.
      if (random(2) === 0) await florin.call('DELETE', '/v1/account', { token: shop.token })
    }
  }
  const writers = Array.from({ length: 6 }, write)
  const differences: Difference[] = []
  let busy_rounds = 0
  // At least five seconds, and longer on a busy machine until enough rounds overlap writes.
  for (const end = performance.now() + 5_000; performance.now() < end || busy_rounds < 10; ) {
    const before = writes
    await verifyDatabase(florin.db, { onDifference: (one) => differences.push(one) })
    if (writes > before) busy_rounds += 1
  }
  stopped = true
  await Promise.all(writers)
  assert.deepEqual(differences, [])
})

const inProgress = (object: string, found = ''): Difference => {
  return { rule: 'transfers_arrive_once', account_id: null, object, found, expected: '' }
}

/** What a verification finds at first and in each repetition, in batches that end at `next`. */
async function confirmed(...passes: { differences: Difference[]; next?: string }[]) {
  const left = [...passes]
  const { differences } = await confirmDifferences(passes.length - 1, async () => left.shift()!)
  return { objects: differences.map(({ object, found }) => object + found), left: left.length }
}

test('reports what every repetition finds, and not what was in progress in each', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((object) => inProgress(object))
  const other = { differences: [a!, b!] }
  assert.deepEqual(await confirmed(other, { differences: [c!] }, other), { objects: [], left: 1 })
  const lasting = inProgress('b', ' now')
  const passes = [other, { differences: [b!, c!] }, { differences: [c!, lasting, a!] }]
  assert.deepEqual(await confirmed(...passes), { objects: ['b now'], left: 0 })
  assert.deepEqual(await confirmed(other), { objects: ['a', 'b'], left: 0 })
})

test('a repetition with other accounts does not hide a difference of these', async () => {
  const [a, b] = ['a', 'b'].map((object) => inProgress(object))
  const passes = [
    { differences: [a!], next: '1' },
    { differences: [a!, b!], next: '2' },
    { differences: [b!], next: '2' },
  ]
  assert.deepEqual(await confirmed(...passes), { objects: ['b'], left: 0 })
})

test('verify neither waits for locks nor holds any', async () => {
  const shop = await fixtures.shop(100)
  const release = await holdLock(florin, shop)
  const verified = verifyDatabase(florin.db, { onDifference: () => {} })
  const first = await Promise.race([verified, sleep(5_000, 'timeout', { ref: false })])
  await release()
  assert.notEqual(first, 'timeout')
  assert.equal((await fixtures.create(shop)).status, 201)
})

test('verify reports its progress and totals', async () => {
  const progress: { postings: number; of: number }[] = []
  const sum = await verifyDatabase(florin.db, {
    onDifference: () => {},
    onProgress: (done) => progress.push(done),
  })
  const { rows } = await florin.db.pool.query(`select
    (select count(*)::int from balances) as accounts,
    (select count(*)::int from transactions) as transactions,
    (select count(*)::int from postings) as postings, 0 as differences`)
  assert.deepEqual(sum, rows[0])
  assert.deepEqual(progress.at(-1), { postings: sum.postings, of: sum.postings })
})
