import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../../support/florin.ts'
import { credentials, type Person } from '../../support/people.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const owner = await florin.people.owner()

async function list(query = '') {
  const response = await florin.call('GET', `/v1/users${query}`, { token: admin.token })
  assert.equal(response.status, 200, response.text)
  return response.body as { data: { id: string; email: string }[]; pagination: Pagination }
}

interface Pagination {
  page: number
  limit: number
  total_pages: number
  total_records: number
}

async function newUser(name: string | null): Promise<Person> {
  const person = await florin.people.lone()
  const path = `/v1/users/${person.id}`
  const response = await florin.call('PATCH', path, { token: person.token, body: { name } })
  assert.equal(response.status, 200)
  return person
}

async function found(search: string): Promise<string[]> {
  const { data, pagination } = await list(`?search=${encodeURIComponent(search)}`)
  assert.equal(pagination.total_records, data.length)
  return data.map(({ id }) => id)
}

test('lists all users oldest first, including members and admins', async () => {
  const member = await florin.people.member(owner)
  const lone = await florin.people.lone()
  const { data, pagination } = await list()
  assert.deepEqual(
    data.map(({ id }) => id),
    [admin, owner, member, lone].map(({ id }) => id),
  )
  assert.deepEqual(pagination, { page: 1, limit: 25, total_pages: 1, total_records: 4 })
})

test('pages neither skip nor repeat rows, and a page past the end is empty', async () => {
  const { data: all } = await list()
  const pages = await Promise.all([1, 2, 3].map((page) => list(`?limit=2&page=${page}`)))
  assert.deepEqual(
    pages.flatMap(({ data }) => data),
    all,
  )
  const total_records = all.length
  assert.deepEqual(pages[2]!.pagination, { page: 3, limit: 2, total_pages: 2, total_records })
  assert.deepEqual(pages[2]!.data, [])
  const far = await list('?page=9007199254740991&limit=100')
  assert.deepEqual(far.data, [])
  assert.equal(far.pagination.total_records, total_records)
  assert.equal((await list('?limit=1000')).pagination.limit, 100)
  assert.deepEqual(await list('?unknown=1'), await list())
})

test('returns 400 for an invalid page, limit, status or search', async () => {
  const queries = [
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'page=1&page=2',
    'limit=0',
    'limit=x',
    'limit=1e2',
    'status=closed',
    'status=',
    'status=Active',
    `search=${'s'.repeat(201)}`,
    'search=%00',
    'search=%ff',
    'search=a%0ab',
  ]
  for (const query of queries) {
    const response = await florin.call('GET', `/v1/users?${query}`, { token: admin.token })
    assert.equal(response.status, 400, query)
    assert.equal(response.body.error, 'invalid_request')
    assert.match(response.body.message, new RegExp(`^"${query.split('=', 1)[0]}" `))
  }
})

test('filters by status, with exact totals', async () => {
  const suspended = await florin.people.member(owner)
  const pending = await florin.people.lone()
  for (const [{ id }, status] of [
    [suspended, 'suspended'],
    [pending, 'pending'],
  ] as const) {
    const path = `/v1/users/${id}`
    await florin.call('PATCH', path, { token: admin.token, body: { status } })
    const { data, pagination } = await list(`?status=${status}`)
    assert.deepEqual(
      data.map((user) => user.id),
      [id],
    )
    assert.equal(pagination.total_records, 1)
  }
  const everyone = await list()
  const active = await list('?status=active')
  assert.equal(active.pagination.total_records, everyone.pagination.total_records - 2)
})

test('search finds a substring of the name or the email, ignoring only case', async () => {
  const percent = await newUser('100% Wolfram_Ünal')
  const slash = await newUser('back\\slash Straße')
  const turkish = await newUser('İstanbul Ödeme')
  const greek = await newUser('Οδυσσεύς')
  const cases: [string, Person[]][] = [
    ['wolfram_ünal', [percent]],
    ['WOLFRAM_ÜNAL', [percent]],
    ['100% w', [percent]],
    ['%', [percent]],
    ['_', [percent]],
    ['0%wolfram', []],
    ['w_lfram', []],
    ['\\', [slash]],
    ['BACK\\SLASH', [slash]],
    ['strasse', [slash]],
    ['STRASSE', [slash]],
    ['istanbul', [turkish]],
    ['ΟΔΥΣΣΕΎΣ', [greek]],
    [percent.email, [percent]],
    [percent.email.toUpperCase(), [percent]],
    [slash.email.split('@')[0]!, [slash]],
    ['ünal\n', []],
    ['no such name', []],
    ["'; drop table users; --", []],
  ]
  for (const [search, people] of cases) {
    if (search.includes('\n')) continue
    const ids = people.map(({ id }) => id)
    assert.deepEqual(await found(search), ids, search)
  }
  const spanning = `Ünal${percent.email}`
  assert.deepEqual(await found(spanning), [], 'no match spans name and email')
})

