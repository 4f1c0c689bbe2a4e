// Query strings from hostile or careless clients: pages, limits, filters, dates and search.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQueryString } from '../../src/http/query-string.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials, type Person } from '../support/people.ts'
import { assertErrorShape } from '../support/raw.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const admin = await florin.people.admin()
const owner = await florin.people.owner()
const stranger = await florin.people.owner()

const as = (who: Person, path: string) => florin.call('GET', path, { token: who.token })
const users = (query: string) => as(admin, `/v1/users?${query}`)
const accounts = (query: string) => as(admin, `/v1/accounts?${query}`)

function assertRefused(response: ApiResponse, start: string, about: string): void {
  assert.equal(response.status, 400, `${about}: ${response.status} ${response.text}`)
  assertErrorShape(response, about)
  assert.equal(response.body.error, 'invalid_request', about)
  assert.ok(response.body.message.startsWith(start), `${about}: ${response.body.message}`)
}

const notPositive = [
  '0',
  '-1',
  '1.5',
  '1.0',
  '1e2',
  '0x10',
  '%205',
  '5%20',
  '+5',
  '%2B5',
  '5%0a',
  '',
  'abc',
  'null',
  'NaN',
  'Infinity',
  '%D9%A3',
  '1_000',
  '1,000',
  '%ff',
  '%00',
  '5%00',
  '%',
  '00',
  '%5B5%5D',
]

test('parses a name repeated a million times without delay', () => {
  const query = parseQueryString(`limit=1&${'a&'.repeat(1_000_000)}b=2`)
  assert.deepEqual({ ...query }, { limit: '1', a: ['', ''], b: '2' })
})

test('explains how to escape a plus sign that became a space', async () => {
  const list = (time: string) => as(owner, `/v1/transactions?date_from=${time}`)
  const response = await list('2026-11-16T10:00:00+01:00')
  assertRefused(response, '"date_from"', 'a plus in a query')
  assert.match(response.body.message, / Escape the "\+" of a UTC offset as %2B\.$/)
  assert.equal((await list('2026-11-16T10:00:00%2B01:00')).status, 200)
  assert.doesNotMatch((await list('yesterday')).body.message, /offset/)
})

test('the message for a missing parameter names the query string', async () => {
  const { status, body } = await as(owner, '/v1/search')
  assert.deepEqual([status, body.message], [400, '"q" is required. Add it to the query string.'])
})

test('returns 400 for limit and page that are not positive integers', async () => {
  for (const text of notPositive) {
    for (const name of ['limit', 'page']) {
      assertRefused(await users(`${name}=${text}`), `"${name}"`, `users ${name}=${text}`)
      assertRefused(await accounts(`${name}=${text}`), `"${name}"`, `accounts ${name}=${text}`)
    }
    const sessions = await as(owner, `/v1/auth/sessions?limit=${text}`)
    assertRefused(sessions, '"limit"', `sessions limit=${text}`)
    const members = await as(owner, `/v1/account/users?limit=${text}`)
    assertRefused(members, '"limit"', `account users limit=${text}`)
  }
  assertRefused(await users('limit'), '"limit"', 'limit without a value')
})

test('returns 400 for a repeated parameter, even with the same value', async () => {
  for (const name of ['limit', 'page']) {
    assertRefused(await users(`${name}=5&${name}=6`), `"${name}"`, name)
    assertRefused(await users(`${name}=5&${name}=5`), `"${name}"`, name)
  }
  assertRefused(await users('search=a&search=b'), '"search"', 'search')
  assertRefused(await users('status=active&status=active'), '"status"', 'status')
  assertRefused(await accounts('created_after=2026-01-01&created_after=2026-01-01'), '"cr', 'date')
})

test('treats any limit over 100 as 100', async () => {
  for (const text of ['100', '101', '5000', '9007199254740993', '9'.repeat(300)]) {
    const response = await users(`limit=${text}`)
    assert.equal(response.status, 200, text)
    assert.equal(response.body.pagination.limit, 100, text)
  }
  const sessions = await as(owner, `/v1/auth/sessions?limit=${'9'.repeat(300)}`)
  assert.equal(sessions.status, 200)
})

test('reads digits with leading zeros and escapes', async () => {
  for (const text of ['2', '02', '%32', '0000000000000000002']) {
    const response = await users(`limit=${text}`)
    assert.equal(response.status, 200, text)
    assert.equal(response.body.pagination.limit, 2, text)
  }
})

test('returns an empty page past the end, however far', async () => {
  for (const page of ['1000', '9007199254740991', '9'.repeat(300)]) {
    const found = await users(`page=${page}&limit=100`)
    assert.equal(found.status, 200, page)
    assert.deepEqual(found.body.data, [])
    assert.equal(found.body.pagination.total_records, 3)
    const list = await accounts(`page=${page}`)
    assert.equal(list.status, 200, page)
    assert.deepEqual(list.body.data, [])
    assert.equal(list.body.pagination.has_next, false)
  }
})

