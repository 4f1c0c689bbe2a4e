// Lists of payment requests match a plain array, and neither skip nor repeat rows during concurrent
// writes. Requests and transactions of an account share one sequence of ids.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openPaymentFixtures(florin)
const calls = [florin.call, other.call]

interface Row {
  id: string
  status: string
  created_at: string
}

const statuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
const random = (count: number) => Math.floor(Math.random() * count)
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!
const newestFirst = (one: Row, another: Row) => (one.id < another.id ? 1 : -1)

async function advanceTo(ms: number): Promise<void> {
  await florin.db.pool.query('update clock set offset_ms = offset_ms + $1', [ms])
}

async function fill(shop: Shop, count: number): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length < count) {
    if (random(3) === 0) await advanceTo(random(86_400_000))
    const some = Array.from({ length: Math.min(10, count - rows.length) }, () =>
      fixtures.createPayment(shop),
    )
    rows.push(...(await Promise.all(some)).map(({ body }) => body))
  }
  await Promise.all(
    rows.map(async (row) => {
      row.status = pick(statuses)
      if (row.status === 'canceled') await fixtures.cancelPayment(shop, row.id)
      else if (row.status !== 'pending') {
        await fixtures.settlePayment(row.id, row.status as 'succeeded' | 'failed')
      }
    }),
  )
  return rows.sort(newestFirst)
}

interface Query {
  status?: string
  limit?: number
  starting_after?: string
  ending_before?: string
  date_from?: string
  date_to?: string
}

function model(rows: Row[], query: Query): { ids: string[]; has_more: boolean } {
  const { status, starting_after, ending_before, date_from, date_to } = query
  const limit = Math.min(query.limit ?? 20, 100)
  const found = rows.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (date_from === undefined || row.created_at >= date_from) &&
      (date_to === undefined || row.created_at <= date_to) &&
      (starting_after === undefined || row.id < starting_after) &&
      (ending_before === undefined || row.id > ending_before),
  )
  const page = ending_before === undefined ? found.slice(0, limit) : found.slice(-limit)
  return { ids: page.map((row) => row.id), has_more: found.length > limit }
}

function randomQuery(rows: Row[]): Query {
  const query: Query = {}
  if (random(2)) query.status = pick(statuses)
  if (random(4)) query.limit = pick([1, 2, 3, 7, 20, 100, 101])
  const row = pick(rows)
  if (row && random(2)) query[pick(['starting_after', 'ending_before'] as const)] = row.id
  if (row && random(3) === 0) query.date_from = pick(rows).created_at
  if (row && random(3) === 0) query.date_to = pick(rows).created_at
  return query
}

const sets: { shop: Shop; rows: Row[] }[] = []
for (const count of [0, 1, 21, 60, 120]) {
  const shop = await fixtures.shop()
  sets.push({ shop, rows: await fill(shop, count) })
}
// Move all rows past the ten seconds that lists across accounts skip.
await advanceTo(11_000)

async function compare(rows: Row[], token: string, account_id?: string): Promise<void> {
  const query = randomQuery(rows)
  const given = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(given).toString()
  const headers: Record<string, string> = account_id ? { 'florin-account': account_id } : {}
  const { status, body } = await florin.call('GET', `/v1/payments?${text}`, { token, headers })
  assert.equal(status, 200, text)
  const ids = body.data.map((row: Row) => row.id)
  assert.deepEqual({ ids, has_more: body.has_more }, model(rows, query), text)
}

test('200 random pages of one account or across accounts match the model', async () => {
  const everything = sets.flatMap(({ rows }) => rows).sort(newestFirst)
  for (let done = 0; done < 200; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, () => {
        const { shop, rows } = pick(sets)
        const choice = random(4)
        if (choice === 0) return compare(everything, fixtures.admin.token)
        if (choice === 1) return compare(rows, fixtures.admin.token, shop.account_id)
        return compare(rows, shop.token)
      }),
    )
  }
})

