// GET, PATCH, DELETE and settle of one transaction: exact shapes, allowed changes, and the
// precedence of errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const fixtures = await openTransactionFixtures(florin)
const shop = await fixtures.shop(1_000_000)
const stranger = await fixtures.shop()
const unknown_id = toTypeId('transaction', newUuid(Date.now()))

const wholeKeys =
  'id account_id amount currency type status reference metadata created_at updated_at'

async function expectRefused(send: () => Promise<ApiResponse>, status: number, error: string) {
  const response = await assertNoChanges(florin.db.pool, send)
  assert.deepEqual([response.status, response.body.error], [status, error], response.text)
  return response
}

test('GET returns exactly the fields of the contract', async () => {
  const created = await fixtures.create(shop, { reference: 'r', metadata: { a: 1 } })
  const { status, body } = await fixtures.get(shop, created.body.id)
  assert.equal(status, 200)
  assert.equal(Object.keys(body).join(' '), wholeKeys)
  assert.deepEqual(body, { ...created.body, updated_at: created.body.created_at })
})

test('PATCH returns the whole transaction, and also changes updated_at', async () => {
  const created = await fixtures.create(shop, { reference: 'before', metadata: { a: 1 } })
  const patched = await fixtures.patch(shop, created.body.id, { reference: 'after' })
  assert.equal(patched.status, 200)
  assert.equal(Object.keys(patched.body).join(' '), wholeKeys)
  const { updated_at, ...rest } = patched.body
  assert.deepEqual(rest, { ...created.body, reference: 'after' })
  assert.ok(updated_at > created.body.created_at)
  assert.deepEqual((await fixtures.get(shop, created.body.id)).body, patched.body)
})

test('PATCH that changes nothing returns 200 and writes nothing', async () => {
  const created = await fixtures.create(shop, { reference: 'r', metadata: { a: 1, b: { c: 2 } } })
  for (const body of [
    {},
    { reference: 'r' },
    { metadata: {} },
    { metadata: { a: 1 } },
    { metadata: { b: { c: 2 }, gone: null } },
  ]) {
    const patch = () => fixtures.patch(shop, created.body.id, body)
    const { status, body: shown } = await assertNoChanges(florin.db.pool, patch)
    assert.equal(status, 200)
    assert.equal(shown.updated_at, created.body.created_at)
  }
})

// Stored metadata, sent metadata, expected result.
const merges: [unknown, unknown, unknown][] = [
  [{}, { a: 1 }, { a: 1 }],
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: 1 }, { a: null }, {}],
  [{ a: { deep: 1, kept: 2 } }, { a: { deep: 3 } }, { a: { deep: 3 } }],
  [{ a: 1 }, null, {}],
  [{ a: null }, { b: 1 }, { a: null, b: 1 }],
  [{ a: 1 }, { b: { c: null } }, { a: 1, b: { c: null } }],
  [{}, { a: null }, {}],
]

for (const [stored, sent, expected] of merges) {
  const texts = [stored, sent, expected].map((value) => JSON.stringify(value))
  test(`metadata ${texts[0]} patched with ${texts[1]} is ${texts[2]}`, async () => {
    const created = await fixtures.create(shop, { metadata: stored, reference: 'stays' })
    const { body } = await fixtures.patch(shop, created.body.id, { metadata: sent })
    assert.deepEqual([body.metadata, body.reference], [expected, 'stays'])
    assert.deepEqual((await fixtures.get(shop, created.body.id)).body.metadata, expected)
  })
}

test('PATCH replaces a reference, keeps it if omitted, and clears it with null', async () => {
  const created = await fixtures.create(shop, { reference: 'one' })
  const change = async (body: object) =>
    (await fixtures.patch(shop, created.body.id, body)).body.reference
  assert.equal(await change({ metadata: { a: 1 } }), 'one')
  assert.equal(await change({ reference: 'two' }), 'two')
  assert.equal(await change({ reference: '' }), '')
  assert.equal(await change({ reference: null }), null)
})