test('contract endpoints ignore unknown parameters', async () => {
  const odd = ['x=1', 'x=1&x=2', '%ff=1', '%00=1', '__proto__=1', 'constructor=1', 'limit%5B%5D=0']
  for (const query of [...odd, '&&&', '=', '=5', 'Limit=0', 'LIMIT=abc', 'a'.repeat(7_000)]) {
    const response = await users(`${query}&limit=2`)
    assert.equal(response.status, 200, query.slice(0, 40))
    assert.equal(response.body.pagination.limit, 2)
    assert.equal(response.body.data.length, 2)
  }
})

const required_parameters: Record<string, string> = {
  '/v1/account/journal': '&format=csv',
  '/v1/search': '&q=x',
  '/v1/transaction_details': '&transaction_ids=x',
  '/v1/user_details': '&user_ids=x',
}

test('all other endpoints reject an unknown parameter by name', async () => {
  const { paths } = (await as(admin, '/openapi.json')).body
  const of_contract =
    /^\/v1\/(users|accounts|account|transactions)$|\/status$|^\/v1\/(users|transactions)\/\{/
  const lists = Object.keys(paths).filter(
    (path) => paths[path].get && path.startsWith('/v1/') && !path.includes('{'),
  )
  const extra = lists.filter((path) => !of_contract.test(path))
  assert.ok(extra.length > 15)
  for (const path of extra) {
    // A missing parameter is reported before an unknown one.
    const required = required_parameters[path]
    const response = await florin.call('GET', `${path}?statuss=paid${required ?? ''}`, {
      token: admin.token,
      headers: { 'florin-account': owner.account_id! },
    })
    assertRefused(response, '"statuss" is not a query parameter of this request.', path)
  }
})

test('returns 400 for an invalid filter value and lists the valid ones', async () => {
  const statuses = ['ACTIVE', 'Active', '', 'deleted', 'active,pending', '%20active', 'null', '%ff']
  for (const text of [...statuses, 'closed']) {
    const response = await users(`status=${text}`)
    assertRefused(
      response,
      '"status" must be one of "active", "suspended", "pending";',
      `status=${text}`,
    )
  }
  for (const text of statuses) {
    const response = await accounts(`status=${text}`)
    assertRefused(
      response,
      '"status" must be one of "active", "suspended", "pending", "closed";',
      text,
    )
  }
  for (const text of ['Business', 'shop', '', '%00']) {
    assertRefused(
      await accounts(`type=${text}`),
      '"type" must be "individual" or "business";',
      text,
    )
  }
  for (const status of ['active', 'suspended', 'pending', 'closed']) {
    assert.equal((await accounts(`status=${status}`)).status, 200, status)
  }
})

test('returns 400 for a date that is not strict RFC 3339', async () => {
  const bad = [
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2025-02-29',
    '2026-2-3',
    '0000-01-01',
    'now',
    'infinity',
    '-infinity',
    'today',
    'epoch',
    'tomorrow',
    '1767225600',
    '1767225600000',
    '2026-01-01T00:00',
    '2026-01-01T00:00:00',
    '2026-01-01%2000:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-01T00:00:00+01',
    '2026-01-01T00:00:00+01:00',
    '2026-01-01T00:00:00%2B25:00',
    '2026-W01',
    '20260101',
    '%202026-01-01',
    '2026-01-01%00',
    '+2026-01-01',
    '',
    '%ff',
  ]
  for (const text of bad) {
    for (const name of ['created_after', 'created_before']) {
      assertRefused(await accounts(`${name}=${text}`), `"${name}" must be an RFC 3339`, text)
    }
  }
})

test('bounds are inclusive to the millisecond in every offset', async () => {
  const token = owner.token
  const own = (await florin.call('GET', '/v1/account', { token })).body
  const at = Date.parse(own.created_at)
  const iso = (ms: number) => new Date(ms).toISOString()
  const inOffset = (ms: number) => `${iso(ms + 5.5 * 3_600_000).slice(0, -1)}%2B05:30`
  const holds = async (query: string) =>
    (await accounts(`limit=100&${query}`)).body.data.some((each: Person) => each.id === own.id)

  for (const form of [iso, inOffset]) {
    assert.equal(await holds(`created_after=${form(at)}`), true)
    assert.equal(await holds(`created_after=${form(at + 1)}`), false)
    assert.equal(await holds(`created_before=${form(at)}`), true)
    assert.equal(await holds(`created_before=${form(at - 1)}`), false)
    assert.equal(await holds(`created_after=${form(at)}&created_before=${form(at)}`), true)
  }
  const finer = iso(at).replace('Z', '001Z')
  assert.equal(await holds(`created_after=${finer}`), false, 'a microsecond later is later')
  assert.equal(await holds(`created_before=${finer}`), true)
})

test('a date means the whole day', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const shift = (days: number) =>
    new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  const total = async (query: string) => (await accounts(query)).body.pagination.total
  // Midnight may pass between the creation of the accounts and this request.
  assert.equal(await total(`created_after=${shift(-1)}&created_before=${today}`), 2)
  assert.equal(await total(`created_after=${shift(1)}`), 0)
  assert.equal(await total(`created_before=${shift(-2)}`), 0)
  assert.equal(await total(`created_after=${today}&created_before=${shift(-2)}`), 0)
  assert.equal(await total('created_after=0001-01-01&created_before=9999-12-31'), 2)
})

