// PROMISES.md, Reads: lists agree with a plain array. Random accounts, filters, cursors and limits;
// what the server answers must be what an array of the same rows would.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { startFlorin } from '../support/florin.ts'
import { createOf, entryOf } from './entries.ts'
import { openTill, type Shop } from './till.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const till = await openTill(florin)
const lanes = new TransactionLanes(florin.db)

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

const random = (count: number) => Math.floor(Math.random() * count)
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!

/** Moves business time on, so that the rows lie on many days. */
async function passTime(ms: number): Promise<void> {
  await florin.db.pool.query('update clock set offset_ms = offset_ms + $1', [ms])
}

/** Newest first. */
async function fill(shop: Shop, count: number, of = types): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length < count) {
    if (random(3) === 0) await passTime(random(86_400_000 * 2))
    const some = Array.from({ length: Math.min(1 + random(20), count - rows.length) }, async () => {
      const made = await lanes.submit(entryOf(shop, createOf(shop, { type: pick(of), amount: 1 })))
      return JSON.parse(made.body as string) as Row
    })
    rows.push(...(await Promise.all(some)))
  }
  await Promise.all(rows.map((row) => end(shop, row, pick(statuses))))
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1))
}

async function end(shop: Shop, row: Row, to: (typeof statuses)[number]): Promise<void> {
  if (to === 'pending') return
  const id = findUuid('transaction', row.id)!
  const command = { kind: 'end', account_id: shop.uuid, id, to, otherwise: 'conflict' } as const
  const token = { token_hash: sha256(till.admin.token), account_id: null }
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

/** What an array would answer. */
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

function randomQuery(rows: Row[]): Query {
  const query: Query = {}
  if (random(2)) query.status = pick(statuses)
  if (random(2)) query.type = pick(types)
  if (random(4)) query.limit = pick([1, 2, 3, 7, 20, 99, 100, 101, 5_000])
  const row = pick(rows)
  if (row && random(2)) query[pick(['starting_after', 'ending_before'] as const)] = row.id
  if (row && random(3) === 0) query.date_from = randomTime(row)
  if (row && random(3) === 0) query.date_to = randomTime(pick(rows))
  return query
}

/** A moment at or near one that is there, said in one of the ways that it may be said. */
function randomTime(row: Row): string {
  const at = new Date(Date.parse(row.created_at) + pick([-1, 0, 0, 1]))
  const there = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
  return pick([at.toISOString(), row.created_at.slice(0, 10), there])
}

async function compare(rows: Row[], query: Query, token: string, account_id?: string) {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(given).toString()
  const headers: Record<string, string> = account_id ? { 'florin-account': account_id } : {}
  const answer = await florin.call('GET', `/v1/transactions?${text}`, { token, headers })
  assert.equal(answer.status, 200, `${text}: ${answer.text}`)
  const ids = answer.body.data.map((row: Row) => row.id)
  assert.deepEqual({ ids, has_more: answer.body.has_more }, model(rows, query), text)
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += 20) {
    await Promise.all(Array.from({ length: 20 }, work))
  }
}

const sets: { shop: Shop; rows: Row[] }[] = []
for (const count of [0, 1, 2, 21, 60, 140]) {
  const shop = await till.shop(1_000)
  const funding = (await florin.call('GET', '/v1/transactions', { token: shop.token })).body.data
  sets.push({ shop, rows: [...(await fill(shop, count)), ...funding] })
}
const empty = await till.shop()
sets.push({ shop: empty, rows: [] })
// Nothing is younger than the ten seconds that lists across accounts leave out.
await passTime(11_000)

test('500 random pages of one account are those of an array', async () => {
  await inParallel(500, async () => {
    const { shop, rows } = pick(sets)
    await compare(rows, randomQuery(rows), shop.token)
  })
})

test('200 random pages across accounts, or of one by header, are those of an array', async () => {
  const everything = sets
    .flatMap(({ rows }) => rows)
    .sort((one, other) => (one.id < other.id ? 1 : -1))
  await inParallel(200, async () => {
    const { shop, rows } = pick(sets)
    if (random(2)) await compare(everything, randomQuery(everything), till.admin.token)
    else await compare(rows, randomQuery(rows), till.admin.token, shop.account_id)
  })
})

test('walking by either cursor meets every row once, whatever the limit', async () => {
  const { shop, rows } = sets.at(-3)!
  for (const limit of [1, 7, 20, 100]) {
    for (const cursor of ['starting_after', 'ending_before'] as const) {
      const met: string[] = []
      // Walking to newer rows begins behind the oldest one.
      let edge = cursor === 'starting_after' ? '' : rows.at(-1)!.id
      for (;;) {
        const query = `limit=${limit}${edge && `&${cursor}=${edge}`}`
        const { body } = await florin.call('GET', `/v1/transactions?${query}`, {
          token: shop.token,
        })
        const ids = body.data.map((row: Row) => row.id)
        if (cursor === 'starting_after') met.push(...ids)
        else met.unshift(...ids)
        if (!body.has_more) break
        edge = cursor === 'starting_after' ? ids.at(-1) : ids[0]
      }
      const all = rows.map((row) => row.id)
      assert.deepEqual(met, cursor === 'starting_after' ? all : all.slice(0, -1))
    }
  }
})

test('has_more is right at none, one, the limit and one more', async () => {
  for (const limit of [1, 5, 20, 100]) {
    for (const count of new Set([0, 1, limit, limit + 1])) {
      const shop = await till.shop()
      const rows = await fill(shop, count, ['payment'])
      await compare(rows, { limit }, shop.token)
      const answer = await florin.call('GET', `/v1/transactions?limit=${limit}`, {
        token: shop.token,
      })
      const { data, has_more } = answer.body
      assert.deepEqual([data.length, has_more], [Math.min(count, limit), count > limit])
    }
  }
})
