// Every combination of caller and object at the user endpoints. The expected results are written by
// hand, independently of the code. Authentication precedes the body, so only one PATCH grid has the
// dead tokens. owner, member and viewer share an account; owner2 and member2 have another one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { credentials } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { accountAndRoleOf, keysOf, userKeys } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

const aboutUser =
  (method: string, body?: () => unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> => {
    const ids = await inside.userIds(object)
    // GET is tested with every kind of malformed id, other methods with some of them.
    const tested = method === 'GET' ? ids : ids.filter((_, at) => at % 4 === 0)
    return tested.map((id) => ({ method, path: `/v1/users/${id}`, body: body?.() }))
  }

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/users/{user_id}',
  requests: aboutUser('GET'),
  check: async (response, { fixtures, object }) => {
    assert.deepEqual(keysOf(response), userKeys)
    assert.equal(response.body.id, (await fixtures.person(object)).id)
  },
  grid: `
         owner member viewer owner2 member2 lone  lone2 platform admin admin2 deleted unknown badid
dead     dead
member   none  ok     none   none   none    none  none  none     none  none   none    none    none
viewer   none  none   ok     none   none    none  none  none     none  none   none    none    none
owner    ok    ok     ok     none   none    none  none  none     none  none   none    none    none
member2  none  none   none   none   ok      none  none  none     none  none   none    none    none
owner2   none  none   none   ok     ok      none  none  none     none  none   none    none    none
lone     none  none   none   none   none    ok    none  none     none  none   none    none    none
platform ok    ok     ok     ok     ok      ok    ok    ok       ok    ok     none    none    none
admin    ok    ok     ok     ok     ok      ok    ok    ok       ok    ok     none    none    none
key:*    scope
key2:*   scope
platform_key:* ok ok  ok     ok     ok      ok    ok    ok       ok    ok     none    none    none`,
})

const nameAndPassword = `
         owner member viewer owner2 member2 lone  lone2 platform admin admin2 deleted unknown badid
member   none  ok     none   none   none    none  none  none     none  none   none    none    none
viewer   none  none   ok     none   none    none  none  none     none  none   none    none    none
owner    ok    ok     ok     none   none    none  none  none     none  none   none    none    none
member2  none  none   none   none   ok      none  none  none     none  none   none    none    none
owner2   none  none   none   ok     ok      none  none  none     none  none   none    none    none
lone     none  none   none   none   none    ok    none  none     none  none   none    none    none
platform scope scope  scope  scope  scope   scope scope scope    scope scope  scope   scope   scope
admin    ok    ok     ok     ok     ok      ok    ok    ok       ok    ok     none    none    none
key:*    scope
key2:*   scope
platform_key:* scope`

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/users/{user_id} of a name',
  requests: aboutUser('PATCH', () => ({ name: `Renamed ${Math.random()}` })),
  check: (response) => {
    assert.deepEqual(keysOf(response), userKeys)
    assert.match(response.body.name, /^Renamed/)
  },
  grid: `${nameAndPassword}\ndead     dead`,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/users/{user_id} of a password',
  requests: aboutUser('PATCH', () => ({ password: newPassword() })),
  check: (response) => assert.deepEqual(keysOf(response), userKeys),
  destroys: (object) => [object],
  grid: nameAndPassword,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/users/{user_id} of a status',
  requests: aboutUser('PATCH', () => ({ status: 'suspended' })),
  check: (response) => {
    assert.deepEqual(keysOf(response), userKeys)
    assert.equal(response.body.status, 'suspended')
  },
  destroys: (object) => [object],
  grid: `
         owner member viewer owner2 member2 lone  lone2 platform admin admin2 deleted unknown badid
member   none  scope  none   none   none    none  none  none     none  none   none    none    none
viewer   none  none   scope  none   none    none  none  none     none  none   none    none    none
owner    scope ok     ok     none   none    none  none  none     none  none   none    none    none
member2  none  none   none   none   scope   none  none  none     none  none   none    none    none
owner2   none  none   none   scope  ok      none  none  none     none  none   none    none    none
lone     none  none   none   none   none    scope none  none     none  none   none    none    none
platform scope scope  scope  scope  scope   scope scope scope    scope scope  scope   scope   scope
admin    ok    ok     ok     ok     ok      ok    ok    ok       scope ok     none    none    none
key:*    scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/users/{user_id}',
  requests: aboutUser('DELETE'),
  check: async (response, { fixtures, object }) => {
    assert.deepEqual(keysOf(response), ['id', 'message'])
    assert.equal(response.body.id, (await fixtures.person(object)).id)
  },
  destroys: (object) => [object],
  grid: `
         owner member viewer owner2 member2 lone  lone2 platform admin admin2 deleted unknown badid