test('search accepts 0, 1 and 200 characters', async () => {
  const everyone = await list()
  assert.deepEqual(await list('?search='), everyone)
  assert.ok((await found('@')).length > 0)
  assert.deepEqual(await found('s'.repeat(200)), [])
})

test('search finds a new name and a new email', async () => {
  const person = await florin.people.owner()
  const { token } = person
  const change = { name: 'Quetzalcoatl' }
  await florin.call('PATCH', `/v1/users/${person.id}`, { token, body: change })
  assert.deepEqual(await found('quetzal'), [person.id])
  const { email } = credentials('xochipilli')
  await florin.call('PATCH', '/v1/account', { token, body: { email } })
  assert.deepEqual(await found('XOCHIPILLI'), [person.id])
  assert.deepEqual(await found(person.email), [])
})

test('combines search and status, with exact totals on every page', async () => {
  const people = []
  for (let n = 0; n < 5; n++) people.push(await newUser(`Zebedee ${n}`))
  const [first] = people
  const path = `/v1/users/${first!.id}`
  await florin.call('PATCH', path, { token: admin.token, body: { status: 'suspended' } })
  const page = await list('?search=zebedee&status=active&limit=3&page=2')
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [people[4]!.id],
  )
  assert.deepEqual(page.pagination, { page: 2, limit: 3, total_pages: 2, total_records: 4 })
})

test('totals are exact after 50 concurrent creations, deletions and updates', async () => {
  const doomed = await Promise.all(Array.from({ length: 15 }, () => florin.people.lone()))
  const changed = await Promise.all(Array.from({ length: 15 }, () => florin.people.member(owner)))
  const { token } = admin
  const before = (await list()).pagination.total_records
  const changes = [
    ...Array.from({ length: 20 }, (_, at) =>
      florin.call('POST', '/v1/users', {
        body: credentials('created'),
        token: [undefined, owner.token, token][at % 3],
      }),
    ),
    ...doomed.map(({ id }) => florin.call('DELETE', `/v1/users/${id}`, { token })),
    ...changed.map(({ id }, at) => {
      const body = { status: at % 2 ? 'suspended' : 'pending' }
      return florin.call('PATCH', `/v1/users/${id}`, { token, body })
    }),
  ]
  for (const { status, text } of await Promise.all(changes)) assert.ok(status <= 201, text)
  assert.equal((await list()).pagination.total_records, before + 20 - 15)
  for (const status of ['active', 'suspended', 'pending']) {
    const text = 'select count(*) as n from users where status = $1'
    const { rows } = await florin.db.pool.query(text, [status])
    assert.equal((await list(`?status=${status}`)).pagination.total_records, rows[0].n)
  }
})

test('details have the role and the account of each user, in the order of the ids', async () => {
  const member = await florin.people.member(owner)
  const lone = await florin.people.lone()
  const details = (ids: string) =>
    florin.call('GET', `/v1/user_details?user_ids=${ids}`, { token: admin.token })
  const people = [lone, member, owner, admin]
  const unknown = lone.id.replace(/.{10}$/, '0000000000')
  const ids = [unknown, ...people.map(({ id }) => id)].join(',')
  const { body } = await details(ids)
  const expected = [
    { user_id: lone.id, role: 'lone', account_id: null },
    { user_id: member.id, role: 'member', account_id: owner.account_id },
    { user_id: owner.id, role: 'owner', account_id: owner.account_id },
    { user_id: admin.id, role: 'admin', account_id: null },
  ]
  assert.deepEqual(body, { object: 'list', data: expected, has_more: false })
  const malformed = await details('usr_x')
  assert.equal(malformed.status, 400)
  const rule = '"user_ids" must be comma-separated user ids'
  assert.equal(malformed.body.message, `${rule}; got "usr_x".`)
})
