// Every combination of caller and account at the account endpoints. The expected outcomes are
// written by hand, independent of the code. `own` is the account of owner and member, `other` that
// of owner2 and member2; the columns are what Florin-Account or the path names.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../accounts/branding/images.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges, throttleTables } from '../support/hash-database.ts'
import { credentials } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import {
  byHeader,
  type CellContext,
  expectedId,
  managing,
  reading,
  someIds,
} from './header-grids.ts'
import { accountAndRoleOf, accountKeys, keysOf, listedAccountKeys, userKeys } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

const byPath =
  (method: string, body?: () => unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> =>
    (await someIds(inside, object, method)).map((account_id) => ({
      method,
      path: `/v1/accounts/${account_id}`,
      body: body?.(),
    }))

async function isTheAccount(response: ApiResponse, context: CellContext): Promise<void> {
  assert.deepEqual(keysOf(response), accountKeys)
  assert.deepEqual(Object.keys(response.body.settings), ['currency', 'timezone', 'language'])
  assert.equal(response.body.id, await expectedId(context))
}

/** The users whose sessions end when the account of a column is closed or suspended. */
function peopleOf(object: string): string[] {
  if (object === 'own' || object === 'nothing') return ['owner', 'member', 'viewer']
  return object === 'other' ? ['owner2', 'member2'] : ['suspended account']
}

// A key acts for its account, but has no access to its users.
testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account with Florin-Account',
  requests: byHeader('GET', '/v1/account'),
  check: isTheAccount,
  grid: `${reading}
key:*    ok      ok    none  none      none   none    none
key2:*   ok      none  ok    none      none   none    none
platform_key:* forb ok ok    ok        ok     none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/users with Florin-Account',
  requests: byHeader('GET', '/v1/account/users'),
  check: async (response, context) => {
    assert.deepEqual(keysOf(response), ['data', 'has_more', 'object'])
    assert.equal(response.body.object, 'list')
    const account_id = await expectedId(context)
    for (const user of response.body.data) {
      assert.deepEqual(Object.keys(user).sort(), [...userKeys, 'role'].sort())
      assert.deepEqual(await accountAndRoleOf(florin, user.id), [user.role, account_id])
    }
    assert.equal(response.body.data.length > 0, context.object !== 'closed')
  },
  grid: `${reading}
key:*    scope
key2:*   scope
platform_key:* forb ok ok    ok        ok     none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/account with Florin-Account',
  requests: byHeader('PATCH', '/v1/account', () => ({ name: `Renamed ${Math.random()}` })),
  check: async (response, context) => {
    await isTheAccount(response, context)
    assert.match(response.body.name, /^Renamed/)
  },
  grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   scope   scope scope scope     scope  scope   scope
viewer   scope   scope scope scope     scope  scope   scope
owner    ok      ok    none  none      none   none    none
member2  scope   scope scope scope     scope  scope   scope
owner2   ok      none  ok    none      none   none    none
lone     scope   scope scope scope     scope  scope   scope
platform scope   scope scope scope     scope  scope   scope
admin    forb    ok    ok    ok        none   none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

const branding_keys = [
  'accent_color',
  'account_id',
  'logo_url',
  'payment_instructions',
  'statement_name',
  'support_email',
  'support_phone',
  'terms_url',
  'updated_at',
  'website',
]
const isTheBranding = async (response: ApiResponse, context: CellContext) => {
  assert.deepEqual(keysOf(response), branding_keys)
  assert.equal(response.body.account_id, await expectedId(context))
}

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/branding with Florin-Account',
  requests: byHeader('GET', '/v1/account/branding'),
  check: isTheBranding,
  grid: `${reading}
key:*    ok      ok    none  none      none   none    none
key2:*   ok      none  ok    none      none   none    none
platform_key:* forb ok ok    ok        ok     none    none`,
})

