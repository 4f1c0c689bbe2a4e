// POST /v1/transactions/bulk: all items or none, results per item, keys, events and limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { openTransactionFixtures, type Shop, tally } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const { db } = florin

const payment = (amount: number, more: object = {}) => ({
  amount,
  currency: 'USD',
  type: 'payment',
  ...more,
})
const refund = (amount: number, more: object = {}) => payment(amount, { type: 'refund', ...more })

interface BulkOptions extends CallOptions {
  atomic?: boolean
}

function createMany(shop: Shop, transactions: unknown, { atomic, ...options }: BulkOptions = {}) {
  const body = {
    account_id: shop.account_id,
    transactions,
    ...(atomic !== undefined && { atomic }),
  }
  return florin.call('POST', '/v1/transactions/bulk', { token: shop.token, body, ...options })
}

async function expectRefused(
  send: () => Promise<ApiResponse>,
  expected: [status: number, error: string],
  message: RegExp,
): Promise<void> {
  const response = await assertNoChanges(db.pool, send)
  assert.deepEqual([response.status, response.body.error], expected, response.text)
  assert.match(response.body.message, message)
}

/** The codes of the results: `created`, or the code of the error. */
function resultsOf({ body }: ApiResponse): string[] {
  return body.data.map((item: { error?: { error: string } }) => item.error?.error ?? 'created')
}

async function eventsOf(shop: Shop): Promise<{ sequence: number; type: string; data: string }[]> {
  const text = 'select sequence, type, data from events where account_id = $1 order by sequence'
  return (await db.pool.query(text, [shop.uuid])).rows
}

test('creates all items in their order, as single requests would', async () => {
  const shop = await fixtures.shop()
  const items = [payment(100, { reference: 'one' }), payment(200, { metadata: { n: [1] } })]
  const { status, body } = await createMany(shop, items)
  assert.equal(status, 200)
  const { data, ...totals } = body
  assert.deepEqual(totals, { object: 'bulk_result', created: 2, failed: 0 })
  assert.deepEqual(
    data.map((item: { result: string }) => item.result),
    ['created', 'created'],
  )
  const [first, second] = data.map((item: { transaction: { id: string } }) => item.transaction)
  assert.ok(first.id < second.id, 'ids are in the order of the items')
  const single = (await fixtures.create(shop)).body
  assert.deepEqual(Object.keys(first), Object.keys(single))
  for (const sent of [first, second]) {
    const { updated_at, ...found } = (await fixtures.get(shop, sent.id)).body
    assert.deepEqual(found, sent)
    assert.equal(updated_at, sent.created_at)
  }
  assert.deepEqual([first.reference, second.metadata], ['one', { n: [1] }])
  const { incoming } = await fixtures.balance(shop)
  assert.equal(incoming, 400)
})

test('each item has an event, with consecutive numbers', async () => {
  const shop = await fixtures.shop()
  const before = await eventsOf(shop)
  const { body } = await createMany(shop, [payment(1), payment(2), payment(3)])
  const events = (await eventsOf(shop)).slice(before.length)
  assert.deepEqual(
    events.map(({ sequence, type }) => [Number(sequence) - before.length, type]),
    [1, 2, 3].map((sequence) => [sequence, 'transaction.created']),
  )
  assert.deepEqual(
    events.map(({ data }) => JSON.parse(data).id),
    body.data.map((item: { transaction: { id: string } }) => item.transaction.id),
  )
})

test('by default one rejected item rejects all, and the error names it', async () => {
  const shop = await fixtures.shop(500)
  const funds = [refund(300), payment(900), refund(201)]
  await expectRefused(
    () => createMany(shop, funds),
    [402, 'insufficient_funds'],
    /^"transactions\.2" was rejected, so nothing was created\. "amount" must be at most 200,/,
  )
  const currencies = [payment(1), payment(1, { currency: 'EUR' })]
  await expectRefused(
    () => createMany(shop, currencies, { atomic: true }),
    [400, 'currency_mismatch'],
    /^"transactions\.1" was rejected/,
  )
  assert.equal((await createMany(shop, [refund(300), refund(200)])).status, 200)
  assert.deepEqual(await fixtures.balance(shop), { available: 0, incoming: 0, held: 500 })
})

test('a rejected request leaves no trace for the others of its batch', async () => {
  const shop = await fixtures.shop(1_000)
  const paid = await fixtures.fund(shop, 400)
  const linked = { reference: paid }
  const [first, ...others] = await Promise.all([
    createMany(shop, [refund(400, linked), payment(5), refund(1_500)]),
    fixtures.refund(shop, 400, paid),
    createMany(shop, [refund(600), payment(7)]),
    createMany(shop, [refund(400), refund(5_000)]),
  ])
  // After the other refund of the payment, nothing of it is left to refund.
  assert.match(String(first.status), /^40[02]$/)
  assert.deepEqual(tally(others), { 200: 1, 201: 1, '402 insufficient_funds': 1 })
  assert.deepEqual(await fixtures.balance(shop), { available: 400, incoming: 7, held: 1_000 })
})

