// Compares lists with a plain array, for random accounts, filters, cursors and limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../src/operations/seeding/random.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { patient, startFlorin } from '../support/florin.ts'
import { createOf, entryOf } from './entries.ts'
import { openTransactionFixtures, type Shop } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const lanes = new TransactionLanes(florin.db, patient)

interface Row {
  id: string
  account_id: string
  status: string
  type: string
  created_at: string
}

const statuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
type Type = 'payment' | 'credit' | 'refund'
const types: Type[] = ['payment', 'payment', 'payment', 'credit', 'refund']

// FLORIN_LISTS_SEED=… repeats the random choices of a run; ids and times differ.
const seed = process.env.FLORIN_LISTS_SEED ?? String(Date.now())

/** Advances business time, so that the rows are spread over many days. */
async function advanceTo(ms: number): Promise<void> {
  await florin.db.pool.query('update clock set offset_ms = offset_ms + $1', [ms])
}

/** Newest first. */
async function fill(shop: Shop, count: number, random: Random, of = types): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length < count) {
    if (random.chance(1 / 3)) await advanceTo(random.below(86_400_000 * 2))
    const length = Math.min(1 + random.below(20), count - rows.length)
    const some = Array.from({ length }, async () => {
      const command = createOf(shop, { type: random.pick(of), amount: 1 })
      const created = await lanes.submit(entryOf(shop, command))
      return JSON.parse(created.body as string) as Row
    })
    rows.push(...(await Promise.all(some)))
  }
  await Promise.all(rows.map((row) => end(shop, row, random.pick(statuses))))
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1))
}

async function end(shop: Shop, row: Row, to: (typeof statuses)[number]): Promise<void> {
  if (to === 'pending') return
  const id = findUuid('transaction', row.id)!
  const command = {
    kind: 'end',
    account_id: shop.uuid,
    id,
    to,
    if_not_pending: 'conflict',
  } as const
  const token_hash = sha256(fixtures.admin.token)
  const token = { kind: 'session', token_hash, account_id: null } as const
  await lanes.submit(entryOf(shop, command, { token }))
  row.status = to
}

interface Query {
  status?: string
  type?: string
  limit?: number
  starting_after?: string
  ending_before?: string
  date_from?: string
  date_to?: string
}

/** The expected page. */
function model(rows: Row[], query: Query): { ids: string[]; has_more: boolean } {
  const { status, type, starting_after, ending_before, date_from, date_to } = query
  const limit = Math.min(query.limit ?? 20, 100)
  const found = rows.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (type === undefined || row.type === type) &&
      (date_from === undefined || Date.parse(row.created_at) >= firstInstant(date_from)) &&
      (date_to === undefined || Date.parse(row.created_at) <= lastInstant(date_to)) &&
      (starting_after === undefined || row.id < starting_after) &&
      (ending_before === undefined || row.id > ending_before),
  )
  const page = ending_before === undefined ? found.slice(0, limit) : found.slice(-limit)
  return { ids: page.map((row) => row.id), has_more: found.length > limit }
}

const firstInstant = (text: string) => Date.parse(text)
const lastInstant = (text: string) => Date.parse(text) + (text.length === 10 ? 86_399_999 : 0)

function randomQuery(rows: Row[], random: Random): Query {
  const query: Query = {}
  if (random.chance(0.5)) query.status = random.pick(statuses)
  if (random.chance(0.5)) query.type = random.pick(types)
  if (random.chance(0.75)) query.limit = random.pick([1, 2, 3, 7, 20, 99, 100, 101, 5_000])
  if (rows.length === 0) return query
  if (random.chance(0.5)) {
    query[random.pick(['starting_after', 'ending_before'] as const)] = random.pick(rows).id
  }
  if (random.chance(1 / 3)) query.date_from = randomTime(random.pick(rows), random)
  if (random.chance(1 / 3)) query.date_to = randomTime(random.pick(rows), random)
  return query
}

/** A time at or near the row's, in one of the accepted formats. */
function randomTime(row: Row, random: Random): string {
  const at = new Date(Date.parse(row.created_at) + random.pick([-1, 0, 0, 1]))
  const with_offset = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
  return random.pick([at.toISOString(), row.created_at.slice(0, 10), with_offset])
}