for (const [endpoint, body] of [
  ['PATCH /v1/account/branding', () => ({ statement_name: `ACME ${Date.now()}` })],
  ['POST /v1/account/logo', () => ({ image: png(8, 8).toString('base64') })],
  ['DELETE /v1/account/logo', undefined],
] as const) {
  const [method, path] = endpoint.split(' ') as [string, string]
  testGrid(florin, fixtures, {
    endpoint: `${endpoint} with Florin-Account`,
    requests: byHeader(method, path, body),
    check: isTheBranding,
    grid: managing.replace('closed none    none', 'none   none    none'),
  })
}

const bank_details_keys = ['account_id', 'bic', 'fields', 'iban', 'name', 'source', 'updated_at']
const isTheBankDetails = async (response: ApiResponse, context: CellContext) => {
  assert.deepEqual(keysOf(response), bank_details_keys)
  assert.equal(response.body.account_id, await expectedId(context))
}

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/bank_details with Florin-Account',
  requests: byHeader('GET', '/v1/account/bank_details'),
  check: isTheBankDetails,
  grid: `${reading}
key:*    ok      ok    none  none      none   none    none
key2:*   ok      none  ok    none      none   none    none
platform_key:* forb ok ok    ok        ok     none    none`,
})

for (const [method, body] of [
  ['POST', () => ({ name: `Acme ${Date.now()}`, iban: 'DE89370400440532013000' })],
  ['DELETE', undefined],
] as const) {
  testGrid(florin, fixtures, {
    endpoint: `${method} /v1/account/bank_details with Florin-Account`,
    requests: byHeader(method, '/v1/account/bank_details', body),
    check: isTheBankDetails,
    grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   scope   scope scope scope     scope  scope   scope
viewer   scope   scope scope scope     scope  scope   scope
owner    scope   scope scope scope     scope  scope   scope
member2  scope   scope scope scope     scope  scope   scope
owner2   scope   scope scope scope     scope  scope   scope
lone     scope   scope scope scope     scope  scope   scope
platform scope
admin    forb    ok    ok    ok        none   none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
  })
}

const origins_path = '/v1/account/return_origins'
const shop_origin = { origin: 'https://shop.example' }

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/return_origins with Florin-Account',
  requests: byHeader('GET', origins_path),
  check: (response) => assert.deepEqual(keysOf(response), ['data', 'has_more', 'object']),
  grid: managing.replace('closed none    none', 'ok     none    none'),
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/account/return_origins with Florin-Account',
  requests: byHeader('POST', origins_path, () => shop_origin),
  success_status: 201,
  check: (response) => assert.deepEqual(response.body, shop_origin),
  grid: managing.replace('closed none    none', 'none   none    none'),
})

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/account/return_origins with Florin-Account',
  requests: async (inside, object) => {
    await registerEverywhere()
    return byHeader('DELETE', `${origins_path}?origin=${shop_origin.origin}`)(inside, object)
  },
  check: (response) => assert.deepEqual(response.body, shop_origin),
  grid: managing.replace('closed none    none', 'none   none    none'),
})

async function registerEverywhere(): Promise<void> {
  const { rows } = await florin.db.pool.query('select id from accounts')
  await florin.db.pool.query(
    `insert into return_origins (account_id, origin)
     select unnest($1::uuid[]), $2
     on conflict do nothing`,
    [rows.map(({ id }) => id), shop_origin.origin],
  )
}

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/account with Florin-Account',
  requests: byHeader('DELETE', '/v1/account'),
  check: async (response, context) => {
    assert.deepEqual(keysOf(response), ['closed_at', 'id', 'message', 'status'])
    assert.equal(response.body.id, await expectedId(context))
    assert.equal(response.body.status, 'closed')
  },
  destroys: (object) => [...peopleOf(object), ...(object === 'nothing' ? ['owner2'] : [])],
  grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   forb    forb  forb  forb      forb   forb    forb
viewer   forb    forb  forb  forb      forb   forb    forb
owner    ok      ok    none  none      none   none    none
member2  forb    forb  forb  forb      forb   forb    forb
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform forb    forb  forb  forb      forb   forb    forb
admin    forb    ok    ok    ok        none   none    none
key:*    forb
key2:*   forb
platform_key:* forb`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/accounts/{account_id}',
  requests: byPath('GET'),
  check: async (response, context) => isTheAccount(response, { ...context, caller: '' }),
  grid: `
         own   other suspended closed unknown badid