test('a text finds requests by part of the email or the reference, page by page', async () => {
  const shop = await fixtures.shop()
  const request = async (customer_email: string, reference: string | null) => {
    const { account_id, token } = shop
    const body = { account_id, amount: 500, currency: 'USD', customer_email, reference }
    return (await florin.call('POST', '/v1/payments', { token, body })).body.id
  }
  const by_email = await request('Ann.Keller@example.com', null)
  await request('ben@example.com', 'Invoice 7')
  const by_reference = await request('carla@example.com', 'For ANN, invoice 8_')
  const find = async (query: string) => {
    const { token } = shop
    const list = await florin.call('GET', `/v1/payments?${query}`, { token })
    assert.equal(list.status, 200, list.text)
    const count = await florin.call('GET', `/v1/list_counts/payments?${query}`, { token })
    assert.equal(count.body.count, list.body.data.length)
    return list.body.data.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await find('search=ann'), [by_reference, by_email])
  assert.deepEqual(await find('search=8_&status=pending'), [by_reference])
  assert.deepEqual(await find('search=%25'), [])
  const path = `/v1/payments?search=aNN&limit=1&starting_after=${by_reference}`
  const { body } = await florin.call('GET', path, { token: shop.token })
  assert.deepEqual([body.data[0].id, body.has_more], [by_email, false])
})

test('invalid filters, cursors and unknown parameters return 400', async () => {
  const [{ shop: foreign, rows: theirs }, { shop }] = [sets.at(-1)!, sets.at(-2)!]
  const bad = [
    'status=paid',
    'limit=0',
    'limit=x',
    'date_from=now',
    'date_to=2026-02-30',
    'starting_after=x',
    `starting_after=${theirs[0]!.id}`,
    `starting_after=${theirs[0]!.id.replace('pay_', 'txn_')}`,
    `starting_after=${sets.at(-2)!.rows[0]!.id}&ending_before=${sets.at(-2)!.rows[1]!.id}`,
  ]
  for (const query of bad) {
    const response = await fixtures.list(shop, `?${query}`)
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], query)
  }
  const misspelled = await fixtures.list(foreign, '?statuss=paid')
  assert.deepEqual(
    [misspelled.status, misspelled.body.message],
    [400, '"statuss" is not a query parameter of this request. Did you mean "status"?'],
  )
})

test('paging to newer requests returns each one once during concurrent writes', async () => {
  const shop = await fixtures.shop()
  const { token } = shop
  const first = await fixtures.request(shop)
  let writing = true
  const created: string[] = [first]
  async function write(number: number): Promise<void> {
    for (let round = 0; round < 25; round++) {
      const call = calls[(number + round) % 2]!
      const { body } = await fixtures.createPayment(shop, { amount: 1 }, { call })
      created.push(body.id)
      if (round % 3 === 0) await fixtures.create(shop, { amount: 1 }, { call })
      if (round % 4 === 0) await fixtures.cancelPayment(shop, pick(created), { call })
    }
  }
  async function follow(limit: number): Promise<string[]> {
    const seen = [first]
    for (;;) {
      const late = !writing
      const query = `limit=${limit}&ending_before=${seen.at(-1)}`
      const { body } = await pick(calls)('GET', `/v1/payments?${query}`, { token })
      seen.push(...body.data.map((row: Row) => row.id).reverse())
      if (late && body.data.length === 0) return seen
    }
  }
  const writers = Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(write)).finally(() => {
    writing = false
  })
  const followers = await Promise.all([1, 7, 100].map(follow))
  await writers
  for (const seen of followers) assert.deepEqual(seen, created.toSorted())
})

test('across accounts, paging to newer requests skips the most recent ten seconds', async () => {
  const [one, two] = [await fixtures.shop(), await fixtures.shop()]
  const [a, b, c] = [
    await fixtures.request(one),
    await fixtures.request(two),
    await fixtures.request(one),
  ]
  const { token } = fixtures.admin
  const list = async (query: string, headers = {}) => {
    const { body } = await florin.call('GET', `/v1/payments?${query}`, { token, headers })
    return body.data.map((row: Row) => row.id)
  }
  const walk = (headers = {}) => list(`ending_before=${a}`, headers)
  assert.deepEqual(await walk(), [])
  assert.deepEqual(await list('limit=3'), [c, b, a], 'the first page includes them')
  const of_one = { 'florin-account': one.account_id }
  assert.deepEqual(await walk(of_one), [c], 'so does the list of one account')
  // Well below ten seconds, because the real time of the requests adds up.
  await advanceTo(7_000)
  assert.deepEqual(await walk(), [], 'seven seconds are not enough')
  await advanceTo(3_001)
  assert.deepEqual(await walk(), [c, b])
})
