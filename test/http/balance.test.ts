// Balance and statement: fields, cursors, dates and CSV.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../src/identity/caller.ts'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { statementCsv } from '../../src/transactions/list-statement.ts'
import type { StatementLine } from '../../src/transactions/statement-line.ts'
import { keysOf } from '../permissions/shapes.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { openTransactionFixtures, type Shop } from '../transactions/transaction-fixtures.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const fixtures = await openTransactionFixtures(florin)

const lineKeys: (keyof StatementLine)[] = [
  'sequence',
  'created_at',
  'transaction_id',
  'type',
  'status',
  'reference',
  'amount',
  'available_after',
]

const csvColumns = [
  'sequence',
  'created_at',
  'created_at_local',
  'transaction_id',
  'type',
  'status',
  'reference',
  'customer_email',
  'currency',
  'amount',
  'available_after',
]

function balance(shop: Shop): Promise<ApiResponse> {
  return florin.call('GET', '/v1/account/balance', { token: shop.token })
}

function statement(shop: Shop, query = ''): Promise<ApiResponse> {
  return florin.call('GET', `/v1/account/statement${query}`, { token: shop.token })
}

const sequences = (response: ApiResponse) =>
  response.body.data.map((line: StatementLine) => line.sequence)

/**
 * A settled payment, a failed, a paid and a canceled refund, and pending and failed incoming
 * money.
 */
async function busyShop(): Promise<Shop> {
  const shop = await fixtures.shop()
  const payment = await fixtures.fund(shop, 1_000, { reference: 'Invoice 1' })
  const failed = await fixtures.refund(shop, 300, payment)
  await fixtures.settle(failed.body.id, 'failed')
  const paid = await fixtures.refund(shop, 200)
  await fixtures.settle(paid.body.id)
  const canceled = await fixtures.refund(shop, 50)
  await fixtures.cancel(shop, canceled.body.id)
  await fixtures.create(shop, { amount: 77 })
  const lost = await fixtures.create(shop, { amount: 66, type: 'credit' })
  await fixtures.settle(lost.body.id, 'failed')
  return shop
}

test('a new account has a zero balance, updated when it was opened', async () => {
  const shop = await fixtures.shop()
  const response = await balance(shop)
  const account = await florin.call('GET', '/v1/account', { token: shop.token })
  assert.deepEqual(response.body, {
    account_id: shop.account_id,
    currency: 'USD',
    available: 0,
    incoming: 0,
    held: 0,
    owed: 0,
    updated_at: account.body.created_at,
  })
  assert.deepEqual((await statement(shop)).body, { object: 'list', data: [], has_more: false })
})

test('the balance shows each bucket and when it last changed', async () => {
  const shop = await fixtures.shop()
  await fixtures.fund(shop, 1_000)
  await fixtures.create(shop, { amount: 300 })
  const refund = await fixtures.refund(shop, 250)
  const { status, body } = await balance(shop)
  assert.equal(status, 200)
  const { available, incoming, held, updated_at } = body
  assert.deepEqual({ available, incoming, held }, { available: 750, incoming: 300, held: 250 })
  assert.equal(updated_at, refund.body.created_at)

  const name = { name: 'Another Name' }
  const renamed = await florin.call('PATCH', '/v1/account', { token: shop.token, body: name })
  assert.equal(renamed.status, 200)
  assert.equal((await balance(shop)).body.updated_at, updated_at)
})

test('lists a line per change of the available balance, newest first', async () => {
  const shop = await busyShop()
  const { body } = await statement(shop)
  assert.deepEqual(Object.keys(body), ['object', 'data', 'has_more'])
  assert.equal(body.has_more, false)
  for (const line of body.data) assert.deepEqual(Object.keys(line), lineKeys)
  assert.deepEqual(
    body.data.map((line: StatementLine) => [
      line.sequence,
      line.type,
      line.status,
      line.amount,
      line.available_after,
    ]),
    [
      [8, 'refund', 'canceled', 50, 800],
      [7, 'refund', 'canceled', -50, 750],
      [5, 'refund', 'succeeded', -200, 800],
      [4, 'refund', 'failed', 300, 1_000],
      [3, 'refund', 'failed', -300, 700],
      [2, 'payment', 'succeeded', 1_000, 1_000],
    ],
  )
  const [payment] = body.data.slice(-1)
  assert.equal(payment.reference, 'Invoice 1')
  assert.match(payment.transaction_id, /^txn_/)
  assert.equal(body.data[4].reference, payment.transaction_id)
  assert.equal((await balance(shop)).body.available, body.data[0].available_after)
})

test('a line has the current status and reference of its transaction', async () => {
  const shop = await fixtures.shop(500)
  const refund = await fixtures.refund(shop, 100)
  assert.equal((await statement(shop, '?limit=1')).body.data[0].status, 'pending')
  await fixtures.settle(refund.body.id)
  await fixtures.patch(shop, refund.body.id, { reference: 'Goodwill' })
  const [line] = (await statement(shop, '?limit=1')).body.data
  assert.deepEqual([line.status, line.reference, line.amount], ['succeeded', 'Goodwill', -100])
})

