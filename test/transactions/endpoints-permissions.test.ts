// Every combination of caller and object at the endpoints of transactions. The tables are written
// by hand. owner and member share an account; owner2 has another one. Foreign, unknown and
// malformed ids get byte-identical errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { Fixtures } from '../permissions/fixtures.ts'
import { type Request, testGrid } from '../permissions/grid.ts'
import type { CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')

/** A pending payment of this account. */
async function pendingOf(account_id: string): Promise<string> {
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const {
    status,
    text,
    body: created,
  } = await florin.call('POST', '/v1/transactions', {
    token: admin.token,
    body,
  })
  assert.equal(status, 201, text)
  return created.id
}

async function canceledOf(account_id: string): Promise<string> {
  const id = await pendingOf(account_id)
  const { status } = await florin.call('DELETE', `/v1/transactions/${id}`, { token: admin.token })
  assert.equal(status, 200)
  return id
}

const [own_account, other_account] = [
  (await fixtures.owner('owner')).account_id,
  (await fixtures.owner('owner2')).account_id,
]

async function transactionIds(object: string): Promise<string[]> {
  switch (object) {
    case 'own':
    case 'elsewhere':
      return [await pendingOf(own_account)]
    case 'ended':
      return [await canceledOf(own_account)]
    case 'other':
      return [await pendingOf(other_account)]
    case 'unknown':
      return [toTypeId('transaction', newUuid(Date.now()))]
    default: {
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, 'txn').replace(/^USR/, 'TXN'))
    }
  }
}

const about =
  (method: string, body?: unknown, after = '') =>
  async (_: Fixtures, object: string): Promise<Request[]> => {
    const ids = await transactionIds(object)
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': other_account } : {}
    return ids.map((id) => ({ method, path: `/v1/transactions/${id}${after}`, body, headers }))
  }

// `elsewhere` is a transaction of the own account, requested with the header of the other.
const viewer_reads = 'viewer   ok    none  ok       nohead    none    none'
const viewer_writes = 'viewer   scope'
const gridOf = (ended: string, viewer = viewer_reads) => `
         own   other ended    elsewhere unknown badid
dead     dead
member   ok    none  ${ended} nohead    none    none
${viewer}
owner    ok    none  ${ended} nohead    none    none
owner2   none  ok    none     none      none    none
lone     none  none  none     nohead    none    none
platform ok    ok    ${ended} none      none    none
admin    ok    ok    ${ended} none      none    none
key:*    ok    none  ${ended} nohead    none    none
key2:*   none  ok    none     none      none    none
platform_key:* ok ok ${ended} none      none    none`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transactions/{transaction_id}',
  requests: about('GET'),
  check: (response, { object }) =>
    assert.equal(response.body.status, object === 'ended' ? 'canceled' : 'pending'),
  grid: gridOf('ok'),
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/transactions/{transaction_id}',
  requests: about('PATCH', { reference: 'changed' }),
  check: (response) => assert.equal(response.body.reference, 'changed'),
  grid: gridOf('ok', viewer_writes),
})

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/transactions/{transaction_id}',
  requests: about('DELETE'),
  check: (response) => assert.equal(response.body.status, 'canceled'),
  grid: gridOf('nocan', viewer_writes),
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transactions/{transaction_id}/postings',
  requests: about('GET', undefined, '/postings'),
  check: (response) => assert.equal(response.body.object, 'list'),
  grid: gridOf('ok'),
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transactions/{transaction_id}/refunds',
  requests: about('GET', undefined, '/refunds'),
  check: (response) => {
    const { data, ...amounts } = response.body
    const none = { refunded_amount: 0, pending_refund_amount: 0, refundable_amount: 0 }
    assert.deepEqual(amounts, { object: 'list', ...none, has_more: false })
    assert.deepEqual(data, [])
  },
  grid: gridOf('ok'),
})

