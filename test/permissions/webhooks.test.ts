// Every combination of caller and account at the webhook endpoints. The expected outcomes are
// written by hand, independently of the code.

import assert from 'node:assert/strict'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const path = '/v1/webhook_endpoints'
const body = { url: 'https://example.com/hook', events: ['*'] }
const headerOf: Record<string, string> = {
  named: (await fixtures.owner('owner')).account_id,
  elsewhere: (await fixtures.owner('owner2')).account_id,
}

/** Inserts an endpoint directly, because the API limits an account to twenty. */
async function endpointOf(name: string): Promise<string> {
  const account_id = findUuid('account', (await fixtures.owner(name)).account_id)!
  const id = newUuid(Date.now())
  await florin.db.pool.query(
    `insert into webhook_endpoints (account_id, id, url, events, status, secret, event_sequence,
       updated_at)
     values ($1, $2, $3, '{*}', 'enabled', $4, 1, now())`,
    [account_id, id, body.url, newWebhookSecret()],
  )
  return toTypeId('webhook_endpoint', id)
}

async function deliveryOf(name: string): Promise<string> {
  const account_id = findUuid('account', (await fixtures.owner(name)).account_id)!
  const endpoint_id = findUuid('webhook_endpoint', await endpointOf(name))!
  const id = newUuid(Date.now())
  await florin.db.pool.query(
    `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type, test_body,
       status, next_at)
     values ($1, $2, $3, $2, 'webhook_endpoint.test', '{}', 'pending', now())`,
    [account_id, id, endpoint_id],
  )
  return toTypeId('webhook_delivery', id)
}

const withHeader = async (
  inside: Fixtures,
  object: string,
  method: string,
  at: string,
  more = {},
) =>
  (await inside.accountIds(object)).map(
    (account_id): Request => ({
      method,
      path: at,
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
      ...more,
    }),
  )

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/webhook_endpoints with Florin-Account',
  requests: (inside, object) => withHeader(inside, object, 'POST', path, { body }),
  success_status: 201,
  check: (response) => assert.match(response.body.id, /^we_/),
  grid: `
         nothing own   other closed unknown badid
dead     dead
member   scope   scope scope scope  scope   scope
viewer   scope   scope scope scope  scope   scope
owner    ok      ok    none  none   none    none
owner2   ok      none  ok    none   none    none
lone     forb    forb  forb  forb   forb    forb
platform scope   scope scope scope  scope   scope
admin    forb    ok    ok    none   none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

for (const list of [path, '/v1/webhook_deliveries', '/v1/list_counts/webhook_deliveries']) {
  testGrid(florin, fixtures, {
    endpoint: `GET ${list} with Florin-Account`,
    requests: (inside, object) => withHeader(inside, object, 'GET', list),
    check: (response) =>
      list.includes('counts')
        ? assert.deepEqual(response.body, { count: 0, is_exact: true })
        : assert.equal(response.body.object, 'list'),
    grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   scope   scope scope scope     scope  scope   scope
viewer   scope   scope scope scope     scope  scope   scope
owner    ok      ok    none  none      none   none    none
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform scope   scope scope scope     scope  scope   scope
admin    forb    ok    ok    ok        ok     none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
  })
}

// `named` is an object of the own account with its header, `elsewhere` with the other's. The
// outcome for `deleted` differs: a deleted endpoint is not found, but its deliveries stay readable.
const gridOf = (deleted: string) => `
         own   named other elsewhere deleted    unknown badid
dead     dead
member   scope
viewer   scope
owner    ok    ok    none  nohead    ${deleted} none    none
owner2   none  nohead ok   none      none       none    none
lone     forb
platform scope
admin    forb  ok    forb  none      forb       forb    forb
key:*    scope
key2:*   scope
platform_key:* scope`

type CreateFixture = (name: string) => Promise<string>

async function deleteEndpoint(id: string): Promise<void> {
  const { token } = await fixtures.person('owner')
  const response = await florin.call('DELETE', `${path}/${id}`, { token })
  assert.equal(response.status, 200, response.text)
}

async function createDeleted(create: CreateFixture): Promise<string> {
  const id = await create('owner')
  const of_delivery = 'select endpoint_id from webhook_deliveries where id = $1'
  const uuid = findUuid('webhook_delivery', id)
  const { rows } = await florin.db.pool.query(of_delivery, [uuid ?? null])
  await deleteEndpoint(uuid ? toTypeId('webhook_endpoint', rows[0].endpoint_id) : id)
  return id
}

async function idsOf(
  object: string,
  create: CreateFixture,
  kind: 'webhook_endpoint' | 'webhook_delivery',
) {
  if (['own', 'named', 'elsewhere'].includes(object)) return [await create('owner')]
  if (object === 'deleted') return [await createDeleted(create)]
  if (object === 'other') return [await create('owner2')]
  if (object === 'unknown') return [toTypeId(kind, newUuid(Date.now()))]
  const real = await create('owner')
  return ['x', real.toUpperCase(), real.replace(/^w._/, 'acct_'), real.slice(0, -1), `${real}0`]
}

type Call = [method: string, base: string, tail: string, deleted: string, body?: object]

const calls: Call[] = [
  ['GET', path, '', 'none'],
  ['PATCH', path, '', 'none', { events: ['user.*'] }],
  ['DELETE', path, '', 'none'],
  ['POST', path, '/rotate', 'none', {}],
  ['POST', path, '/test', 'none', {}],
  ['POST', path, '/replay', 'none', { after: 0 }],
  ['GET', '/v1/webhook_deliveries', '', 'ok'],
  ['POST', '/v1/webhook_deliveries', '/retry', 'confl', {}],
]

for (const [method, base, tail, deleted, sent] of calls) {
  const of_delivery = base !== path
  testGrid(florin, fixtures, {
    endpoint: `${method} ${base}/{id}${tail}`,
    requests: async (_inside, object) => {
      const kind = of_delivery ? 'webhook_delivery' : 'webhook_endpoint'
      const ids = await idsOf(object, of_delivery ? deliveryOf : endpointOf, kind)
      return ids.map((id) => ({
        method,
        path: `${base}/${id}${tail}`,
        headers: headerOf[object] === undefined ? {} : { 'florin-account': headerOf[object] },
        ...(sent && { body: sent }),
      }))
    },
    success_status: tail === '/test' ? 201 : 200,
    check: (response) => assert.match(response.body.id, /^w[ed]_/),
    grid: gridOf(deleted),
  })
}