test('pages in both directions and reports has_more', async () => {
  const shop = await busyShop()
  const pages: [query: string, found: number[], has_more: boolean][] = [
    ['?limit=2', [8, 7], true],
    ['?limit=2&starting_after=7', [5, 4], true],
    ['?limit=2&starting_after=4', [3, 2], false],
    ['?limit=2&starting_after=2', [], false],
    ['?limit=2&ending_before=2', [4, 3], true],
    ['?limit=4&ending_before=3', [8, 7, 5, 4], false],
    ['?limit=3&ending_before=3', [7, 5, 4], true],
    ['?ending_before=8', [], false],
    ['?limit=1000', [8, 7, 5, 4, 3, 2], false],
  ]
  for (const [query, found, has_more] of pages) {
    const response = await statement(shop, query)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(sequences(response), found, query)
    assert.equal(response.body.has_more, has_more, query)
  }
})

test('rejects a cursor that is not a line of this account, and two cursors', async () => {
  const shop = await busyShop()
  const large = await fixtures.shop(100)
  // 9 and 10 are postings of the busy shop without a line; the large shop has only line 2.
  const cursors = [
    '1',
    '6',
    '9',
    '11',
    '99',
    '0',
    '-1',
    '02',
    '1e1',
    ' 2',
    '',
    'txn_x',
    '9'.repeat(30),
  ]
  for (const name of ['starting_after', 'ending_before']) {
    for (const cursor of cursors) {
      const response = await statement(shop, `?${name}=${encodeURIComponent(cursor)}`)
      assert.equal(response.status, 400, `${name}=${cursor}: ${response.text}`)
      assert.equal(response.body.error, 'invalid_request')
      assert.match(response.body.message, new RegExp(`^"${name}" must be the sequence of an item`))
    }
    assert.equal((await statement(large, `?${name}=8`)).status, 400, 'a line of another account')
    assert.equal((await statement(large, `?${name}=2`)).status, 200)
  }
  const both = await statement(shop, '?starting_after=4&ending_before=4')
  assert.equal(both.status, 400)
  for (const query of ['limit=0', 'limit=x', 'from=2026-02-30', 'to=now', 'format=pdf']) {
    assert.equal((await statement(shop, `?${query}`)).status, 400, query)
    assert.equal((await statement(shop, `?format=csv&${query}`)).status, 400, query)
  }
})

test('from and to are inclusive to the millisecond, and a date is a whole day', async () => {
  const shop = await busyShop()
  const all = (await statement(shop)).body.data
  const [first, last] = [all.at(-1).created_at, all[0].created_at]
  const before = (time: string) => new Date(Date.parse(time) - 1).toISOString()
  const after = (time: string) => new Date(Date.parse(time) + 1).toISOString()
  const count = async (query: string) => (await statement(shop, query)).body.data.length
  const today = first.slice(0, 10)
  assert.equal(await count(`?from=${first}`), 6)
  assert.equal(await count(`?from=${after(last)}`), 0)
  assert.equal(await count(`?to=${last}`), 6)
  assert.equal(await count(`?to=${before(first)}`), 0)
  assert.ok((await count(`?from=${after(first)}`)) < 6)
  assert.ok((await count(`?to=${before(last)}`)) < 6)
  assert.equal(await count(`?from=${first}&to=${last}`), 6)
  assert.equal(await count(`?from=${today}&to=${last.slice(0, 10)}`), 6)
  assert.equal(await count('?from=0001-01-01&to=9999-12-31'), 6)
  assert.equal(await count(`?from=${last}&to=${before(first)}`), 0)
  const page = await statement(shop, `?from=${first}&to=${last}&limit=2&starting_after=5`)
  assert.deepEqual([sequences(page), page.body.has_more], [[4, 3], true])
})

