// How lists are walked, against one that is made up: whether `after` is an id or a number is known
// from the API description, and not guessed from what an entry holds.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Florin } from '../../client/src/florin.ts'

// Every entry has both, so that a wrong choice is seen.
const oldest_first = [11, 12, 13, 14, 15, 16, 17].map((sequence) => {
  return { id: `id_${sequence}`, sequence }
})
const newest_first = oldest_first.toReversed()
const ids = (entries: { id: string }[]) => entries.map(({ id }) => id)

interface FakeList {
  florin: Florin
  asked: string[]
}

/** A server that has these entries at every path, and reads `after` as one of the two. */
function makeList(after_field: 'id' | 'sequence'): FakeList {
  const asked: string[] = []
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: { access_token: 'token' },
    fetch: async (url) => {
      const query = new URL(url).searchParams
      asked.push(query.toString())
      return Response.json(response(query, after_field))
    },
  })
  return { florin, asked }
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
  assert.ok(at >= 0, `${value} is no ${field}`)
  return entries.slice(at + 1)
}

function toPage(entries: typeof oldest_first, limit: number) {
  return { object: 'list', data: entries.slice(0, limit), has_more: entries.length > limit }
}

test('requests after one are walked by id: each once, oldest first, with the filters', async () => {
  const { florin, asked } = makeList('id')
  const list = florin.requestLogs.list({ after: 'id_12', limit: 2, method: 'POST' })
  assert.deepEqual(ids(await Array.fromAsync(list)), ids(oldest_first.slice(2)))
  assert.deepEqual(asked, [
    'after=id_12&limit=2&method=POST',
    'after=id_14&limit=2&method=POST',
    'after=id_16&limit=2&method=POST',
  ])
})

test('events after one are walked by their number', async () => {
  const { florin, asked } = makeList('sequence')
  const list = florin.events.list({ after: 12, limit: 2 })
  assert.deepEqual(ids(await Array.fromAsync(list)), ids(oldest_first.slice(2)))
  assert.deepEqual(asked, ['after=12&limit=2', 'after=14&limit=2', 'after=16&limit=2'])
})

test('without after both are walked as any other list', async () => {
  const { florin, asked } = makeList('id')
  for (const noun of ['requestLogs', 'events', 'payments'] as const) {
    const older = florin[noun].list({ limit: 3 })
    assert.deepEqual(ids(await Array.fromAsync<{ id: string }>(older)), ids(newest_first))
    const newer = florin[noun].list({ limit: 3, ending_before: 'id_12' })
    assert.deepEqual(ids(await Array.fromAsync<{ id: string }>(newer)), ids(oldest_first.slice(2)))
  }
  assert.equal(asked.filter((query) => /(^|&)after=/.test(query)).length, 0)
})

test('the next page is there before the last entry of this one, and not earlier', async () => {
  // Who removes the last entry in hand takes away what the next page would begin after.
  for (const [query, expected] of [
    [{ limit: 3 }, [1, 1, 2, 2, 2, 3, 3]],
    [{ limit: 3, ending_before: 'id_11' }, [1, 1, 2, 2, 2, 2]],
  ] as const) {
    const { florin, asked } = makeList('id')
    const asked_by_then: number[] = []
    for await (const _ of florin.payments.list(query)) asked_by_then.push(asked.length)
    assert.deepEqual(asked_by_then, expected)
  }
})

test('a page that is refused is told after the last entry, and only to who walks on', async () => {
  const page = toPage(newest_first, 3)
  const florin = new Florin({
    base_url: 'http://florin.test',
    fetch: async (url) =>
      url.includes('starting_after')
        ? Response.json({ error: 'invalid_request', message: 'No.' }, { status: 400 })
        : Response.json(page),
  })
  const seen: string[] = []
  const walk = async (last: string | undefined) => {
    for await (const { id } of florin.payments.list({ limit: 3 })) {
      seen.push(id)
      if (id === last) break
    }
  }
  await walk('id_15')
  assert.deepEqual(seen.splice(0), ids(page.data))
  await assert.rejects(walk(undefined), { code: 'invalid_request' })
  assert.deepEqual(seen, ids(page.data))
})

/** A server with so many users, two on a page, that can be removed. */
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

// The pages of users have numbers, as they always had: a walk can but say so.
test('users that are removed on the way hide others; collected first, all go', async () => {
  const hasty = makeUsers(6)
  for await (const { id } of hasty.florin.users.list()) await hasty.florin.users.delete(id)
  assert.deepEqual(ids(hasty.users), ['usr_3', 'usr_4'])
  const patient = makeUsers(6)
  const all = await Array.fromAsync(patient.florin.users.list())
  for (const { id } of all) await patient.florin.users.delete(id)
  assert.deepEqual(patient.users, [])
})

test('every list with numbered pages says so where it is called', () => {
  const path = new URL('../../client/src/generated/resources.ts', import.meta.url)
  const methods = readFileSync(path, 'utf8').split('\n  /**\n')
  const numbered = methods.filter((text) => text.includes('this.#caller.numberedPages('))
  assert.equal(numbered.length, 2)
  for (const text of numbered) assert.match(text, /Collect them first, then remove them\./)
})