const keys = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${from + at}`, at]))

test('metadata limits apply to the merged result', async () => {
  const created = await fixtures.create(shop, { metadata: keys(30) })
  const { id } = created.body
  const bad = (metadata: object) =>
    expectRefused(() => fixtures.patch(shop, id, { metadata }), 400, 'invalid_request')
  await bad(keys(21, 30))
  const { key_0: _, ...others } = keys(30)
  const full = { ...keys(21, 30), key_0: null }
  const { body } = await fixtures.patch(shop, id, { metadata: full })
  assert.deepEqual(body.metadata, { ...others, ...keys(21, 30) })
  await bad({ more: 1 })
  const half = await fixtures.create(shop, { metadata: { a: 'x'.repeat(9_000) } })
  const large = { metadata: { b: 'x'.repeat(9_000) } }
  await expectRefused(() => fixtures.patch(shop, half.body.id, large), 400, 'invalid_request')
  const instead = { metadata: { a: null, b: 'x'.repeat(9_000) } }
  assert.equal((await fixtures.patch(shop, half.body.id, instead)).status, 200)
})

test('removed metadata keys do not count, and any number may be removed', async () => {
  const { id } = (await fixtures.create(shop, { metadata: keys(50) })).body
  const gone = Object.fromEntries(Object.keys(keys(60)).map((name) => [name, null]))
  const instead = { metadata: { ...gone, ...keys(50, 100) } }
  assert.deepEqual((await fixtures.patch(shop, id, instead)).body.metadata, keys(50, 100))
  const many = { metadata: { ...gone, ...keys(51, 100) } }
  const response = await expectRefused(() => fixtures.patch(shop, id, many), 400, 'invalid_request')
  assert.match(response.body.message, /at most 50 keys; got 51/)
  const unknown = Object.fromEntries(Object.keys(keys(60)).map((name) => [name, null]))
  assert.equal((await fixtures.patch(shop, id, { metadata: unknown })).status, 200)
})

test('PATCH rejects integers in metadata that would lose digits', async () => {
  const { id } = (await fixtures.create(shop)).body
  const body = '{"metadata":{"n":12345678901234567890}}'
  const response = await expectRefused(() => fixtures.patch(shop, id, body), 400, 'invalid_request')
  assert.match(response.body.message, /^"metadata" .*"n".* as a string/)
})

test('PATCH of amount, currency or type returns 409, whatever the value', async () => {
  const { id, amount } = (await fixtures.create(shop)).body
  const values = [amount, 1, null, 'x', -0, [], {}]
  for (const field of ['amount', 'currency', 'type']) {
    for (const value of values) {
      const body = { [field]: value, reference: 'not this either' }
      const response = await expectRefused(() => fixtures.patch(shop, id, body), 409, 'conflict')
      assert.match(response.body.message, /"amount", "currency" and "type"/)
    }
  }
})

test('the error for an unknown field does not suggest immutable fields', async () => {
  const { id } = (await fixtures.create(shop)).body
  const rule = 'invalid_request'
  for (const field of ['status', 'amout']) {
    const response = await expectRefused(() => fixtures.patch(shop, id, { [field]: 5 }), 400, rule)
    assert.match(response.body.message, /Allowed: reference, metadata\.$/)
  }
})

test('errors in the body take precedence over 404, and 404 over 409', async () => {
  const mine = (await fixtures.create(shop)).body.id
  const foreign = (await fixtures.create(stranger)).body.id
  const malformed = mine.toUpperCase()
  const fixed = { amount: 1 }
  const cases: [string, string, unknown, string][] = [
    ['an unknown field', mine, { ...fixed, status: 'succeeded' }, '400 invalid_request'],
    ['bad metadata', mine, { ...fixed, metadata: keys(51) }, '400 invalid_request'],
    ['a bad reference', mine, { ...fixed, reference: 'a\nb' }, '400 invalid_request'],
    ['a bad body, foreign', foreign, { ...fixed, metadata: [] }, '400 invalid_request'],
    ['bad metadata, unknown', unknown_id, { metadata: keys(51) }, '400 invalid_request'],
    ['fixed, foreign', foreign, fixed, '404 not_found'],
    ['fixed, unknown', unknown_id, fixed, '404 not_found'],
    ['a malformed id takes precedence', malformed, { status: 1 }, '404 not_found'],
    ['a malformed id and malformed JSON', malformed, '{"a":', '404 not_found'],
    ['fixed', mine, fixed, '409 conflict'],
  ]
  for (const [about, id, body, expected] of cases) {
    const send = () => fixtures.patch(shop, id, body)
    const response = await assertNoChanges(florin.db.pool, send)
    const actual = `${response.status} ${response.body.error}`
    assert.equal(actual, expected, `${about}: ${response.text}`)
  }
  const settled = await fixtures.fund(shop, 100)
  const unmerged = await fixtures.create(shop, { metadata: keys(50) })
  const over = { ...fixed, metadata: { more: 1 } }
  await expectRefused(() => fixtures.patch(shop, unmerged.body.id, over), 400, 'invalid_request')
  assert.equal((await fixtures.patch(shop, settled, { reference: 'late' })).status, 200)
})

test('DELETE returns exactly the fields of the contract', async () => {
  const { id } = (await fixtures.create(shop)).body
  const { status, body } = await fixtures.cancel(shop, id)
  assert.equal(status, 200)
  assert.equal(Object.keys(body).join(' '), 'id status canceled_at message')
  assert.deepEqual([body.id, body.status], [id, 'canceled'])
  const found = (await fixtures.get(shop, id)).body
  assert.deepEqual([found.status, found.updated_at], ['canceled', body.canceled_at])
  const listed = await florin.call('GET', '/v1/transactions?status=canceled', { token: shop.token })
  assert.equal(listed.body.data[0].id, id, 'it stays visible')
})

test('DELETE returns 409 unless pending, and suggests a refund if succeeded', async () => {
  const succeeded = await fixtures.fund(shop, 100)
  const [failed, canceled] = [
    (await fixtures.create(shop)).body.id,
    (await fixtures.create(shop)).body.id,
  ]
  await fixtures.settle(failed, 'failed')
  await fixtures.cancel(shop, canceled)
  for (const id of [succeeded, failed, canceled]) {
    const response = await expectRefused(() => fixtures.cancel(shop, id), 409, 'not_cancellable')
    assert.equal(/refund/.test(response.body.message), id === succeeded, response.text)
  }
})

test('DELETE accepts no body, an empty body or an empty object', async () => {
  const headers = { 'content-type': 'application/json' }
  const accepted: CallOptions[] = [{}, { headers }, { body: {} }, { body: '' }, { body: ' { } ' }]
  for (const options of accepted) {
    const { id } = (await fixtures.create(shop)).body
    assert.equal((await fixtures.cancel(shop, id, options)).status, 200, JSON.stringify(options))
  }
  const { id } = (await fixtures.create(shop)).body
  for (const body of [{ reason: 'x' }, [], '1', '{']) {
    await expectRefused(() => fixtures.cancel(shop, id, { body }), 400, 'invalid_request')
  }
  await expectRefused(() => fixtures.cancel(shop, 'txn_x', { body: '{' }), 404, 'not_found')
})

test('settle returns the whole transaction', async () => {
  for (const outcome of ['succeeded', 'failed'] as const) {
    const { id } = (await fixtures.create(shop)).body
    const { status, body } = await fixtures.settle(id, outcome)
    assert.equal(status, 200)
    assert.equal(Object.keys(body).join(' '), wholeKeys)
    assert.equal(body.status, outcome)
    assert.deepEqual((await fixtures.get(shop, id)).body, body)
    await expectRefused(() => fixtures.settle(id, outcome), 409, 'conflict')
  }
})

test('settle requires an outcome and accepts a reason', async () => {
  const { id } = (await fixtures.create(shop)).body
  const settle = (body: unknown) => fixtures.settle(id, 'succeeded', { body })
  const bad = [{}, { outcome: 'canceled' }, { outcome: null }, { outcome: 'succeeded', x: 1 }]
  for (const body of [...bad, { outcome: 'failed', reason: 'x'.repeat(256) }, [], '']) {
    await expectRefused(() => settle(body), 400, 'invalid_request')
  }
  assert.equal((await settle({ outcome: 'failed', reason: 'card expired' })).status, 200)
})

test('PATCH changes reference and metadata of an ended transaction', async () => {
  const succeeded = await fixtures.fund(shop, 100)
  const canceled = (await fixtures.create(shop)).body.id
  await fixtures.cancel(shop, canceled)
  for (const [id, status] of [
    [succeeded, 'succeeded'],
    [canceled, 'canceled'],
  ] as const) {
    const { body } = await fixtures.patch(shop, id, { metadata: { late: true } })
    assert.deepEqual([body.status, body.metadata], [status, { late: true }])
  }
})
