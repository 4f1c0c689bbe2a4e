// Pagination against a fake server. The OpenAPI document determines whether `after` is an id or a
// sequence number.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Florin } from '../../client/src/florin.ts'

// Every entry has both fields, so the tests detect a wrong choice.
const oldest_first = [11, 12, 13, 14, 15, 16, 17].map((sequence) => {
  return { id: `id_${sequence}`, sequence }
})
const newest_first = oldest_first.toReversed()
const ids = (entries: { id: string }[]) => entries.map(({ id }) => id)

interface FakeList {
  florin: Florin
  queries: string[]
}

/** A fake server with these entries at every path, whose `after` is one of the two fields. */
function makeList(after_field: 'id' | 'sequence'): FakeList {
  const queries: string[] = []
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: { access_token: 'token' },
    fetch: async (url) => {
      const query = new URL(url).searchParams
      queries.push(query.toString())
      return Response.json(response(query, after_field))
    },
  })
  return { florin, queries }
}

function response(query: URLSearchParams, after_field: 'id' | 'sequence'): object {
  const limit = Number(query.get('limit'))
  const [after, ending_before] = [query.get('after'), query.get('ending_before')]
  if (after !== null) return toPage(from(oldest_first, after_field, after), limit)
  if (ending_before !== null) {
    const { data, ...page } = toPage(from(oldest_first, 'id', ending_before), limit)
    return { ...page, data: data.toReversed() }
  }
  return toPage(from(newest_first, 'id', query.get('starting_after')), limit)
}

function from(entries: typeof oldest_first, field: 'id' | 'sequence', value: string | null) {
  if (value === null) return entries
  const at = entries.findIndex((entry) => String(entry[field]) === value)
  assert.ok(at >= 0, `${value} is not a known ${field}`)
  return entries.slice(at + 1)
}

function toPage(entries: typeof oldest_first, limit: number) {
  return { object: 'list', data: entries.slice(0, limit), has_more: entries.length > limit }
}

test('requestLogs.list with after continues by id, oldest first, with its filters', async () => {
  const { florin, queries } = makeList('id')
  const list = florin.requestLogs.list({ after: 'id_12', limit: 2, method: 'POST' })
  assert.deepEqual(ids(await Array.fromAsync(list)), ids(oldest_first.slice(2)))
  assert.deepEqual(queries, [
    'after=id_12&limit=2&method=POST',
    'after=id_14&limit=2&method=POST',
    'after=id_16&limit=2&method=POST',
  ])
})

test('events.list with after continues by sequence number', async () => {
  const { florin, queries } = makeList('sequence')
  const list = florin.events.list({ after: 12, limit: 2 })
  assert.deepEqual(ids(await Array.fromAsync(list)), ids(oldest_first.slice(2)))
  assert.deepEqual(queries, ['after=12&limit=2', 'after=14&limit=2', 'after=16&limit=2'])
})

test('without after, both are paginated like other lists', async () => {
  const { florin, queries } = makeList('id')
  for (const noun of ['requestLogs', 'events', 'payments'] as const) {
    const older = florin[noun].list({ limit: 3 })
    assert.deepEqual(ids(await Array.fromAsync<{ id: string }>(older)), ids(newest_first))
    const newer = florin[noun].list({ limit: 3, ending_before: 'id_12' })
    assert.deepEqual(ids(await Array.fromAsync<{ id: string }>(newer)), ids(oldest_first.slice(2)))
  }
  assert.equal(queries.filter((query) => /(^|&)after=/.test(query)).length, 0)
})

test('loads the next page just before it yields the last entry of a page', async () => {
  // The caller may remove the last entry, which is the cursor of the next page.
  for (const [query, expected] of [
    [{ limit: 3 }, [1, 1, 2, 2, 2, 3, 3]],
    [{ limit: 3, ending_before: 'id_11' }, [1, 1, 2, 2, 2, 2]],
  ] as const) {
    const { florin, queries } = makeList('id')
    const counts: number[] = []
    for await (const _ of florin.payments.list(query)) counts.push(queries.length)
    assert.deepEqual(counts, expected)
  }
})

test('an error of the next page is thrown only if the iteration continues', async () => {
  const page = toPage(newest_first, 3)
  const florin = new Florin({
    base_url: 'http://florin.test',
    fetch: async (url) =>
      url.includes('starting_after')
        ? Response.json({ error: 'invalid_request', message: 'No.' }, { status: 400 })
        : Response.json(page),
  })
  const seen: string[] = []
  const iterate = async (last: string | undefined) => {
    for await (const { id } of florin.payments.list({ limit: 3 })) {
      seen.push(id)
      if (id === last) break
    }
  }
  await iterate('id_15')
  assert.deepEqual(seen.splice(0), ids(page.data))
  await assert.rejects(iterate(undefined), { code: 'invalid_request' })
  assert.deepEqual(seen, ids(page.data))
})

/** A fake server with `count` users, two per page, that can be removed. */
function makeUsers(count: number) {
  const users = Array.from({ length: count }, (_, at) => ({ id: `usr_${at + 1}` }))
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: { access_token: 'token' },
    fetch: async (url, { method }) => {
      const { pathname, searchParams } = new URL(url)
      if (method === 'DELETE') {
        const at = users.findIndex(({ id }) => pathname.endsWith(`/${id}`))
        return Response.json(users.splice(at, 1)[0])
      }
      const page = Number(searchParams.get('page') ?? 1)
      const pagination = { page, total_pages: Math.ceil(users.length / 2) }
      return Response.json({ data: users.slice(2 * page - 2, 2 * page), pagination })
    },
  })
  return { florin, users }
}

test('removing users during an iteration skips others; collect them first', async () => {
  const immediate = makeUsers(6)
  for await (const { id } of immediate.florin.users.list()) await immediate.florin.users.delete(id)
  assert.deepEqual(ids(immediate.users), ['usr_3', 'usr_4'])
  const collected = makeUsers(6)
  const all = await Array.fromAsync(collected.florin.users.list())
  for (const { id } of all) await collected.florin.users.delete(id)
  assert.deepEqual(collected.users, [])
})

test('the doc of every list with numbered pages warns about removals', () => {
  const path = new URL('../../client/src/generated/resources.ts', import.meta.url)
  const methods = readFileSync(path, 'utf8').split('\n  /**\n')
  const numbered = methods.filter((text) => text.includes('this.#transport.numberedPages('))
  assert.equal(numbered.length, 2)
  for (const text of numbered) assert.match(text, /Collect the entries first, then remove them\./)
})
