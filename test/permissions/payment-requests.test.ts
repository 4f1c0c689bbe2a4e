// Every combination of caller and object at the endpoints of payment requests with options. The
// expected results are written by hand, independently of the code. owner and member share an
// account; owner2 has another one. Responses for foreign, unknown and malformed ids are identical.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { optionKeys, wholeKeys } from '../payments/payment-fixtures.ts'
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

const requestKeys = [...wholeKeys, ...optionKeys].sort()

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
  endpoint: 'GET /v1/payments/{payment_id}/emails',
  requests: about('GET', '/emails'),
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

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payment_requests/{payment_id}',
  requests: async (inside, object) =>
    (await about('GET')(inside, object)).map(({ path, ...request }) => ({
      ...request,
      path: path.replace('/v1/payments/', '/v1/payment_requests/'),
    })),
  check: (response) => assert.deepEqual(keysOf(response), requestKeys),
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
  endpoint: 'POST /v1/payment_requests',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    const path = '/v1/payment_requests'
    const body = { ...valid_body, email: false }
    return ids.map((account_id) => ({ method: 'POST', path, body: { account_id, ...body } }))
  },
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), requestKeys),
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
