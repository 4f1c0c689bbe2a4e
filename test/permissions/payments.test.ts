// Every combination of caller and object at the payment request endpoints. The expected results are
// written by hand, independently of the code. owner and member share an account; owner2 has another
// one. Responses for foreign, unknown and malformed ids are identical.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { createdKeys, wholeKeys } from '../payments/payment-fixtures.ts'
import type { CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')
const own_account = (await fixtures.owner('owner')).account_id
const other_account = (await fixtures.owner('owner2')).account_id
const valid_body = { amount: 100, currency: 'USD', customer_email: 'customer@example.com' }

async function expectOk(path: string, body: unknown): Promise<string> {
  const response = await florin.call('POST', path, { token: admin.token, body })
  assert.ok(response.status < 300, response.text)
  return response.body.id
}

const pendingOf = (account_id: string) => expectOk('/v1/payments', { account_id, ...valid_body })

async function paymentIds(object: string): Promise<string[]> {
  switch (object) {
    case 'own':
    case 'elsewhere':
      return [await pendingOf(own_account)]
    case 'other':
      return [await pendingOf(other_account)]
    case 'ended': {
      const id = await pendingOf(own_account)
      return [await expectOk(`/v1/payments/${id}/settle`, { outcome: 'failed' })]
    }
    case 'unknown':
      return [toTypeId('payment', newUuid(Date.now()))]
    default: {
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, 'pay').replace(/^USR/, 'PAY'))
    }
  }
}

// `elsewhere` is a request of the own account, sent with the header of the other.
const about =
  (method: string, after = '', body?: unknown) =>
  async (_: Fixtures, object: string): Promise<Request[]> => {
    const ids = await paymentIds(object)
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': other_account } : {}
    return ids.map((id) => ({ method, path: `/v1/payments/${id}${after}`, body, headers }))
  }

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payments/{payment_id}',
  requests: about('GET'),
  check: (response) => assert.deepEqual(keysOf(response), wholeKeys),
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  ok    nohead    none    none
viewer   ok    none  ok    nohead    none    none
owner    ok    none  ok    nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    ok    none      none    none
admin    ok    ok    ok    none      none    none
key:*    ok    none  ok    nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok ok    none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payments/{payment_id}/status',
  requests: about('GET', '/status'),
  check: (response) =>
    assert.deepEqual(keysOf(response), [
      'amount',
      'currency',
      'id',
      'reference',
      'status',
      'updated_at',
    ]),
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  ok    nohead    none    none
viewer   ok    none  ok    nohead    none    none
owner    ok    none  ok    nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    ok    none      none    none
admin    ok    ok    ok    none      none    none
key:*    ok    none  ok    nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok ok    none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payments/{payment_id}/attempts',
  requests: about('GET', '/attempts'),
  check: (response) => assert.deepEqual(keysOf(response), ['data', 'has_more', 'object']),
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  ok    nohead    none    none
viewer   ok    none  ok    nohead    none    none
owner    ok    none  ok    nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    ok    none      none    none
admin    ok    ok    ok    none      none    none
key:*    ok    none  ok    nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok ok    none      none    none`,
})

const returnKeys = ['cancel_url', 'id', 'return_url']

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payments/{payment_id}/return_urls',
  requests: about('GET', '/return_urls'),
  check: (response) => assert.deepEqual(keysOf(response), returnKeys),
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  ok    nohead    none    none
viewer   ok    none  ok    nohead    none    none
owner    ok    none  ok    nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    ok    none      none    none
admin    ok    ok    ok    none      none    none
key:*    ok    none  ok    nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok ok    none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/payments/{payment_id}',
  requests: about('PATCH', '', { cancel_url: null }),
  check: (response) => assert.deepEqual(keysOf(response), returnKeys),
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  confl nohead    none    none
viewer   scope
owner    ok    none  confl nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    confl none      none    none
admin    ok    ok    confl none      none    none
key:*    ok    none  confl nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok confl none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payments/{payment_id}/cancel',
  requests: about('POST', '/cancel'),
  check: (response) => {
    assert.deepEqual(keysOf(response), wholeKeys)
    assert.equal(response.body.status, 'canceled')
  },
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  nocan nohead    none    none
viewer   scope
owner    ok    none  nocan nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    nocan none      none    none
admin    ok    ok    nocan none      none    none
key:*    ok    none  nocan nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok nocan none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payments/{payment_id}/send',
  requests: about('POST', '/send'),
  check: (response) => {
    assert.deepEqual(keysOf(response), wholeKeys)
    assert.equal(response.body.status, 'pending')
  },
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   ok    none  confl nohead    none    none
viewer   scope
owner    ok    none  confl nohead    none    none
owner2   none  ok    none  none      none    none
lone     none  none  none  nohead    none    none
platform ok    ok    confl none      none    none
admin    ok    ok    confl none      none    none
key:*    ok    none  confl nohead    none    none
key2:*   none  ok    none  none      none    none
platform_key:* ok ok confl none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payments/{payment_id}/settle',
  requests: about('POST', '/settle', { outcome: 'succeeded' }),
  check: (response) => {
    assert.deepEqual(keysOf(response), wholeKeys)
    assert.equal(response.body.status, 'succeeded')
  },
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform ok    ok    confl none      none    none
admin    ok    ok    confl none      none    none
key:*    scope
key2:*   scope
platform_key:* ok ok confl none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payments',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    const path = '/v1/payments'
    return ids.map((account_id) => ({ method: 'POST', path, body: { account_id, ...valid_body } }))
  },
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), createdKeys),
  grid: `
         own    other  closed suspended unknown badid
