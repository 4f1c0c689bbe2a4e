// POST /v1/transactions: the exact response shape and every validation rule.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const shop = await fixtures.shop(1_000_000)

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Asserts an error that names the field and changes nothing in the database. */
async function expectRefused(send: () => Promise<ApiResponse>, field: RegExp, about: string) {
  const response = await assertNoChanges(florin.db.pool, send)
  assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], about)
  assert.match(response.body.message, field, about)
}

/** Sends a body with `value` inserted verbatim. */
function sendRaw(field: string, value: string): Promise<ApiResponse> {
  const whole: Record<string, string> = {
    account_id: JSON.stringify(shop.account_id),
    amount: '100',
    currency: '"USD"',
    type: '"payment"',
    [field]: value,
  }
  const pairs = Object.entries(whole).map(([name, text]) => `"${name}":${text}`)
  const body = `{${pairs.join(',')}}`
  return florin.call('POST', '/v1/transactions', { token: shop.token, body })
}

test('POST returns exactly the fields of the contract, without updated_at', async () => {
  for (const type of ['payment', 'credit', 'refund']) {
    const { status, body, headers } = await fixtures.create(shop, { type, amount: 7500 })
    assert.equal(status, 201)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    const { id, created_at, ...rest } = body
    assert.match(id, /^txn_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    assert.match(created_at, time)
    assert.deepEqual(rest, {
      account_id: shop.account_id,
      amount: 7500,
      currency: 'USD',
      type,
      status: 'pending',
      reference: null,
      metadata: {},
    })
    const order = 'id account_id amount currency type status reference metadata created_at'
    assert.equal(Object.keys(body).join(' '), order)
  }
})

test('POST and GET return reference and metadata as they were sent', async () => {
  const sent = {
    reference: 'Invoice 2026-114 "ä" 💶',
    metadata: { 'a "b"': ['\u0001', { c: null }] },
  }
  const { body } = await fixtures.create(shop, sent)
  assert.deepEqual({ reference: body.reference, metadata: body.metadata }, sent)
  const { updated_at, ...found } = (await fixtures.get(shop, body.id)).body
  assert.deepEqual(found, body)
  assert.equal(updated_at, body.created_at)
})

test('amount must be a JSON integer from 1 to 999999999999', async () => {
  const good = { '1': 1, '7.5e3': 7500, '100.0': 100, '999999999999': 999999999999, '1E2': 100 }
  for (const [text, amount] of Object.entries(good)) {
    const { status, body } = await sendRaw('amount', text)
    assert.deepEqual([status, body.amount], [201, amount], text)
  }
  const bad = '"7500" true [7500] 0 -0 0.0 -1 1.5 1e21 1e400 1000000000000 null {} 1.0000001'
  for (const text of bad.split(' ')) {
    await expectRefused(() => sendRaw('amount', text), /^"amount" /, text)
  }
  for (const text of ['07', '+1', '1.', 'NaN', '0x10', '']) {
    await expectRefused(() => sendRaw('amount', text), /JSON/, text)
  }
})

test('an unknown currency is invalid, one other than the account currency a mismatch', async () => {
  for (const text of ['usd', 'US', 'USDX', 'DEM', 'ABC', '', ' USD', 840, null, ['USD']]) {
    const send = () => sendRaw('currency', JSON.stringify(text))
    await expectRefused(send, /^"currency" /, JSON.stringify(text))
  }
  for (const text of ['EUR', 'JPY', 'KWD']) {
    const send = () => fixtures.create(shop, { currency: text })
    const response = await assertNoChanges(florin.db.pool, send)
    assert.deepEqual([response.status, response.body.error], [400, 'currency_mismatch'])
    assert.match(response.body.message, new RegExp(`USD.*${text}`))
  }
})

test('type must be payment, credit or refund', async () => {
  for (const text of ['charge', 'Payment', '', null, 1, ['payment']]) {
    await expectRefused(() => sendRaw('type', JSON.stringify(text)), /^"type" /, String(text))
  }
})

test('reference must have at most 255 characters and no control characters', async () => {
  const good = ['', 'x'.repeat(255), '💶'.repeat(255), 'ö', ' ', 'a"b\\c', null]
  for (const reference of good) {
    const { status, body } = await fixtures.create(shop, { reference })
    assert.deepEqual([status, body.reference], [201, reference])
  }
  const bad = ['x'.repeat(256), '💶'.repeat(256), 'a\u0000', 'a\nb', '\u007f', '\u0085', 7, {}, []]
  for (const reference of bad) {
    const about = JSON.stringify(reference)
    await expectRefused(() => fixtures.create(shop, { reference }), /^"reference" /, about)
  }
  await expectRefused(() => sendRaw('reference', '"\\ud800"'), /^"reference" /, 'a lone surrogate')
})

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at}`, at]))
/** Metadata that is exactly `count` bytes of JSON. */
const bytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) })

const goodMetadata: Record<string, unknown> = {
  none: {},
  'null, which is none': null,
  'a key whose value is null': { a: null, b: 1 },
  'any JSON': { a: [1, 'two', { three: [null, true] }], b: -1.5e-7, c: '' },
  'control characters': { a: 'tab\t, line\n, \u0001 and \u007f' },
  '50 keys': keys(50),
  'a key of 40 characters': { ['k'.repeat(40)]: 1 },
  'a key of 40 characters of four bytes': { ['💶'.repeat(40)]: 1 },
  'an empty key': { '': 1 },
  '8 levels': nested(8),
  '8 levels of arrays': { a: [[[[[[['x']]]]]]] },
  '16 KiB': bytes(16_384),
  'names of methods': { constructor: 1, toString: 2, hasOwnProperty: 3 },
}

for (const [name, metadata] of Object.entries(goodMetadata)) {
  test(`metadata accepts ${name}`, async () => {
    const { status, body, text } = await fixtures.create(shop, { metadata })
    assert.equal(status, 201, text.slice(0, 200))
    assert.deepEqual(body.metadata, metadata ?? {})
    assert.deepEqual((await fixtures.get(shop, body.id)).body.metadata, metadata ?? {})
  })
}

const badMetadata: Record<string, string> = {
  '51 keys': JSON.stringify(keys(51)),
  'a key of 41 characters': JSON.stringify({ ['k'.repeat(41)]: 1 }),
  '9 levels': JSON.stringify(nested(9)),
  '9 levels of arrays': '{"a":[[[[[[[["x"]]]]]]]]}',
  'one byte more than 16 KiB': JSON.stringify(bytes(16_385)),
  'more than 16 KiB in characters of four bytes': JSON.stringify({ a: '💶'.repeat(4_095) }),
  'NUL in a value': '{"a":"\\u0000"}',
  'NUL in a key': '{"\\u0000":1}',
  'NUL deep inside': '{"a":[{"b":["\\u0000"]}]}',
  'a lone surrogate in a value': '{"a":"\\ud800"}',
  'a lone surrogate in a key': '{"\\udc00":1}',
  'a number beyond the range of a double': '{"a":1e400}',
  'an integer that would lose digits': '{"n":12345678901234567890}',
  'an array': '[1]',
  'a string': '"a"',
  'a number': '1',
}

for (const [name, text] of Object.entries(badMetadata)) {
  test(`metadata rejects ${name}`, async () => {
    await expectRefused(() => sendRaw('metadata', text), /^"metadata" /, name)
  })
}

test('missing fields and unknown fields are rejected by name', async () => {
  for (const field of ['account_id', 'amount', 'currency', 'type']) {
    const send = () => fixtures.create(shop, { [field]: undefined })
    await expectRefused(send, new RegExp(`^"${field}" is required`), field)
  }
  for (const field of ['status', 'id', 'created_at', 'refund_of', 'Amount', 'description']) {
    const send = () => fixtures.create(shop, { [field]: 'x' })
    await expectRefused(send, new RegExp(`^"${field}" is not a field`), field)
  }
  for (const body of ['[]', '"x"', 'null', '1', '{"a":1', '']) {
    const options = { token: shop.token, body }
    const send = () => florin.call('POST', '/v1/transactions', options)
    await expectRefused(send, /body|JSON/, body)
  }
})

test('a suspended or pending account rejects only new transactions', async () => {
  const { token } = fixtures.admin
  for (const status of ['suspended', 'pending']) {
    const inactive = await fixtures.shop(100)
    const [settled, canceled] = [await fixtures.create(inactive), await fixtures.create(inactive)]
    const path = `/v1/accounts/${inactive.account_id}`
    await florin.call('PATCH', path, { token, body: { status } })
    for (const type of ['payment', 'credit', 'refund']) {
      const send = () => fixtures.create(inactive, { type, amount: 1 })
      await expectRefused(send, new RegExp(`it is ${status}`), type)
    }
    assert.equal((await fixtures.get(inactive, settled.body.id)).status, 200)
    assert.equal((await fixtures.patch(inactive, settled.body.id, { reference: 'x' })).status, 200)
    assert.equal((await fixtures.cancel(inactive, canceled.body.id)).status, 200)
    assert.equal((await fixtures.settle(settled.body.id)).status, 200)
    await florin.call('PATCH', path, { token, body: { status: 'active' } })
    assert.equal((await fixtures.create(inactive)).status, 201)
  }
})

test('the currency of an account cannot change after its first transaction', async () => {
  const fresh = await fixtures.shop()
  const change = (currency: string) =>
    florin.call('PATCH', '/v1/account', { token: fresh.token, body: { settings: { currency } } })
  assert.equal((await change('EUR')).status, 200)
  const created = await fixtures.create(fresh, { currency: 'EUR' })
  assert.equal(created.status, 201)
  await fixtures.cancel(fresh, created.body.id)
  assert.equal((await change('USD')).status, 400)
  assert.equal((await fixtures.create(fresh, { currency: 'USD' })).body.error, 'currency_mismatch')
})

test('large metadata over the quota of the day is rejected, and money still moves', async () => {
  const { uuid } = shop
  await florin.db.pool.query(
    `update balances set metadata_day = floor(extract(epoch from now()) / 86400),
       metadata_day_bytes = 1073741824 - 3000
     where account_id = $1`,
    [uuid],
  )
  const metadata = { a: 'x'.repeat(1_600) }
  assert.equal((await fixtures.create(shop, { metadata })).status, 201)
  const over = () => fixtures.create(shop, { metadata })
  await expectRefused(over, /^"metadata" must be at most 1024 characters .* 1 GiB/, 'over')
  assert.equal((await fixtures.create(shop, { metadata: { a: 'x'.repeat(900) } })).status, 201)
  assert.equal((await fixtures.create(await fixtures.shop(), { metadata })).status, 201)
  assert.deepEqual(await metadataBytes([uuid]), [1_073_741_824 - 3_000 + 1_608])
})

test('the metadata quota counts for every account of a batch', async () => {
  const shops = [await fixtures.shop(), await fixtures.shop(), await fixtures.shop()]
  const metadata = { a: 'x'.repeat(1_600) }
  // The first batch may contain one account; those that wait for it contain several.
  const create = (owner: (typeof shops)[0]) => fixtures.create(owner, { metadata })
  await Promise.all([...shops, ...shops, ...shops].map(create))
  assert.deepEqual(await metadataBytes(shops.map(({ uuid }) => uuid)), Array(3).fill(3 * 1_608))
})

async function metadataBytes(account_ids: string[]): Promise<number[]> {
  const { rows } = await florin.db.pool.query<{ n: string }>(
    'select metadata_day_bytes as n from balances where account_id = any($1)',
    [account_ids],
  )
  return rows.map(({ n }) => Number(n))
}
