import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'

const florin = await startFlorin()
const { token } = await florin.people.admin()

interface Listed {
  id: string
  created_at: string
}

async function list(query = '') {
  const response = await florin.call('GET', `/v1/accounts${query}`, { token })
  assert.equal(response.status, 200, response.text)
  const { data, pagination } = response.body
  return { ids: data.map(({ id }: Listed) => id) as string[], data, pagination }
}

/** Opens an account at the given time by replacing the clock of the process. */
async function openAt(time: string, type = 'business'): Promise<string> {
  const { now } = Date
  Date.now = () => Date.parse(time)
  const body = { ...credentials('then'), name: 'Then Ltd', type }
  const response = await florin.call('POST', '/v1/accounts', { body })
  Date.now = now
  assert.equal(response.status, 201)
  assert.equal(response.body.created_at, time)
  return response.body.id
}

const first = await openAt('2024-02-28T12:00:00.000Z')
const last_of_february = await openAt('2024-02-29T23:59:59.999Z', 'individual')
const start_of_march = await openAt('2024-03-01T00:00:00.000Z')
const in_march = await openAt('2024-03-01T15:30:00.500Z', 'individual')
const all = [first, last_of_february, start_of_march, in_march]

test('lists accounts oldest first, without settings', async () => {
  const { ids, data, pagination } = await list()
  assert.deepEqual(ids, all)
  for (const account of data) assert.ok(!('settings' in account))
  assert.deepEqual(pagination, { page: 1, limit: 25, total: 4, has_next: false })
})

test('pages neither skip nor repeat rows, and has_next is correct', async () => {
  const pages: [string, string[], boolean][] = [
    ['?limit=3', all.slice(0, 3), true],
    ['?limit=3&page=2', all.slice(3), false],
    ['?limit=2&page=2', all.slice(2), false],
    ['?limit=4', all, false],
    ['?limit=1&page=3', [start_of_march], true],
    ['?limit=4&page=2', [], false],
    ['?page=9007199254740991', [], false],
    ['?limit=1000', all, false],
  ]
  for (const [query, ids, has_next] of pages) {
    const page = await list(query)
    assert.deepEqual(page.ids, ids, query)
    assert.equal(page.pagination.has_next, has_next, query)
    assert.equal(page.pagination.total, 4, query)
  }
  assert.equal((await list('?limit=1000')).pagination.limit, 100)
})

test('created_after and created_before are inclusive to the millisecond', async () => {
  const ranges: [string, string[]][] = [
    ['created_after=2024-02-29T23:59:59.999Z', all.slice(1)],
    ['created_after=2024-03-01T00:00:00.000Z', all.slice(2)],
    ['created_after=2024-03-01T00:00:00.001Z', all.slice(3)],
    ['created_before=2024-02-29T23:59:59.999Z', all.slice(0, 2)],
    ['created_before=2024-02-29T23:59:59.998Z', all.slice(0, 1)],
    ['created_before=2024-03-01T00:00:00Z', all.slice(0, 3)],
    ['created_after=2024-03-01T00:00:00Z&created_before=2024-03-01T00:00:00Z', [start_of_march]],
    ['created_after=2024-03-01T02:00:00%2B02:00', all.slice(2)],
    ['created_before=2024-02-29T18:59:59.999-05:00', all.slice(0, 2)],
    ['created_after=1969-12-31', all],
    ['created_after=0001-01-01', all],
    ['created_before=9999-12-31', all],
    ['created_before=1969-12-31', []],
    ['created_after=2024-03-02&created_before=2024-03-01', []],
  ]
  for (const [query, ids] of ranges) {
    const page = await list(`?${query}`)
    assert.deepEqual(page.ids, ids, query)
    assert.equal(page.pagination.total, ids.length, query)
  }
})

test('a date means its first instant in created_after and its last in created_before', async () => {
  const ranges: [string, string[]][] = [
    ['created_after=2024-02-29', all.slice(1)],
    ['created_after=2024-03-01', all.slice(2)],
    ['created_before=2024-02-29', all.slice(0, 2)],
    ['created_before=2024-02-28', all.slice(0, 1)],
    ['created_after=2024-02-29&created_before=2024-02-29', [last_of_february]],
    ['created_after=2024-03-01&created_before=2024-03-01', all.slice(2)],
  ]
  for (const [query, ids] of ranges) assert.deepEqual((await list(`?${query}`)).ids, ids, query)
})

test('combines a range with filters, with exact totals on every page', async () => {
  const page = await list('?created_after=2024-02-29&type=individual&limit=1&page=2')
  assert.deepEqual(page.ids, [in_march])
  assert.deepEqual(page.pagination, { page: 2, limit: 1, total: 2, has_next: false })
})