dead     dead
member   ok     noacct noacct noacct    noacct  noacct
viewer   scope
owner    ok     noacct noacct noacct    noacct  noacct
owner2   noacct ok     noacct noacct    noacct  noacct
lone     noacct noacct noacct noacct    noacct  noacct
platform ok     ok     noacct bad       noacct  noacct
admin    ok     ok     noacct bad       noacct  noacct
key:*    ok     noacct noacct noacct    noacct  noacct
key2:*   noacct ok     noacct noacct    noacct  noacct
platform_key:* ok ok   noacct bad       noacct  noacct`,
})

// The account in the body is `owner`'s; the columns are what Florin-Account names.
testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payments with Florin-Account',
  requests: async (inside, object) =>
    (await inside.accountIds(object)).map((id) => ({
      method: 'POST',
      path: '/v1/payments',
      body: { account_id: own_account, ...valid_body },
      headers: id === undefined ? {} : { 'florin-account': id },
    })),
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), createdKeys),
  grid: `
         nothing own    other  closed unknown badid
owner    ok      ok     nohead nohead nohead  nohead
owner2   noacct  nohead bad    nohead nohead  nohead
lone     noacct  nohead nohead nohead nohead  nohead
platform ok      ok     bad    bad    bad     nohead
admin    ok      ok     bad    bad    bad     nohead
key:*    ok      ok     nohead nohead nohead  nohead
key2:*   noacct  nohead bad    nohead nohead  nohead`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payments',
  requests: async (inside, object) =>
    (await inside.accountIds(object)).map((id) => ({
      method: 'GET',
      path: '/v1/payments',
      headers: id === undefined ? {} : { 'florin-account': id },
    })),
  check: (response) => assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more']),
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

test('lists show only the own account, and all accounts to admins and platforms', async () => {
  const own = await pendingOf(own_account)
  const other = await pendingOf(other_account)
  const list = async (caller: string, options: CallOptions = {}) => {
    const { token } = await fixtures.person(caller)
    const { status, body } = await florin.call('GET', '/v1/payments?limit=100', {
      token,
      ...options,
    })
    if (status !== 200) return body.error
    const ids = body.data.map(({ id }: { id: string }) => id)
    return [ids.includes(own), ids.includes(other)]
  }
  const of_other = { headers: { 'florin-account': other_account } }
  assert.deepEqual(await list('owner'), [true, false])
  assert.deepEqual(await list('member'), [true, false])
  assert.deepEqual(await list('owner2'), [false, true])
  assert.deepEqual(await list('lone'), [false, false])
  for (const caller of ['admin', 'platform']) {
    assert.deepEqual(await list(caller), [true, true])
    assert.deepEqual(await list(caller, of_other), [false, true])
    assert.equal(await list(caller, { headers: { 'florin-account': 'x' } }), 'not_found')
  }
  assert.equal(await list('owner', of_other), 'not_found')
})

test('settling is recorded in the audit log with its reason, like admin actions', async () => {
  const id = await pendingOf(own_account)
  const { token } = await fixtures.person('platform')
  const body = { outcome: 'succeeded', reason: 'Seen on the bank statement.' }
  await expectOk(`/v1/payments/${id}/send`, {})
  const settled = await florin.call('POST', `/v1/payments/${id}/settle`, { token, body })
  assert.equal(settled.status, 200)
  const text = 'select actor_role, action, details from audit_log where object_id = $1 order by id'
  const { rows } = await florin.db.pool.query(text, [findUuid('payment', id)])
  assert.deepEqual(rows, [
    { actor_role: 'admin', action: 'payment.created', details: '{}' },
    { actor_role: 'admin', action: 'payment.sent', details: '{}' },
    { actor_role: 'platform', action: 'payment.settled', details: JSON.stringify(body) },
  ])
})
