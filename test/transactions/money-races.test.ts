// Race conditions on money, with two servers on one database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures, tally } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openTransactionFixtures(florin)
const calls = [florin.call, other.call]

test('of 200 parallel refunds of 1, exactly 100 succeed with 100 available', async () => {
  const shop = await fixtures.shop()
  for (let round = 0; round < 10; round++) {
    await fixtures.fund(shop, 100)
    const sent = Array.from({ length: 200 }, (_, at) =>
      fixtures.refund(shop, 1, undefined, { call: calls[at % 2] }),
    )
    assert.deepEqual(tally(await Promise.all(sent)), { 201: 100, '402 insufficient_funds': 100 })
    const { available, held } = await fixtures.balance(shop)
    assert.deepEqual([available, held], [0, 100 * (round + 1)])
  }
})

test('of 16 parallel cancellations and two settlements, exactly one succeeds', async () => {
  const shop = await fixtures.shop()
  const winners: Record<string, number> = {}
  const rounds = process.env.FLORIN_LONG ? 100 : 30
  for (let round = 0; round < rounds; round++) {
    const { id } = (await fixtures.create(shop, { amount: 1 })).body
    const path = `/v1/transactions/${id}`
    const asAdmin = (outcome: string) => ({ token: fixtures.admin.token, body: { outcome } })
    const senders = [
      ...Array.from({ length: 16 }, (_, at) => () => {
        return calls[at % 2]!('DELETE', path, { token: shop.token })
      }),
      () => florin.call('POST', `${path}/settle`, asAdmin('succeeded')),
      () => other.call('POST', `${path}/settle`, asAdmin('failed')),
    ]
    // The first request has an advantage, so rotate the order.
    const from = (round * 7) % senders.length
    const rotated = [...senders.slice(from), ...senders.slice(0, from)]
    const responses = await Promise.all(rotated.map((send) => send()))
    const won = responses.filter(({ status }) => status === 200)
    assert.equal(won.length, 1, JSON.stringify(tally(responses)))
    assert.ok(responses.every(({ status }) => status === 200 || status === 409))
    const ended = (await fixtures.get(shop, id)).body.status
    assert.equal(won[0]!.body.status, ended, 'the response matches the stored status')
    winners[ended] = (winners[ended] ?? 0) + 1
  }
  const { incoming, available, held } = await fixtures.balance(shop)
  assert.deepEqual([incoming, available, held], [0, winners.succeeded ?? 0, 0])
})

test('of 40 parallel refunds of 300 linked to a payment of 1,000, three succeed', async () => {
  const shop = await fixtures.shop(20_000)
  for (let round = 0; round < 5; round++) {
    const payment = await fixtures.fund(shop, 1_000)
    const sent = Array.from({ length: 40 }, (_, at) =>
      fixtures.refund(shop, 300, payment, { call: calls[at % 2] }),
    )
    assert.deepEqual(tally(await Promise.all(sent)), { 201: 3, '400 invalid_request': 37 })
  }
})

test('50 parallel requests with one key create one row; each gets it or a 409', async () => {
  const shop = await fixtures.shop()
  for (let round = 0; round < 5; round++) {
    const headers = { 'idempotency-key': `fifty ${round}` }
    const sent = Array.from({ length: 50 }, (_, at) =>
      fixtures.create(shop, {}, { headers, call: calls[at % 2]! }),
    )
    const responses = await Promise.all(sent)
    const {
      201: created = 0,
      '409 idempotency_conflict': conflicts = 0,
      ...rest
    } = tally(responses)
    assert.deepEqual(rest, {})
    assert.ok(created >= 1 && created + conflicts === 50)
    const texts = responses.filter(({ status }) => status === 201).map(({ text }) => text)
    assert.equal(new Set(texts).size, 1)
    assert.equal(await fixtures.count(shop), round + 1)
  }
})

test('with half of all writes retried, nothing happens twice', async () => {
  const shop = await fixtures.shop(10_000)
  const done = new Map<string, ApiResponse>()
  async function write(number: number): Promise<void> {
    const key = `write ${number}`
    const refund = number % 3 === 0
    const body = refund ? { type: 'refund', amount: 1 + (number % 5) } : { amount: number + 1 }
    const options = { headers: { 'idempotency-key': key } }
    const send = (at: number) => fixtures.create(shop, body, { ...options, call: calls[at % 2]! })
    const sent = [send(number)]
    // Some are retried while the first is in flight, some afterwards.
    if (number % 4 === 0) sent.push(send(number + 1))
    const responses = await Promise.all(sent)
    if (number % 4 === 1) responses.push(await send(number + 1))
    const good = responses.filter(({ status }) => status === 201)
    assert.ok(good.length >= 1, responses[0]!.text)
    for (const { status, text } of responses) {
      assert.ok(status === 409 || (status === 201 && text === good[0]!.text), text)
    }
    done.set(key, good[0]!)
  }
  const before = await fixtures.count(shop)
  for (let from = 0; from < 400; from += 80) {
    await Promise.all(Array.from({ length: 80 }, (_, at) => write(from + at)))
  }
  assert.equal((await fixtures.count(shop)) - before, 400)
  assert.equal(new Set([...done.values()].map(({ body }) => body.id)).size, 400)
})

test('50 parallel changes to different metadata keys are all stored', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  const sent = Array.from({ length: 50 }, (_, at) =>
    calls[at % 2]!('PATCH', `/v1/transactions/${id}`, {
      token: shop.token,
      body: { metadata: { [`key_${at}`]: at } },
    }),
  )
  assert.deepEqual(tally(await Promise.all(sent)), { 200: 50 })
  const { metadata } = (await fixtures.get(shop, id)).body
  const expected = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key_${at}`, at]))
  assert.deepEqual(metadata, expected)
})