dead     dead
member   scope scope scope     scope  scope   scope
viewer   scope scope scope     scope  scope   scope
owner    scope scope scope     scope  scope   scope
owner2   scope
lone     scope scope scope     scope  scope   scope
platform ok    ok    ok        ok     none    none
admin    ok    ok    ok        ok     none    none
key:*    scope
key2:*   scope
platform_key:* ok ok ok        ok     none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/accounts/{account_id}',
  requests: byPath('PATCH', () => ({ status: 'pending' })),
  check: async (response, context) => {
    await isTheAccount(response, { ...context, caller: '' })
    assert.equal(response.body.status, 'pending')
  },
  destroys: peopleOf,
  grid: `
         own   other suspended closed unknown badid
dead     dead
member   scope scope scope     scope  scope   scope
viewer   scope scope scope     scope  scope   scope
owner    scope scope scope     scope  scope   scope
owner2   scope
lone     scope scope scope     scope  scope   scope
platform scope scope scope     scope  scope   scope
admin    ok    ok    ok        confl  none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/accounts',
  requests: async () => [{ method: 'GET', path: '/v1/accounts' }],
  check: (response) => {
    assert.deepEqual(keysOf(response), ['data', 'pagination'])
    const { pagination, data } = response.body
    assert.deepEqual(Object.keys(pagination), ['page', 'limit', 'total', 'has_next'])
    for (const account of data) assert.deepEqual(Object.keys(account).sort(), listedAccountKeys)
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
  endpoint: 'POST /v1/accounts with a new email',
  requests: async () => [{ method: 'POST', path: '/v1/accounts', body: application() }],
  success_status: 201,
  check: async (response) => {
    assert.deepEqual(keysOf(response), accountKeys)
    const text = 'select role from users where email = $1'
    const { rows } = await florin.db.pool.query(text, [response.body.email])
    assert.deepEqual(rows, [{ role: 'owner' }])
  },
  grid: `
          new
dead_sent dead
no_token  ok
member    scope
viewer    scope
owner     scope
owner2    scope
lone      bad
platform  ok
admin     ok
key:*     scope
key2:*    scope
platform_key:* ok`,
})

function application(who = credentials('new')) {
  return { ...who, name: 'New Ltd', type: 'business' }
}

test('a user without an account opens one only with their own email and password', async () => {
  const { token, email, password } = await fixtures.person('lone')
  const wrong = await assertNoChanges(
    florin.db.pool,
    () => apply(token, { email, password: newPassword() }),
    { except: throttleTables },
  )
  assert.equal(wrong.status, 401)
  assert.deepEqual(keysOf(wrong), ['error', 'message'])
  assert.equal(wrong.body.error, 'unauthorized')
  const challenge = 'Bearer error="insufficient_user_authentication"'
  assert.equal(wrong.headers.get('www-authenticate'), challenge)
  const other = await fixtures.person('lone2')
  const foreign = await assertNoChanges(florin.db.pool, () => apply(token, other))
  assert.equal(foreign.status, 400)
  assert.equal(foreign.body.error, 'invalid_request')
  const opened = await apply(token, { email, password })
  assert.equal(opened.status, 201)
  assert.deepEqual(keysOf(opened), accountKeys)
})

function apply(token: string, { email, password }: { email: string; password: string }) {
  const body = application({ email, password })
  return florin.call('POST', '/v1/accounts', { token, body })
}

test('with signup closed, opening an account requires a token', async () => {
  const { call } = await florin.startSecondServer({ FLORIN_SIGNUP: 'closed' })
  for (const body of [application(), { email: 1 }, '{']) {
    const response = await assertNoChanges(florin.db.pool, () =>
      call('POST', '/v1/accounts', { body }),
    )
    assert.equal(response.status, 401)
    assert.equal(response.body.error, 'unauthorized')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  }
  const { token } = await fixtures.person('admin')
  const opened = await call('POST', '/v1/accounts', { token, body: application() })
  assert.equal(opened.status, 201)
})