// Of one transaction and of many.
const create_grid = `
         own   other closed suspended unknown badid
dead     dead
member   ok    none  none   none      none    none
viewer   scope
owner    ok    none  none   none      none    none
owner2   none  ok    none   none      none    none
lone     none  none  none   none      none    none
platform ok    ok    none   bad       none    none
admin    ok    ok    none   bad       none    none
key:*    ok    none  none   none      none    none
key2:*   none  ok    none   none      none    none
platform_key:* ok ok none   bad       none    none`

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/transactions',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    const body = { amount: 100, currency: 'USD', type: 'payment' }
    return ids.map((account_id) => ({
      method: 'POST',
      path: '/v1/transactions',
      body: { account_id, ...body },
    }))
  },
  success_status: 201,
  check: (response) => assert.equal(response.body.status, 'pending'),
  grid: create_grid,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/transactions/bulk',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    const transactions = [{ amount: 100, currency: 'USD', type: 'payment' }]
    return ids.map((account_id) => ({
      method: 'POST',
      path: '/v1/transactions/bulk',
      body: { account_id, transactions },
    }))
  },
  check: (response) => assert.equal(response.body.created, 1),
  grid: create_grid,
})

// The account in the body is `owner`'s; the columns are the account in Florin-Account.
testGrid(florin, fixtures, {
  endpoint: 'POST /v1/transactions with Florin-Account',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    const body = { account_id: own_account, amount: 100, currency: 'USD', type: 'payment' }
    return ids.map((id) => ({
      method: 'POST',
      path: '/v1/transactions',
      body,
      ...(id === undefined ? {} : { headers: { 'florin-account': id } }),
    }))
  },
  success_status: 201,
  check: (response) => assert.equal(response.body.account_id, own_account),
  grid: `
         nothing own   other closed unknown badid
dead     dead
member   ok      ok    none  none   none    none
viewer   scope
owner    ok      ok    none  none   none    none
owner2   none    nohead bad  nohead nohead  nohead
lone     none    nohead nohead nohead nohead nohead
platform ok      ok    bad   bad    bad     none
admin    ok      ok    bad   bad    bad     none
key:*    ok      ok    none  none   none    none
key2:*   none    nohead bad  nohead nohead  nohead
platform_key:* ok ok   bad   bad    bad     none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transactions',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: '/v1/transactions',
      ...(id === undefined ? {} : { headers: { 'florin-account': id } }),
    }))
  },
  check: (response, { object }) => {
    assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
    const accounts = new Set(
      response.body.data.map((row: { account_id: string }) => row.account_id),
    )
    if (object === 'own') assert.deepEqual([...accounts], [own_account])
    if (object === 'other') assert.deepEqual([...accounts], [other_account])
  },
  grid: `
         nothing own   other closed suspended unknown badid
dead     dead
member   ok      ok    none  none   none      none    none
viewer   ok      ok    none  none   none      none    none
owner    ok      ok    none  none   none      none    none
owner2   ok      none  ok    none   none      none    none
lone     ok      none  none  none   none      none    none
platform ok      ok    ok    ok     ok        none    none
admin    ok      ok    ok    ok     ok        none    none
key:*    ok      ok    none  none   none      none    none
key2:*   ok      none  ok    none   none      none    none
platform_key:* ok ok   ok    ok     ok        none    none`,
})

// Requests one transaction of each account; the columns are the account in Florin-Account.
testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transaction_details',
  requests: async (inside, object) => {
    const requested = [await pendingOf(own_account), await pendingOf(other_account)]
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: `/v1/transaction_details?transaction_ids=${requested}`,
      ...(id === undefined ? {} : { headers: { 'florin-account': id } }),
    }))
  },
  check: (response, { caller, object }) => {
    assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
    const sees_all = /^(platform|admin)/.test(caller) && object === 'nothing'
    const sees_none = caller === 'lone' || object === 'closed' || object === 'suspended'
    assert.equal(response.body.data.length, sees_all ? 2 : sees_none ? 0 : 1)
  },
  grid: `
         nothing own   other closed suspended unknown badid
dead     dead
member   ok      ok    none  none   none      none    none
viewer   ok      ok    none  none   none      none    none
owner    ok      ok    none  none   none      none    none
owner2   ok      none  ok    none   none      none    none
lone     ok      none  none  none   none      none    none
platform ok      ok    ok    ok     ok        none    none
admin    ok      ok    ok    ok     ok        none    none
key:*    ok      ok    none  none   none      none    none
key2:*   ok      none  ok    none   none      none    none
platform_key:* ok ok   ok    ok     ok        none    none`,
})

/** Sends one request about a transaction of `owner`, with `account` in Florin-Account. */
async function send(caller: string, method: string, account: string, options: CallOptions = {}) {
  const [id] = await transactionIds('own')
  const { token } = await fixtures.person(caller)
  const [named] = await fixtures.accountIds(account)
  const headers: Record<string, string> = named === undefined ? {} : { 'florin-account': named }
  return florin.call(method, `/v1/transactions/${id}`, { token, headers, ...options })
}

test('with Florin-Account, only the transactions of that account exist', async () => {
  for (const [method, options] of [
    ['GET', {}],
    ['PATCH', { body: { reference: 'x' } }],
    ['DELETE', {}],
  ] as const) {
    for (const caller of ['admin', 'platform']) {
      assert.equal((await send(caller, method, 'own', options)).status, 200)
      for (const account of ['other', 'closed', 'unknown', 'badid']) {
        const { status, body } = await send(caller, method, account, options)
        assert.deepEqual([status, body.error], [404, 'not_found'], `${caller} ${account}`)
      }
    }
    assert.equal((await send('owner', method, 'own', options)).status, 200)
    assert.equal((await send('owner', method, 'other', options)).status, 404)
    assert.equal((await send('lone', method, 'own', options)).status, 404)
  }
})

test('a user without an account gets an empty list', async () => {
  const { token } = await fixtures.person('lone')
  for (const query of ['', '?limit=1', '?status=pending&type=refund', '?date_from=2020-01-01']) {
    const { status, text } = await florin.call('GET', `/v1/transactions${query}`, { token })
    assert.deepEqual([status, text], [200, '{"object":"list","data":[],"has_more":false}'])
  }
  const id = await pendingOf(own_account)
  const by_cursor = await florin.call('GET', `/v1/transactions?starting_after=${id}`, { token })
  assert.deepEqual([by_cursor.status, by_cursor.body.error], [400, 'invalid_request'])
})

test('member and owner have access to the same transactions', async () => {
  const [owner, member] = [await fixtures.person('owner'), await fixtures.person('member')]
  const body = { account_id: own_account, amount: 1, currency: 'USD', type: 'credit' }
  for (const [maker, reader] of [
    [owner, member],
    [member, owner],
  ] as const) {
    const created = await florin.call('POST', '/v1/transactions', { token: maker.token, body })
    const path = `/v1/transactions/${created.body.id}`
    assert.equal((await florin.call('GET', path, { token: reader.token })).status, 200)
    assert.equal((await florin.call('DELETE', path, { token: reader.token })).status, 200)
  }
})

test('a closed account stays readable for platforms and admins', async () => {
  const owner = await florin.people.owner()
  const id = await pendingOf(owner.account_id)
  const settle = { token: admin.token, body: { outcome: 'succeeded' } }
  await florin.call('POST', `/v1/transactions/${id}/settle`, settle)
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  const headers = { 'florin-account': owner.account_id }
  const { token } = await fixtures.person('platform')
  const found = await florin.call('GET', `/v1/transactions/${id}`, { token, headers })
  assert.equal(found.body.status, 'succeeded')
  const listed = await florin.call('GET', '/v1/transactions', { token, headers })
  assert.deepEqual(
    listed.body.data.map((row: { id: string }) => row.id),
    [id],
  )
  const old = await florin.call('GET', `/v1/transactions/${id}`, { token: owner.token })
  assert.equal(old.status, 401)
})