test('with atomic false each item has a result', async () => {
  const shop = await fixtures.shop(500)
  const items = [
    refund(300),
    refund(201),
    payment(50),
    payment(1, { currency: 'EUR' }),
    refund(200),
    refund(1),
  ]
  const response = await createMany(shop, items, { atomic: false })
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(resultsOf(response), [
    'created',
    'insufficient_funds',
    'created',
    'currency_mismatch',
    'created',
    'insufficient_funds',
  ])
  assert.deepEqual([response.body.created, response.body.failed], [3, 3])
  assert.match(response.body.data[1].error.message, /^"amount" must be at most 200,.* got 201\./)
  assert.deepEqual(await fixtures.balance(shop), { available: 0, incoming: 50, held: 500 })
  const none = await createMany(shop, [refund(1), refund(2)], { atomic: false })
  assert.deepEqual([none.status, none.body.created, none.body.failed], [200, 0, 2])
})

test('refunds of one payment are checked one after the other', async () => {
  const shop = await fixtures.shop(1_000)
  const paid = await fixtures.fund(shop, 400)
  const link = { reference: paid }
  const items = [refund(300, link), refund(101, link), refund(100, link), refund(1, link)]
  await expectRefused(
    () => createMany(shop, items),
    [400, 'invalid_request'],
    /^"transactions\.1" was rejected.* at most 100 \(USD 1\.00\), the amount left to refund/,
  )
  const response = await createMany(shop, items, { atomic: false })
  assert.deepEqual(resultsOf(response), [
    'created',
    'invalid_request',
    'created',
    'invalid_request',
  ])
  const path = `/v1/transactions/${paid}/refunds`
  const { body } = await florin.call('GET', path, { token: shop.token })
  assert.deepEqual([body.pending_refund_amount, body.refundable_amount], [400, 0])
})

test('random items have the same results as single requests', async () => {
  const [one_by_one, at_once] = [await fixtures.shop(1_000), await fixtures.shop(1_000)]
  const links = [await fixtures.fund(one_by_one, 400), await fixtures.fund(at_once, 400)]
  const itemOf = ([type, amount, linked]: [string, number, boolean], link = '') =>
    payment(amount, { type, ...(linked && type === 'refund' && { reference: link }) })
  const anyItem = fc.tuple(
    fc.constantFrom('payment', 'credit', 'refund', 'refund', 'refund'),
    fc.integer({ min: 1, max: 250 }),
    fc.boolean(),
  )
  const property = fc.asyncProperty(
    fc.array(anyItem, { minLength: 1, maxLength: 8 }),
    async (drawn) => {
      const bulk = await createMany(
        at_once,
        drawn.map((item) => itemOf(item, links[1])),
        { atomic: false },
      )
      const singles: ApiResponse[] = []
      for (const item of drawn) {
        singles.push(await fixtures.create(one_by_one, itemOf(item, links[0])))
      }
      const messages = singles.map(({ body }) => body.message)
      assert.deepEqual(
        bulk.body.data.map((item: { error?: { message: string } }) => item.error?.message),
        messages,
      )
      assert.deepEqual(await fixtures.balance(at_once), await fixtures.balance(one_by_one))
    },
  )
  await fc.assert(property, { numRuns: 15, endOnFailure: true })
})

test('an account that cannot be used rejects the request, also with atomic false', async () => {
  const shop = await fixtures.shop()
  const other = await fixtures.shop()
  const items = [payment(1), payment(2)]
  const body = { account_id: other.account_id, transactions: items, atomic: false }
  await expectRefused(
    () => florin.call('POST', '/v1/transactions/bulk', { token: shop.token, body }),
    [404, 'not_found'],
    /^"account_id" must be/,
  )
  const { token } = fixtures.admin
  const path = `/v1/accounts/${shop.account_id}`
  await florin.call('PATCH', path, { token, body: { status: 'suspended' } })
  await expectRefused(
    () => createMany(shop, items, { atomic: false, token }),
    [400, 'invalid_request'],
    /^The account must be active to create transactions; it is suspended\.$/,
  )
})

test('a malformed item rejects the request in both modes, and is named', async () => {
  const shop = await fixtures.shop()
  const wrong: [items: unknown, message: RegExp][] = [
    [[payment(1), payment(0)], /^"transactions\.1\.amount" must be a whole number from 1/],
    [[payment(1), { ...payment(1), acount: 1 }], /^"transactions\.1\.acount" is not a field/],
    [
      [payment(1, { account_id: shop.account_id })],
      /^"transactions\.0\.account_id" is not a field/,
    ],
    [[payment(1), {}], /^"transactions\.1\.amount" is required/],
    [[payment(1), 7], /^"transactions\.1" must be a JSON object; got 7/],
    [
      [payment(1), payment(1, { metadata: { n: 2 ** 60 } })],
      /^"transactions\.1" .*"metadata" must/,
    ],
    [[], /^"transactions" must have 1 to 1000 items; got 0\.$/],
    [{}, /^"transactions" must be an array/],
    [undefined, /^"transactions" is required/],
  ]
  for (const [items, message] of wrong) {
    for (const atomic of [true, false]) {
      await expectRefused(
        () => createMany(shop, items, { atomic }),
        [400, 'invalid_request'],
        message,
      )
    }
  }
})

