// Backpressure: under overload, requests are rejected immediately, before any work is done, and
// requests of disconnected clients are dropped.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import type { ApiResponse } from '../support/call.ts'
import { patient, startFlorin } from '../support/florin.ts'
import { connect, parseResponses } from '../support/raw.ts'
import { until } from '../support/until.ts'
import { createOf, entryOf, outcomeCode } from './entries.ts'
import {
  holdLock,
  lockBalancesTable,
  openTransactionFixtures,
  tally,
  waitForWaiters,
} from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' }, {})
const fixtures = await openTransactionFixtures(florin)

function expectBusy(response: Pick<ApiResponse, 'status' | 'body'>): void {
  assert.deepEqual([response.status, response.body.error], [503, 'unavailable'])
  assert.match(response.body.message, /too busy/)
}

test('a full lane rejects requests before it reads the token or the body', async () => {
  const shop = await fixtures.shop()
  const release = await lockBalancesTable(florin)
  const in_flight = fixtures.create(shop)
  await waitForWaiters(florin)
  const queued = fixtures.create(shop)
  // As soon as the queued request is too old, the lane counts as full.
  let shed: ApiResponse | undefined
  await until(async () => {
    const response = await fixtures.create({ ...shop, token: 'fat_unknown' })
    shed = response
    return response.status === 503
  })
  expectBusy(shed!)
  assert.equal(shed!.headers.get('retry-after'), '1')
  expectBusy(await shedWithoutBody())
  const path = '/v1/transactions/txn_00000000000000000000000000'
  for (const [method, at] of [
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/settle`],
  ] as const) {
    expectBusy(await florin.call(method, at, { token: 'fat_unknown', body: {} }))
  }
  assert.equal(
    (await florin.call('GET', path, { token: shop.token })).status,
    404,
    'reads still work',
  )
  await release()
  expectBusy(await queued)
  // On a busy machine the lock may be released too late for the first request.
  const { status } = await in_flight
  assert.equal(await fixtures.count(shop), status === 201 ? 1 : 0)
  assert.equal((await fixtures.create(shop)).status, 201, 'requests succeed again')
})

/** Sends the head of a request, but never its body. */
async function shedWithoutBody(): Promise<Pick<ApiResponse, 'status' | 'body'>> {
  const socket = connect(florin.url)
  const head = [
    'POST /v1/transactions HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
  ]
  socket.write([...head, 'Content-Length: 200', '', ''].join('\r\n'))
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  await until(() => parseResponses(text).length > 0)
  socket.destroy()
  return parseResponses(text)[0]!
}

test('a request whose client disconnected is dropped without effect', async () => {
  const shop = await fixtures.shop()
  const release = await holdLock(florin, shop)
  const in_flight = fixtures.create(shop)
  await waitForWaiters(florin)
  const leaving = new AbortController()
  const body = { account_id: shop.account_id, amount: 7, currency: 'USD', type: 'payment' }
  const gone = fetch(`${florin.url}/v1/transactions`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  gone.catch(() => {})
  const stays = fixtures.create(shop, { amount: 8 })
  await sleep(100)
  leaving.abort()
  await assert.rejects(gone, { name: 'AbortError' })
  await sleep(50)
  await release()
  assert.deepEqual(tally(await Promise.all([in_flight, stays])), { 201: 2 })
  assert.equal(await fixtures.count(shop), 2)
})

test('the queue is bounded, and one account can use at most half of it', async () => {
  const shop = await fixtures.shop()
  const others = await Promise.all([fixtures.shop(), fixtures.shop()])
  const lanes = new TransactionLanes(florin.db, { queue_max: 8, ...patient })
  const release = await lockBalancesTable(florin)
  const submit = (one = shop) =>
    outcomeCode((async () => lanes.submit(entryOf(one, createOf(one))))())
  const in_flight = submit()
  await waitForWaiters(florin)
  const of_shop = [1, 2, 3, 4, 5, 6].map(() => submit())
  assert.equal(lanes.waiting, 4)
  assert.equal(lanes.areFull(), false)
  const of_others = others.flatMap((one) => [submit(one), submit(one), submit(one)])
  assert.equal(lanes.waiting, 8)
  assert.equal(lanes.areFull(), true)
  await release()
  const busy = 'unavailable'
  assert.equal(await in_flight, 'ok')
  assert.deepEqual(await Promise.all(of_shop), ['ok', 'ok', 'ok', 'ok', busy, busy])
  assert.deepEqual(await Promise.all(of_others), ['ok', 'ok', 'ok', 'ok', busy, busy])
})

test('requests take precedence over background work', async () => {
  const shop = await fixtures.shop()
  const lanes = new TransactionLanes(florin.db, {
    batch_max: 8,
    queue_max: 100,
    ...patient,
  })
  const release = await lockBalancesTable(florin)
  const done: string[] = []
  const submit = (background: boolean) =>
    lanes
      .submit(entryOf(shop, createOf(shop), { background }))
      .then(() => done.push(background ? 'background' : 'request'))
  const sent = [submit(false)]
  await waitForWaiters(florin)
  for (let count = 0; count < 40; count++) sent.push(submit(true))
  for (let request = 0; request < 6; request++) sent.push(submit(false))
  await release()
  await Promise.all(sent)
  // One in flight, then a batch of eight: a quarter is background work, the rest are requests.
  const first_batches = done.slice(0, 9).filter((kind) => kind === 'background')
  assert.equal(first_batches.length, 2)
  assert.equal(done.length, 47)
})
