// The pages of one account neither skip nor repeat rows during concurrent writes, and a status
// never goes back. Two servers, eight writers, four followers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openTransactionFixtures(florin)
const calls = [florin.call, other.call]
const pick = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)]!

interface Row {
  id: string
  status: string
}

// Twenty seconds in long runs; three are enough to cover the interleavings in a normal one.
const duration_ms = process.env.FLORIN_LONG ? 20_000 : 3_000
// With fewer rows the test would prove nothing, so it runs longer on a busy machine.
const rows_min = 300

test('paging in both directions returns every row exactly once during writes', async () => {
  const shop = await fixtures.shop()
  const { token } = shop
  const first = (await fixtures.create(shop)).body.id as string
  const until = Date.now() + duration_ms
  let rows = 1
  let written_all = false
  const isRunning = () => Date.now() < until || rows < rows_min
  const get = async (query: string): Promise<{ data: Row[]; has_more: boolean }> => {
    const { status, body, text } = await pick(calls)('GET', `/v1/transactions?${query}`, { token })
    assert.equal(status, 200, text)
    return body
  }

  /** Creates and cancels rows: a row whose status changes moves to another partition. */
  async function write(): Promise<string[]> {
    const created: string[] = []
    while (isRunning()) {
      const { body } = await fixtures.create(shop, { amount: 1 }, { call: pick(calls) })
      created.push(body.id)
      rows += 1
      const path = `/v1/transactions/${pick(created)}`
      if (created.length % 2) await pick(calls)('DELETE', path, { token })
    }
    return created
  }

  async function follow(limit: number): Promise<string[]> {
    const seen = [first]
    for (;;) {
      const late = written_all
      const { data, has_more } = await get(`limit=${limit}&ending_before=${seen.at(-1)}`)
      seen.push(...data.map((row) => row.id).reverse())
      // Ends with an empty page that was requested after the writers ended.
      if (late && data.length === 0 && !has_more) return seen
    }
  }

  /** Pages from the newest to the oldest row, repeatedly. Only newer rows may be missing. */
  async function walk(): Promise<string[][]> {
    const walks: string[][] = []
    while (isRunning()) {
      const seen: string[] = []
      for (let page = await get('limit=50'); ; ) {
        seen.push(...page.data.map((row) => row.id))
        if (!page.has_more) break
        page = await get(`limit=50&starting_after=${seen.at(-1)}`)
      }
      walks.push(seen)
    }
    return walks
  }

  const writers = Promise.all(Array.from({ length: 8 }, write)).finally(() => {
    written_all = true
  })
  const followers = Promise.all([1, 3, 20, 100].map(follow))
  const walks = await walk()
  const written = (await writers).flat().concat(first).sort()
  for (const seen of await followers) assert.deepEqual(seen, written)
  for (const seen of walks) {
    const newest = written.indexOf(seen[0]!)
    assert.deepEqual(seen, written.slice(0, newest + 1).reverse())
  }
})

test('reads see completed writes on any server, and a status never goes back', async () => {
  const shop = await fixtures.shop()
  let reads = 0
  async function live(number: number): Promise<void> {
    const [writer, reader] = number % 2 ? calls : calls.toReversed()
    const { body } = await fixtures.create(shop, { amount: 1 }, { call: writer! })
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