test('creates 1,000 items, and rejects 1,001 before parsing', async () => {
  const shop = await fixtures.shop()
  const items = Array.from({ length: 1_000 }, (_, at) => payment(at + 1))
  const { status, body } = await createMany(shop, items)
  assert.deepEqual([status, body.created, body.data[999].transaction.amount], [200, 1_000, 1_000])
  assert.equal(await fixtures.count(shop), 1_000)
  const counted = await florin.call('GET', '/v1/list_counts/transactions', { token: shop.token })
  assert.equal(counted.body.count, 1_000, counted.text)
  for (const many of [[...items, payment(1)], Array(1_001).fill(1)]) {
    await expectRefused(
      () => createMany(shop, many),
      [400, 'invalid_request'],
      /^"transactions" must have 1 to 1000 items; got more\. Split them/,
    )
  }
})

test('limits each item before parsing: its length, and its keys', async () => {
  const shop = await fixtures.shop()
  const metadata = { text: 'a'.repeat(16_000) }
  const twenty = Array(20).fill(payment(1, { metadata }))
  assert.equal((await createMany(shop, twenty)).status, 200)
  const long = payment(1, { metadata: { text: 'a'.repeat(131_072) } })
  const keys = Object.fromEntries(Array.from({ length: 3_200 }, (_, at) => [at, 0]))
  for (const [item, message] of [
    [long, /^"transactions\.1" must have at most 128 KiB of JSON; got more\.$/],
    [payment(1, { metadata: keys }), /^"transactions\.1" must have at most 3200 keys; got more\.$/],
  ] as const) {
    const refused = () => createMany(shop, [payment(1), item])
    await expectRefused(refused, [400, 'invalid_request'], message)
    // Not even closed: the limits apply to bytes, not to values.
    const cut = JSON.stringify({ transactions: [payment(1), item] }).slice(0, -8)
    const sent = () => createMany(shop, undefined, { body: cut })
    await expectRefused(sent, [400, 'invalid_request'], message)
  }
  const some = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at, 0]))
  await expectRefused(
    () => createMany(shop, Array(1_000).fill(payment(1, { metadata: some }))),
    [400, 'invalid_request'],
    /more than 32000 keys/,
  )
})

test('a retry with the same key replays the bytes, even if items had failed', async () => {
  const shop = await fixtures.shop(100)
  const headers = { 'idempotency-key': 'bulk-1' }
  const items = [refund(100), refund(1), ...Array(300).fill(payment(1, { reference: 'ä"' }))]
  const first = await createMany(shop, items, { atomic: false, headers })
  assert.deepEqual([first.status, first.body.created, first.body.failed], [200, 301, 1])
  await fixtures.fund(shop, 500)
  const count = await fixtures.count(shop)
  const again = await createMany(shop, items, { atomic: false, headers })
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(await fixtures.count(shop), count)
  const other = await createMany(shop, items, { headers })
  assert.deepEqual([other.status, other.body.error], [422, 'idempotency_conflict'])
  // A single create shares the keys.
  const single = await fixtures.create(shop, {}, { headers })
  assert.deepEqual([single.status, single.body.error], [422, 'idempotency_conflict'])
})

test('a rejected request is not stored, so it can be corrected under its key', async () => {
  const shop = await fixtures.shop()
  const headers = { 'idempotency-key': 'bulk-2' }
  assert.equal((await createMany(shop, [refund(5)], { headers })).status, 402)
  await fixtures.fund(shop, 5)
  const { status, body } = await createMany(shop, [refund(5)], { headers })
  assert.deepEqual([status, body.created], [200, 1])
})

test('one key in flight twice is applied once, whichever endpoint it was sent to', async () => {
  const shop = await fixtures.shop()
  const headers = { 'idempotency-key': 'bulk-3' }
  const responses = await Promise.all([
    createMany(shop, [payment(1), payment(2)], { headers }),
    createMany(shop, [payment(1), payment(2)], { headers }),
    fixtures.create(shop, {}, { headers }),
  ])
  const applied = responses.filter(({ status }) => status < 300)
  assert.ok(applied.length >= 1)
  for (const { status } of responses) assert.ok([200, 201, 409, 422].includes(status))
  const created = applied[0]!.status === 201 ? 1 : 2
  assert.equal(await fixtures.count(shop), created)
})

test('the audit log has an entry for each item that an admin creates', async () => {
  const shop = await fixtures.shop()
  const { token } = fixtures.admin
  const items = [payment(1), payment(1, { currency: 'EUR' }), payment(2)]
  const { body } = await createMany(shop, items, { atomic: false, token })
  const text = `select object_id from audit_log
    where action = 'transaction.created' and account_id = $1`
  const found = await db.pool.query(text, [shop.uuid])
  assert.equal(body.created, 2)
  assert.equal(found.rows.length, 2)
  await createMany(shop, items, { atomic: false })
  assert.equal((await db.pool.query(text, [shop.uuid])).rows.length, 2, 'not for owners')
})