async function compare(rows: Row[], query: Query, token: string, account_id?: string) {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(given).toString()
  const headers: Record<string, string> = account_id ? { 'florin-account': account_id } : {}
  const response = await florin.call('GET', `/v1/transactions?${text}`, { token, headers })
  const what = `${text} of FLORIN_LISTS_SEED=${seed}`
  assert.equal(response.status, 200, `${what}: ${response.text}`)
  const ids = response.body.data.map((row: Row) => row.id)
  assert.deepEqual({ ids, has_more: response.body.has_more }, model(rows, query), what)
}

interface DataSet {
  shop: Shop
  rows: Row[]
  /** Separate for each set, so that sets do not influence each other. */
  random: Random
}

async function makeSet(shop: Shop, name: string, count: number): Promise<DataSet> {
  const random = new Random(seed, name)
  const funding = (await florin.call('GET', '/v1/transactions', { token: shop.token })).body.data
  return { shop, rows: [...(await fill(shop, count, random)), ...funding], random }
}

// Many small accounts: they hit combinations of edge cases, and failures stay readable. The first
// two are empty.
const bare = await Promise.all([fixtures.shop(), fixtures.shop()])
const funded = await Promise.all(Array.from({ length: 58 }, () => fixtures.shop(1_000)))
const sizes = new Random(seed, 'sizes')
const sets: DataSet[] = []
for (const [at, shop] of [...bare, ...funded].entries()) {
  const count = at < bare.length ? 0 : sizes.pick([0, 1, 2, sizes.below(10), sizes.below(41)])
  sets.push(await makeSet(shop, `set ${at}`, count))
}
const large = await makeSet(await fixtures.shop(1_000), 'large', 140)
// Move all rows past the ten seconds that lists across accounts skip.
await advanceTo(11_000)

function drawQueries({ rows, random }: DataSet, count: number): Query[] {
  return Array.from({ length: count }, () => randomQuery(rows, random))
}

test(`500 random pages of 61 accounts match the model (seed ${seed})`, async () => {
  for (const set of [...sets, large]) {
    const queries = drawQueries(set, set === large ? 20 : 8)
    await Promise.all(queries.map((query) => compare(set.rows, query, set.shop.token)))
  }
})

test(`200 random pages across accounts or by header match the model (seed ${seed})`, async () => {
  const every = [...sets, large]
  const rows = every.flatMap((set) => set.rows).sort((one, other) => (one.id < other.id ? 1 : -1))
  const random = new Random(seed, 'across')
  const { token } = fixtures.admin
  for (let done = 0; done < 200; done += 20) {
    const across = Array.from({ length: 10 }, () => randomQuery(rows, random))
    const of_one = Array.from({ length: 10 }, () => {
      const set = random.pick(every)
      return { set, query: randomQuery(set.rows, random) }
    })
    await Promise.all([
      ...across.map((query) => compare(rows, query, token)),
      ...of_one.map(({ set, query }) => compare(set.rows, query, token, set.shop.account_id)),
    ])
  }
})

test('paging by either cursor returns every row once, whatever the limit', async () => {
  const { shop, rows } = large
  for (const limit of [1, 7, 20, 100]) {
    for (const cursor of ['starting_after', 'ending_before'] as const) {
      const seen: string[] = []
      // Paging to newer rows starts after the oldest one.
      let edge = cursor === 'starting_after' ? '' : rows.at(-1)!.id
      for (;;) {
        const query = `limit=${limit}${edge && `&${cursor}=${edge}`}`
        const { body } = await florin.call('GET', `/v1/transactions?${query}`, {
          token: shop.token,
        })
        const ids = body.data.map((row: Row) => row.id)
        if (cursor === 'starting_after') seen.push(...ids)
        else seen.unshift(...ids)
        if (!body.has_more) break
        edge = cursor === 'starting_after' ? ids.at(-1) : ids[0]
      }
      const all = rows.map((row) => row.id)
      assert.deepEqual(seen, cursor === 'starting_after' ? all : all.slice(0, -1))
    }
  }
})

test('has_more is correct for zero rows, one row, the limit and one more', async () => {
  for (const limit of [1, 5, 20, 100]) {
    for (const count of new Set([0, 1, limit, limit + 1])) {
      const shop = await fixtures.shop()
      const rows = await fill(shop, count, new Random(seed, limit, count), ['payment'])
      await compare(rows, { limit }, shop.token)
      const response = await florin.call('GET', `/v1/transactions?limit=${limit}`, {
        token: shop.token,
      })
      const { data, has_more } = response.body
      assert.deepEqual([data.length, has_more], [Math.min(count, limit), count > limit])
    }
  }
})
