// Every combination of caller and object at the payment link endpoints. The expected outcomes are
// written by hand, independently of the code. owner and member share an account; owner2 has another
// one. `own` and `other` are sent with the header of their account, `elsewhere` with another
// account's, `bare` without any.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')
const own_account = (await fixtures.owner('owner')).account_id
const other_account = (await fixtures.owner('owner2')).account_id
const valid_body = { title: 'Pottery class', amount: 100 }

const byHeader = (account_id: string) => ({ 'florin-account': account_id })

async function expectOk(method: string, path: string, account_id: string, body?: unknown) {
  const options = { token: admin.token, headers: byHeader(account_id), body }
  const response = await florin.call(method, path, options)
  assert.ok(response.status < 300, response.text)
  return response.body.id as string
}

const activeOf = (account_id: string) =>
  expectOk('POST', '/v1/payment_links', account_id, valid_body)

async function requestTarget(
  object: string,
): Promise<{ ids: string[]; headers: Record<string, string> }> {
  switch (object) {
    case 'bare':
      return { ids: [await activeOf(own_account)], headers: {} }
    case 'own':
      return { ids: [await activeOf(own_account)], headers: byHeader(own_account) }
    case 'ended': {
      const id = await activeOf(own_account)
      await expectOk('PATCH', `/v1/payment_links/${id}`, own_account, { active: false })
      return { ids: [id], headers: byHeader(own_account) }
    }
    case 'other':
      return { ids: [await activeOf(other_account)], headers: byHeader(other_account) }
    case 'elsewhere':
      return { ids: [await activeOf(other_account)], headers: byHeader(own_account) }
    case 'unknown':
      return {
        ids: [toTypeId('payment_link', newUuid(Date.now()))],
        headers: byHeader(own_account),
      }
    default: {
      const users = await fixtures.userIds('badid')
      const ids = users.map((id) => id.replace(/^usr/, 'lnk').replace(/^USR/, 'LNK'))
      return { ids, headers: byHeader(own_account) }
    }
  }
}

const about =
  (method: string, body?: unknown) =>
  async (_: Fixtures, object: string): Promise<Request[]> => {
    const { ids, headers } = await requestTarget(object)
    return ids.map((id) => ({ method, path: `/v1/payment_links/${id}`, body, headers }))
  }

const linkKeys = [
  'account_id',
  'active',
  'amount',
  'amount_max',
  'amount_min',
  'amount_suggested',
  'created_at',
  'currency',
  'expires_at',
  'id',
  'max_uses',
  'metadata',
  'reserved',
  'title',
  'updated_at',
  'url',
  'uses',
]

const check = (response: Parameters<typeof keysOf>[0]) =>
  assert.deepEqual(keysOf(response), linkKeys)

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payment_links/{payment_link_id}',
  requests: about('GET'),
  check,
  grid: `
         bare  own   ended elsewhere unknown badid
dead     dead
member   ok     ok     ok     none   none   none
viewer   ok     ok     ok     none   none   none
owner    ok     ok     ok     none   none   none
lone     forb   forb   forb   forb   forb   forb
platform forb   ok     ok     none   none   none
admin    forb   ok     ok     none   none   none
owner2   none   nohead nohead nohead nohead none
key:*    ok     ok     ok     none   none   none
key2:*   none   nohead nohead nohead nohead none
platform_key:* forb   ok     ok     none   none   none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payment_links/{payment_link_id} of another account',
  requests: about('GET'),
  check,
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
  endpoint: 'PATCH /v1/payment_links/{payment_link_id}',
  requests: about('PATCH', { active: false }),
  check: (response) => assert.equal(response.body.active, false),
  grid: `
         bare  own   ended elsewhere unknown badid
dead     dead
member   ok     ok     ok     none   none   none
viewer   scope
owner    ok     ok     ok     none   none   none
lone     forb   forb   forb   forb   forb   forb
platform forb   ok     ok     none   none   none
admin    forb   ok     ok     none   none   none
owner2   none   nohead nohead nohead nohead none
key:*    ok     ok     ok     none   none   none
key2:*   none   nohead nohead nohead nohead none
platform_key:* forb   ok     ok     none   none   none`,
})

const toAccount =
  (method: string, body?: unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> =>
    (await inside.accountIds(object)).map((account_id) => ({
      method,
      path: '/v1/payment_links',
      body,
      headers: account_id === undefined ? {} : byHeader(account_id),
    }))

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payment_links with Florin-Account',
  requests: toAccount('POST', valid_body),
  success_status: 201,
  check: async (response, context) => {
    check(response)
    const own = /2(:\*)?$/.test(context.caller) ? 'other' : 'own'
    const [id] = await context.fixtures.accountIds(
      context.object === 'nothing' ? own : context.object,
    )
    assert.equal(response.body.account_id, id)
  },
  grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   ok      ok    none  none      none   none    none
viewer   scope
owner    ok      ok    none  none      none   none    none
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform forb    ok    ok    ok        none   none    none
admin    forb    ok    ok    ok        none   none    none
key:*    ok      ok    none  none      none   none    none
key2:*   ok      none  ok    none      none   none    none
platform_key:* forb ok ok    ok        none   none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payment_links with Florin-Account',
  requests: toAccount('GET'),
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