test('CSV has all lines of the range, whatever the limit', async () => {
  const shop = await busyShop()
  const response = await statement(shop, '?format=csv&limit=1')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  const disposition = response.headers.get('content-disposition')
  assert.equal(disposition, 'attachment; filename="statement.csv"')
  const [header, ...records] = parseCsv(response.text)
  assert.deepEqual(header, csvColumns)
  const lines = (await statement(shop)).body.data
  assert.deepEqual(
    records,
    lines.map((line: StatementLine) => [
      String(line.sequence),
      line.created_at,
      line.created_at.replace('Z', '+00:00'),
      line.transaction_id,
      line.type,
      line.status,
      line.reference ?? '',
      '',
      'USD',
      (line.amount / 100).toFixed(2),
      (line.available_after / 100).toFixed(2),
    ]),
  )
  const older = parseCsv((await statement(shop, '?format=csv&starting_after=5')).text)
  assert.deepEqual(
    older.slice(1).map(([sequence]) => sequence),
    ['4', '3', '2'],
  )
  const newer = parseCsv((await statement(shop, '?format=csv&ending_before=5')).text)
  assert.deepEqual(
    newer.slice(1).map(([sequence]) => sequence),
    ['8', '7'],
  )
  const none = await statement(shop, '?format=csv&from=2020-01-01T00:00:00Z&to=2020-12-31')
  assert.equal(none.text, `${csvColumns.join(',')}\r\n`)
  const named = none.headers.get('content-disposition')
  assert.equal(named, 'attachment; filename="statement-2020-01-01-2020-12-31.csv"')
  const refused = await statement(shop, '?format=csv&starting_after=1')
  assert.equal(refused.status, 400)
  assert.equal(refused.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(refused.headers.get('content-disposition'), null)
})

test('CSV has decimal amounts, the local time and the customer', async () => {
  const shop = await fixtures.shop()
  const { token, account_id } = shop
  const settings = { currency: 'USD', timezone: 'Asia/Kolkata', language: 'en' }
  await florin.call('PATCH', '/v1/account', { token, body: { settings } })
  const customer_email = 'ada@example.com'
  const fields = { account_id, amount: 33_600, currency: 'USD', customer_email }
  const request = await florin.call('POST', '/v1/payments', { token, body: fields })
  const settle = { token: fixtures.admin.token, body: { outcome: 'succeeded' } }
  await florin.call('POST', `/v1/payments/${request.body.id}/settle`, settle)
  assert.equal((await fixtures.refund(shop, 5, request.body.id)).status, 201)
  await fixtures.fund(shop, 1)
  const [header, ...records] = parseCsv((await statement(shop, '?format=csv')).text)
  const [plain, refund, payment] = records.map((record) =>
    Object.fromEntries(header!.map((name, at) => [name, record[at]!])),
  )
  const money = (record: Record<string, string> | undefined) =>
    ['customer_email', 'currency', 'amount', 'available_after'].map((name) => record?.[name])
  assert.deepEqual(money(payment), [customer_email, 'USD', '336.00', '336.00'])
  assert.deepEqual(money(refund), [customer_email, 'USD', '-0.05', '335.95'])
  assert.deepEqual(money(plain), ['', 'USD', '0.01', '335.96'])
  const { created_at, created_at_local } = payment!
  assert.match(created_at_local!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/)
  assert.equal(new Date(created_at_local!).toISOString(), created_at)

  const create_key = { token, body: { name: 'Accounting', scopes: ['balance:read'] } }
  const { key } = (await florin.call('POST', '/v1/api_keys', create_key)).body
  const options = { token: key, headers: {} }
  const file = await florin.call('GET', '/v1/account/statement?format=csv', options)
  assert.equal(file.status, 200)
  assert.equal(file.text.includes(customer_email), false, 'customers require payments:read')
})

test('CSV escapes references that look like formulas or contain separators', async () => {
  const shop = await fixtures.shop()
  const references = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '＝1',
    'a,b',
    'say "hi"',
    "'=",
    '"=1"',
    'plain',
    ',',
  ]
  for (const reference of references) await fixtures.fund(shop, 10, { reference })
  const records = parseCsv((await statement(shop, '?format=csv')).text)
  const found = records.slice(1).map((record) => record[6])
  const formulas = new Set(references.slice(0, 5))
  const expected = references.map((text) => (formulas.has(text) ? `'${text}` : text))
  assert.deepEqual(found, expected.reverse())
})

test('an admin reads the balance and statement of a closed account', async () => {
  const shop = await busyShop()
  await florin.call('DELETE', '/v1/account', { token: shop.token })
  const { token } = fixtures.admin
  for (const path of ['/v1/account/balance', '/v1/account/statement']) {
    const read = (account_id: string) =>
      florin.call('GET', path, { token, headers: { 'florin-account': account_id } })
    const closed = await read(shop.account_id)
    assert.equal(closed.status, 200, closed.text)
    const unknown = await read(toTypeId('account', newUuid(Date.now())))
    assert.deepEqual([unknown.status, unknown.body.error], [404, 'not_found'])
    assert.deepEqual(keysOf(unknown), ['error', 'message'])
    assert.equal((await florin.call('GET', path, { token })).status, 403)
  }
})

test('an account can download five files at once', async () => {
  const find = { findCustomers: async () => () => null, findOthers: async () => new Map() }
  const { account_id } = await fixtures.shop()
  const caller = { role: 'owner', account_id: findUuid('account', account_id) } as Caller
  const files = Array.from({ length: 6 }, () =>
    statementCsv(florin.db, caller, { limit: 20 }, find),
  )
  for (const file of files.slice(0, 5)) assert.equal((await file.next()).done, false)
  await assert.rejects(files[5]!.next(), { code: 'rate_limited' })
  await files[0]!.return()
  const another = statementCsv(florin.db, caller, { limit: 20 }, find)
  assert.equal((await another.next()).done, false)
  for (const file of [...files, another]) await file.return()
})