test('search is literal: SQL wildcards have no special meaning', async () => {
  const names = ['100% sure', '100x sure', 'snake_case', 'snakeXcase', 'back\\slash', 'backslash']
  for (const name of names) {
    const response = await florin.call('POST', '/v1/users', { body: { ...credentials('w'), name } })
    assert.equal(response.status, 201)
  }
  const finds: Record<string, string[]> = {
    '100%': ['100% sure'],
    '0% s': ['100% sure'],
    e_c: ['snake_case'],
    'k\\s': ['back\\slash'],
    '\\': ['back\\slash'],
    '%': ['100% sure'],
    _: ['snake_case'],
    '\\%': [],
    'ack\\\\s': [],
    "' or 1=1 --": [],
    '100*': [],
    '^100': [],
  }
  for (const [text, expected] of Object.entries(finds)) {
    const response = await users(`search=${encodeURIComponent(text)}&limit=100`)
    assert.equal(response.status, 200, text)
    const found = response.body.data.map((user: { name: string | null }) => user.name)
    assert.deepEqual(found, expected, text)
    assert.equal(response.body.pagination.total_records, expected.length, text)
  }
})

test('search ignores case, even beyond ASCII, in names and emails', async () => {
  const who = credentials('searched')
  const body = { ...who, email: `Mixed.${who.email}`, name: 'Jürgen Große Ὀδυσσεύς' }
  assert.equal((await florin.call('POST', '/v1/users', { body })).status, 201)
  for (const text of ['JÜRGEN', 'jürgen', 'GROSSE', 'ὈΔΥΣΣΕΎΣ', 'mixed.', 'MIXED.']) {
    const response = await users(`search=${encodeURIComponent(text)}`)
    assert.equal(response.body.data.length, 1, text)
    assert.equal(response.body.data[0].email, body.email)
  }
  const plus = credentials('plus').email.replace('@', '+tag@')
  const made = { email: plus, password: credentials('plus').password }
  assert.equal((await florin.call('POST', '/v1/users', { body: made })).status, 201)
  const escaped = await users(`search=${encodeURIComponent('+tag@')}`)
  assert.equal(escaped.body.data.length, 1)
  const bare = await users('search=+tag@')
  assert.equal(bare.body.data.length, 0, 'a bare plus is a space')
})

test('search accepts up to 200 characters and no control characters', async () => {
  assert.equal((await users(`search=${'a'.repeat(200)}`)).status, 200)
  assertRefused(await users(`search=${'a'.repeat(201)}`), '"search" must have at most 200', '201')
  const emoji = encodeURIComponent('😀')
  assert.equal((await users(`search=${emoji.repeat(200)}`)).status, 200)
  assertRefused(
    await users(`search=${emoji.repeat(201)}`),
    '"search" must have at most 200',
    '201 😀',
  )
  for (const text of [
    '%00',
    'a%00b',
    '%0a',
    '%7f',
    '%c2%85',
    '%1b%5b31m',
    '%ff',
    '%c3',
    '%',
    '%zz',
  ]) {
    assertRefused(await users(`search=${text}`), '"search" must be well-formed', text)
  }
  const empty = await users('search=&limit=100')
  assert.equal(empty.status, 200)
  assert.equal(
    empty.body.data.length,
    empty.body.pagination.total_records,
    'an empty search does not filter',
  )
})

test('returns 400 for a cursor that is not an entry of the list', async () => {
  const foreign = stranger.session_id
  const cursors = ['', 'x', owner.id, foreign, foreign.toUpperCase(), '%ff', '%00', `${foreign}x`]
  for (const cursor of cursors) {
    for (const name of ['starting_after', 'ending_before']) {
      const response = await as(owner, `/v1/auth/sessions?${name}=${cursor}`)
      assertRefused(
        response,
        `"${name}" must be the id of an item in this list`,
        `${name}=${cursor}`,
      )
      const members = await as(owner, `/v1/account/users?${name}=${stranger.id}`)
      assertRefused(members, `"${name}" must be the id of an item in this list`, 'a stranger')
      assert.ok(members.body.message.endsWith(`; got "${stranger.id}".`), members.text)
    }
  }
  const { session_id } = owner
  const both = `/v1/auth/sessions?starting_after=${session_id}&ending_before=${session_id}`
  assertRefused(await as(owner, both), '"starting_after" and "ending_before"', 'both')
  assert.equal((await as(owner, `/v1/auth/sessions?starting_after=${session_id}`)).status, 200)
})