test('filters by status and type, including closed accounts', async () => {
  const change = (id: string, status: string) =>
    florin.call('PATCH', `/v1/accounts/${id}`, { token, body: { status } })
  assert.equal((await change(first, 'suspended')).status, 200)
  assert.equal((await change(start_of_march, 'pending')).status, 200)
  const headers = { 'florin-account': in_march }
  assert.equal((await florin.call('DELETE', '/v1/account', { token, headers })).status, 200)
  const filters: [string, string[]][] = [
    ['status=active', [last_of_february]],
    ['status=suspended', [first]],
    ['status=pending', [start_of_march]],
    ['status=closed', [in_march]],
    ['type=business', [first, start_of_march]],
    ['type=individual', [last_of_february, in_march]],
    ['type=individual&status=closed', [in_march]],
    ['type=business&status=closed', []],
    ['', all],
  ]
  for (const [query, ids] of filters) {
    const page = await list(`?${query}`)
    assert.deepEqual(page.ids, ids, query)
    assert.equal(page.pagination.total, ids.length, query)
  }
})

test('returns 400 for an invalid filter and names it', async () => {
  const queries = [
    'status=deleted',
    'status=',
    'type=company',
    'created_after=yesterday',
    'created_after=now',
    'created_after=infinity',
    'created_after=2026-02-30',
    'created_after=2026-1-1',
    'created_after=2026-01-01T00:00:00',
    'created_after=1767225600',
    'created_after=',
    'created_before=2026-13-01',
    'created_before=2026-01-01T24:00:00Z',
    'created_before=2026-01-01&created_before=2026-01-02',
    'page=0',
    'limit=ten',
  ]
  for (const query of queries) {
    const { status, body } = await florin.call('GET', `/v1/accounts?${query}`, { token })
    assert.equal(status, 400, query)
    assert.equal(body.error, 'invalid_request')
    assert.match(body.message, new RegExp(`^"${query.split('=', 1)[0]}" `))
  }
})

test('totals are exact after concurrent openings, status changes and closings', async () => {
  const owners = await Promise.all(Array.from({ length: 10 }, () => florin.people.owner()))
  const before = (await list()).pagination.total
  const changes = [
    ...owners
      .slice(0, 5)
      .map((owner) => florin.call('DELETE', '/v1/account', { token: owner.token })),
    ...owners.slice(5).map(({ account_id }) => {
      const body = { status: 'suspended' }
      return florin.call('PATCH', `/v1/accounts/${account_id}`, { token, body })
    }),
    ...Array.from({ length: 10 }, () => {
      const body = { ...credentials('new'), name: 'New Ltd', type: 'business' }
      return florin.call('POST', '/v1/accounts', { body })
    }),
  ]
  for (const { status, text } of await Promise.all(changes)) assert.ok(status <= 201, text)
  assert.equal((await list()).pagination.total, before + 10)
  assert.equal((await list('?status=closed&limit=1')).pagination.total, 6)
  assert.equal((await list('?status=suspended&limit=1')).pagination.total, 6)
})

test('search finds a substring of name or email, ignoring case, with exact totals', async () => {
  const who = credentials('bakery')
  const body = { ...who, name: 'Bäckerei Straße 100%', type: 'business' }
  const opened = await florin.call('POST', '/v1/accounts', { body })
  const search = (text: string, more = '') => list(`?search=${encodeURIComponent(text)}${more}`)
  for (const text of ['BÄCKEREI', 'strasse', '100%', who.email.toUpperCase(), 'bakery-']) {
    const found = await search(text)
    assert.deepEqual(found.ids, [opened.body.id], text)
    assert.equal(found.pagination.total, 1, text)
  }
  assert.deepEqual((await search('100_')).ids, [])
  const then = await search('then ltd', '&limit=3')
  assert.deepEqual([then.ids, then.pagination.total], [all.slice(0, 3), 4])
  assert.deepEqual((await search('then ltd', '&type=individual')).ids, [last_of_february, in_march])
  assert.deepEqual((await search('then ltd', '&created_before=2024-02-28')).ids, [first])
})

test('search finds a new name, and closed accounts', async () => {
  const owner = await florin.people.owner()
  const { token: own } = owner
  const renamed = await florin.call('PATCH', '/v1/account', { token: own, body: { name: 'Kiosk' } })
  assert.equal(renamed.status, 200)
  assert.deepEqual((await list('?search=kiosk')).ids, [owner.account_id])
  assert.equal((await florin.call('DELETE', '/v1/account', { token: own, body: {} })).status, 200)
  assert.deepEqual((await list('?search=kiosk&status=closed')).ids, [owner.account_id])
})
