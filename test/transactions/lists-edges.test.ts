// GET /v1/transactions: the exact response shape and the validation of queries.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures, type Shop } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

const list = (token: string, query = '', headers: Record<string, string> = {}) =>
  florin.call('GET', `/v1/transactions${query}`, { token, headers })

const idsOf = (response: { body: { data: { id: string }[] } }) =>
  response.body.data.map(({ id }) => id)

async function advanceTo(ms: number): Promise<void> {
  await florin.db.pool.query('update clock set offset_ms = offset_ms + $1', [ms])
}

async function make(shop: Shop, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await fixtures.create(shop)).body.id)
  return ids
}

test('a page has exactly the fields of the contract, without updated_at', async () => {
  const shop = await fixtures.shop()
  const created = await fixtures.create(shop, { reference: 'r', metadata: { a: null } })
  const response = await list(shop.token)
  assert.equal(response.status, 200)
  assert.equal(response.text, `{"object":"list","data":[${created.text}],"has_more":false}`)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
})

test('rows are sorted newest first, with and without a cursor', async () => {
  const shop = await fixtures.shop()
  const [a, b, c, d, e] = await make(shop, 5)
  assert.deepEqual(idsOf(await list(shop.token)), [e, d, c, b, a])
  assert.deepEqual(idsOf(await list(shop.token, `?starting_after=${d}&limit=2`)), [c, b])
  assert.deepEqual(idsOf(await list(shop.token, `?ending_before=${b}&limit=2`)), [d, c])
  assert.deepEqual(idsOf(await list(shop.token, `?starting_after=${a}`)), [])
  assert.deepEqual(idsOf(await list(shop.token, `?ending_before=${e}`)), [])
})

test('a page has 20 entries by default and at most 100', async () => {
  const shop = await fixtures.shop()
  await Promise.all(Array.from({ length: 101 }, () => fixtures.create(shop)))
  for (const [query, count] of [
    ['', 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?limit=101', 100],
    ['?limit=99999999999999999999', 100],
  ] as const) {
    const { body } = await list(shop.token, query)
    assert.deepEqual([body.data.length, body.has_more], [count, true], query)
  }
})

test('an invalid query parameter returns 400 and names the parameter', async () => {
  const shop = await fixtures.shop()
  const bad: Record<string, string[]> = {
    limit: ['0', '-1', '1.5', 'x', '', '1e1', '0x1', '%31%00', '5&limit=5'],
    status: ['closed', 'PENDING', '', 'pending,failed', 'pending&status=failed'],
    type: ['charge', 'Refund', ''],
    date_from: ['2026-02-30', 'now', 'infinity', '', '1', '2026-01-01T25:00:00Z', '20260101'],
    date_to: ['2026-13-01', 'yesterday', '2026-01-01 00:00:00', '2026-01-01T00:00:00', '%zz'],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const { status, body } = await list(shop.token, `?${name}=${value}`)
      assert.deepEqual([status, body.error], [400, 'invalid_request'], `${name}=${value}`)
      assert.match(body.message, new RegExp(`^"${name}" `))
    }
  }
  assert.equal((await list(shop.token, '?page=x&color=red&status=pending')).status, 200)
})

test('two cursors, or a cursor that is not in this list, return 400', async () => {
  const shop = await fixtures.shop()
  const stranger = await fixtures.shop()
  const mine = (await make(shop, 1))[0]!
  const foreign = (await make(stranger, 1))[0]!
  const unknown = toTypeId('transaction', newUuid(Date.now()))
  const both = await list(shop.token, `?starting_after=${mine}&ending_before=${mine}`)
  assert.deepEqual([both.status, both.body.error], [400, 'invalid_request'])
  const admin = { token: fixtures.admin.token, headers: { 'florin-account': shop.account_id } }
  for (const cursor of ['starting_after', 'ending_before']) {
    const texts = new Set<string>()
    const bad = [foreign, unknown, mine.toUpperCase(), `${mine}0`, '', 'x', shop.account_id, '%00']
    for (const id of bad) {
      const { status, text } = await list(shop.token, `?${cursor}=${id}`)
      assert.equal(status, 400, id)
      texts.add(text.replace(/; [^.]*/, ''))
      const by_header = await list(admin.token, `?${cursor}=${id}`, admin.headers)
      assert.equal(by_header.status, 400, id)
    }
    assert.equal(texts.size, 1, 'foreign, unknown and malformed cursors get the same error')
    assert.equal((await list(admin.token, `?${cursor}=${unknown}`)).status, 400)
    assert.equal((await list(admin.token, `?${cursor}=${foreign}`)).status, 200)
  }
})

