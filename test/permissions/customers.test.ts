// Every combination of caller and object at the customer endpoints. The expected outcomes are
// written by hand, independently of the code. owner and member share an account; owner2 has another
// one. `own` and `other` are sent with the header of their account, `elsewhere` with another
// account's, `bare` without any.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')
const own_account = (await fixtures.owner('owner')).account_id
const other_account = (await fixtures.owner('owner2')).account_id

const byHeader = (account_id: string) => ({ 'florin-account': account_id })

let customers = 0

/** A customer with one canceled payment request. */
async function customerOf(account_id: string): Promise<{ id: string; email: string }> {
  customers += 1
  const email = `customer${customers}@example.com`
  const options = { token: admin.token, headers: byHeader(account_id) }
  const body = { account_id, amount: 100, currency: 'USD', customer_email: email }
  const created = await florin.call('POST', '/v1/payments', { ...options, body })
  assert.equal(created.status, 201, created.text)
  await florin.call('POST', `/v1/payments/${created.body.id}/cancel`, options)
  const listed = await florin.call('GET', `/v1/customers?email=${email}`, options)
  return { id: listed.body.data[0].id, email }
}

interface Target {
  id: string
  email: string
  headers: Record<string, string>
}

async function targets(object: string): Promise<Target[]> {
  switch (object) {
    case 'bare':
      return [{ ...(await customerOf(own_account)), headers: {} }]
    case 'own':
      return [{ ...(await customerOf(own_account)), headers: byHeader(own_account) }]
    case 'ended': {
      const { id, email } = await customerOf(own_account)
      const options = { token: admin.token, headers: byHeader(own_account) }
      const body = { confirm_email: email }
      const erased = await florin.call('POST', `/v1/customers/${id}/erase`, { ...options, body })
      return [{ id, email: erased.body.email, headers: options.headers }]
    }
    case 'other':
      return [{ ...(await customerOf(other_account)), headers: byHeader(other_account) }]
    case 'elsewhere':
      return [{ ...(await customerOf(other_account)), headers: byHeader(own_account) }]
    case 'unknown': {
      const id = toTypeId('customer', newUuid(Date.now()))
      return [{ id, email: 'a@example.com', headers: byHeader(own_account) }]
    }
    default: {
      const users = await fixtures.userIds('badid')
      const ids = users.map((id) => id.replace(/^usr/, 'cus').replace(/^USR/, 'CUS'))
      return ids.map((id) => ({ id, email: 'a@example.com', headers: byHeader(own_account) }))
    }
  }
}

const about =
  (method: string, path = '', bodyFor: (target: Target) => unknown = () => undefined) =>
  async (_: Fixtures, object: string): Promise<Request[]> =>
    (await targets(object)).map((target) => ({
      method,
      path: `/v1/customers/${target.id}${path}`,
      body: bodyFor(target),
      headers: target.headers,
    }))

const reads = `
         bare  own   ended elsewhere unknown badid
dead     dead
member   ok    ok    ok    none      none    none
viewer   ok    ok    ok    none      none    none
owner    ok    ok    ok    none      none    none
lone     forb  forb  forb  forb      forb    forb
platform forb  ok    ok    none      none    none
admin    forb  ok    ok    none      none    none
owner2   none  nohead nohead nohead   nohead  none
key:*    ok    ok    ok    none      none    none
key2:*   none  nohead nohead nohead   nohead  none
platform_key:* forb ok ok none    none    none`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/customers/{customer_id}',
  requests: about('GET'),
  check: (response) =>
    assert.match(response.body.email, /^(customer\d+@example\.com|erased-\w+@erased\.invalid)$/),
  grid: reads,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/customers/{customer_id}/payments',
  requests: about('GET', '/payments'),
  check: (response) => assert.equal(response.body.data[0].status, 'canceled'),
  grid: reads,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/customers/{customer_id}/subscriptions',
  requests: about('GET', '/subscriptions'),
  check: (response) => assert.deepEqual(response.body.data, []),
  grid: reads,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/customers/{customer_id} of another account',
  requests: about('GET'),
  check: (response) => assert.equal(response.body.requests, 1),
  grid: `
         other
owner2   ok
member2  ok
owner    none
member   none
viewer   none
platform ok
admin    ok`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/customers with Florin-Account',
  requests: async (inside, object) =>
    (await inside.accountIds(object)).map((account_id) => ({
      method: 'GET',
      path: '/v1/customers',
      headers: account_id === undefined ? {} : byHeader(account_id),
    })),
  check: (response) => {
    assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
  },
  grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   ok      ok    none  none      none   none    none
viewer   ok      ok    none  none      none   none    none
owner    ok      ok    none  none      none   none    none
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform forb    ok    ok    ok        ok     none    none
admin    forb    ok    ok    ok        ok     none    none
key:*    ok      ok    none  none      none   none    none
key2:*   ok      none  ok    none      none   none    none
platform_key:* forb ok ok    ok        ok     none    none`,
})

const of_owners = `
         bare  own   ended elsewhere unknown badid
dead     dead
member   scope scope scope scope     scope   scope
viewer   scope scope scope scope     scope   scope
owner    ok    ok    ok    none      none    none
lone     forb  forb  forb  forb      forb    forb
platform scope scope scope scope     scope   scope
admin    forb  ok    ok    none      none    none
owner2   none  nohead nohead nohead   nohead  none
key:*    scope
key2:*   scope
platform_key:* scope`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/customers/{customer_id}/export',
  requests: about('GET', '/export'),
  check: (response) => assert.equal(response.body.payments[0].status, 'canceled'),
  grid: of_owners,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/customers/{customer_id}/erase',
  requests: about('POST', '/erase', ({ email }) => ({ confirm_email: email })),
  check: (response) => assert.match(response.body.email, /@erased\.invalid$/),
  grid: of_owners,
})