dead     dead
member   forb  ok     forb   forb   forb    forb  forb  forb     forb  forb   forb    forb    forb
viewer   forb  forb   ok     forb   forb    forb  forb  forb     forb  forb   forb    forb    forb
owner    close ok     ok     forb   forb    forb  forb  forb     forb  forb   forb    forb    forb
member2  forb  forb   forb   forb   ok      forb  forb  forb     forb  forb   forb    forb    forb
owner2   forb  forb   forb   close  ok      forb  forb  forb     forb  forb   forb    forb    forb
lone     forb  forb   forb   forb   forb    ok    forb  forb     forb  forb   forb    forb    forb
platform forb  forb   forb   forb   forb    forb  forb  forb     forb  forb   forb    forb    forb
admin    close ok     ok     close  ok      ok    ok    ok       ok    ok     none    none    none
key:*    forb
key2:*   forb
platform_key:* forb`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/users',
  requests: async () => [{ method: 'GET', path: '/v1/users' }],
  check: (response) => {
    assert.deepEqual(keysOf(response), ['data', 'pagination'])
    const { pagination, data } = response.body
    assert.deepEqual(Object.keys(pagination), ['page', 'limit', 'total_pages', 'total_records'])
    for (const user of data) assert.deepEqual(Object.keys(user).sort(), userKeys)
  },
  grid: `
         everyone
dead     dead
member   forb
viewer   forb
owner    forb
owner2   forb
lone     forb
platform ok
admin    ok
key:*    forb
key2:*   forb
platform_key:* ok`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/user_details',
  requests: async (inside) => {
    const { id } = await inside.person('owner')
    return [{ method: 'GET', path: `/v1/user_details?user_ids=${id}` }]
  },
  check: (response) => {
    const [details] = response.body.data
    assert.deepEqual(Object.keys(details), ['user_id', 'role', 'account_id'])
  },
  grid: `
         everyone
dead     dead
member   forb
viewer   forb
owner    forb
owner2   forb
lone     forb
platform ok
admin    ok
key:*    forb
key2:*   forb
platform_key:* ok`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/users with Florin-Account',
  requests: async (inside, object) =>
    (await inside.accountIds(object)).map((account_id) => ({
      method: 'POST',
      path: '/v1/users',
      body: { ...credentials('new'), name: 'New' },
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    })),
  success_status: 201,
  check: async (response, { fixtures, object, caller }) => {
    assert.deepEqual(keysOf(response), userKeys)
    const owners: Record<string, string> = { owner: 'own', owner2: 'other' }
    const [account_id] = await fixtures.accountIds(owners[caller] ?? object)
    const expected = account_id === undefined ? ['lone', null] : ['member', account_id]
    assert.deepEqual(await accountAndRoleOf(florin, response.body.id), expected)
  },
  grid: `
           nothing own   other suspended closed unknown badid
dead_sent  dead
no_token   ok      none  none  none      none   none    none
member     scope   scope scope scope     scope  scope   scope
viewer     scope   scope scope scope     scope  scope   scope
owner      ok      ok    none  none      none   none    none
owner2     ok      none  ok    none      none   none    none
lone       scope   scope scope scope     scope  scope   scope
platform   ok      ok    ok    bad       none   none    none
admin      ok      ok    ok    bad       none   none    none
key:*      scope
key2:*     scope
platform_key:* ok  ok    ok    bad       none   none    none`,
})

test('with signup closed, creating a user requires a token, whatever the body', async () => {
  const { url } = await florin.startSecondServer({ FLORIN_SIGNUP: 'closed' })
  for (const body of [credentials('new'), { email: 1 }, '{']) {
    const response = await assertNoChanges(florin.db.pool, () =>
      call(url, 'POST', '/v1/users', { body }),
    )
    assert.equal(response.status, 401)
    assert.deepEqual(keysOf(response), ['error', 'message'])
    assert.equal(response.body.error, 'unauthorized')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  }
  const { token } = await fixtures.person('owner')
  const created = await call(url, 'POST', '/v1/users', { token, body: credentials('new') })
  assert.equal(created.status, 201)
})