test('a cursor may be a row that no longer matches the filter', async () => {
  const shop = await fixtures.shop()
  const [a, b, c] = await make(shop, 3)
  await fixtures.cancel(shop, b!)
  assert.deepEqual(idsOf(await list(shop.token, `?status=pending&starting_after=${b}`)), [a])
  assert.deepEqual(idsOf(await list(shop.token, `?status=pending&ending_before=${b}`)), [c])
})

test('date filters are inclusive to the millisecond, and a date is a whole day', async () => {
  const shop = await fixtures.shop()
  const created: { id: string; at: number }[] = []
  for (let day = 0; day < 3; day++) {
    const { body } = await fixtures.create(shop)
    created.push({ id: body.id, at: Date.parse(body.created_at) })
    await advanceTo(86_400_000)
  }
  const [first, second, third] = created as [
    (typeof created)[0],
    (typeof created)[0],
    (typeof created)[0],
  ]
  const iso = (ms: number) => new Date(ms).toISOString()
  const found = async (query: string) => idsOf(await list(shop.token, query))
  assert.deepEqual(await found(`?date_from=${iso(second.at)}`), [third.id, second.id])
  assert.deepEqual(await found(`?date_from=${iso(second.at + 1)}`), [third.id])
  assert.deepEqual(await found(`?date_to=${iso(second.at)}`), [second.id, first.id])
  assert.deepEqual(await found(`?date_to=${iso(second.at - 1)}`), [first.id])
  const day = iso(second.at).slice(0, 10)
  assert.deepEqual(await found(`?date_from=${day}&date_to=${day}`), [second.id])
  assert.deepEqual(await found(`?date_from=${iso(third.at)}&date_to=${iso(first.at)}`), [])
  assert.deepEqual(await found('?date_from=0001-01-01&date_to=9999-12-31'), [
    third.id,
    second.id,
    first.id,
  ])
  const zone = iso(second.at + 7_200_000).replace('Z', '%2B02:00')
  assert.deepEqual(await found(`?date_from=${zone}&date_to=${zone}`), [second.id])
})

test('admins and platforms list all accounts, or one with the header', async () => {
  const [one, two] = [await fixtures.shop(), await fixtures.shop()]
  const [a] = await make(one, 1)
  const [b] = await make(two, 1)
  const [c] = await make(one, 1)
  for (const { token } of [fixtures.admin, await florin.people.platform()]) {
    assert.deepEqual(idsOf(await list(token, '?limit=3')), [c, b, a])
    assert.deepEqual(idsOf(await list(token, `?starting_after=${c}&limit=2`)), [b, a])
    const header = { 'florin-account': one.account_id }
    assert.deepEqual(idsOf(await list(token, '', header)), [c, a])
  }
})

test('across accounts, paging to newer rows skips the most recent ten seconds', async () => {
  const [one, two] = [await fixtures.shop(), await fixtures.shop()]
  const [a] = await make(one, 1)
  const [b] = await make(two, 1)
  const { token } = fixtures.admin
  const walk = async (headers = {}) => {
    const { body } = await list(token, `?ending_before=${a}&limit=100`, headers)
    return [body.data.map(({ id }: { id: string }) => id), body.has_more]
  }
  assert.deepEqual(await walk(), [[], false])
  assert.deepEqual(idsOf(await list(token, '?limit=2')), [b, a], 'the first page includes them')
  const [c] = await make(one, 1)
  const of_one = { 'florin-account': one.account_id }
  assert.deepEqual(await walk(of_one), [[c], false], 'so does the list of one account')
  // Well below ten seconds, because the real time of the requests adds up.
  await advanceTo(7_000)
  assert.deepEqual(await walk(), [[], false], 'seven seconds are not enough')
  await advanceTo(3_001)
  const [d] = await make(two, 1)
  assert.deepEqual(await walk(), [[c, b], false])
  await advanceTo(10_001)
  assert.deepEqual(await walk(), [[d, c, b], false])
  const half = await list(token, `?ending_before=${a}&limit=2`)
  assert.deepEqual([idsOf(half), half.body.has_more], [[c, b], true])
})
