// PROMISES.md, Reads: the pages of one account neither skip nor repeat while others write, and a
// status never goes back. Two servers, eight writers, four followers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const till = await openTransactionFixtures(florin)
const calls = [florin.call, other.call]
const pick = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)]!

interface Row {
  id: string
  status: string
}

// PROMISES has twenty seconds; three are enough to meet every kind of moment in a check.
const duration_ms = process.env.FLORIN_LONG ? 20_000 : 3_000
// Under this floor the run would say nothing, so a busy machine takes longer.
const rows_min = 300

test('followers and walkers meet every row exactly once while others write', async () => {
  const shop = await till.shop()
  const { token } = shop
  const first = (await till.create(shop)).body.id as string
  const until = Date.now() + duration_ms
  let rows = 1
  let written_all = false
  const goesOn = () => Date.now() < until || rows < rows_min
  const get = async (query: string): Promise<{ data: Row[]; has_more: boolean }> => {
    const { status, body, text } = await pick(calls)('GET', `/v1/transactions?${query}`, { token })
    assert.equal(status, 200, text)
    return body
  }

  /** Creates, and ends what it made: a row that changes its status moves to another partition. */
  async function write(): Promise<string[]> {
    const made: string[] = []
    while (goesOn()) {
      const { body } = await till.create(shop, { amount: 1 }, { call: pick(calls) })
      made.push(body.id)
      rows += 1
      const path = `/v1/transactions/${pick(made)}`
      if (made.length % 2) await pick(calls)('DELETE', path, { token })
    }
    return made
  }

  async function follow(limit: number): Promise<string[]> {
    const met = [first]
    for (;;) {
      const late = written_all
      const { data, has_more } = await get(`limit=${limit}&ending_before=${met.at(-1)}`)
      met.push(...data.map((row) => row.id).reverse())
      // One more look after the writers have ended, and only an empty one is the last.
      if (late && data.length === 0 && !has_more) return met
    }
  }

  /** From the newest down to the first, again and again: what it meets may only have gaps above. */
  async function walk(): Promise<string[][]> {
    const walks: string[][] = []
    while (goesOn()) {
      const met: string[] = []
      for (let page = await get('limit=50'); ; ) {
        met.push(...page.data.map((row) => row.id))
        if (!page.has_more) break
        page = await get(`limit=50&starting_after=${met.at(-1)}`)
      }
      walks.push(met)
    }
    return walks
  }

  const writers = Promise.all(Array.from({ length: 8 }, write)).finally(() => {
    written_all = true
  })
  const followers = Promise.all([1, 3, 20, 100].map(follow))
  const walks = await walk()
  const written = (await writers).flat().concat(first).sort()
  for (const met of await followers) assert.deepEqual(met, written)
  for (const met of walks) {
    const newest = written.indexOf(met[0]!)
    assert.deepEqual(met, written.slice(0, newest + 1).reverse())
  }
})

test('what was answered is there for the next read, and never goes back', async () => {
  const shop = await till.shop()
  let reads = 0
  async function live(number: number): Promise<void> {
    const [writer, reader] = number % 2 ? calls : calls.toReversed()
    const { body } = await till.create(shop, { amount: 1 }, { call: writer! })
    const path = `/v1/transactions/${body.id}`
    const read = async (expected: string) => {
      for (const call of [reader!, writer!, reader!]) {
        assert.equal((await call('GET', path, { token: shop.token })).body.status, expected)
        reads += 1
      }
      const page = await reader!('GET', `/v1/transactions?status=${expected}&limit=100`, {
        token: shop.token,
      })
      assert.ok(page.body.data.some((row: Row) => row.id === body.id))
    }
    await read('pending')
    await writer!('DELETE', path, { token: shop.token })
    await read('canceled')
  }
  for (let from = 0; from < 64; from += 16) {
    await Promise.all(Array.from({ length: 16 }, (_, at) => live(from + at)))
  }
  assert.equal(reads, 64 * 6)
})
