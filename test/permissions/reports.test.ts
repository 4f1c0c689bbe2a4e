// Every combination of caller and account at an account's reports, and every caller at endpoints
// for admins only. Reports require the same permission as the balance.

import assert from 'node:assert/strict'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

const reading =
  (path: string) =>
  async (inside: Fixtures, object: string): Promise<Request[]> =>
    (await inside.accountIds(object)).map((account_id) => ({
      method: 'GET',
      path,
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    }))

const grid = `
         nothing own   other suspended closed unknown badid
dead     dead
member   ok      ok    none  none      none   none    none
viewer   ok      ok    none  none      none   none    none
owner    ok      ok    none  none      none   none    none
member2  ok      none  ok    none      none   none    none
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform forb    ok    ok    ok        ok     none    none
admin    forb    ok    ok    ok        ok     none    none
key:*    ok      ok    none  none      none   none    none
key2:*   ok      none  ok    none      none   none    none
platform_key:* forb ok ok    ok        ok     none    none`

const volumeKeys = [
  'account_id',
  'buckets',
  'currency',
  'from',
  'interval',
  'previous',
  'timezone',
  'to',
  'totals',
]

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/volume with Florin-Account',
  requests: reading('/v1/account/volume'),
  check: (response) => assert.deepEqual(keysOf(response), volumeKeys),
  grid,
})

const attentionKeys = [
  'account_id',
  'at',
  'disputes',
  'failed',
  'late_payments',
  'payments_expiring',
  'payments_failed',
  'pending_long',
  'webhooks_disabled',
  'webhooks_failing',
]

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/attention with Florin-Account',
  requests: reading('/v1/account/attention'),
  check: (response, { caller }) => {
    assert.deepEqual(keysOf(response), attentionKeys)
    // Webhook endpoints are visible to owners and admins only.
    const may_read = /^(owner|admin)/.test(caller)
    for (const health of ['failing', 'disabled']) {
      const list = `/v1/webhook_endpoints?health=${health}`
      const expected = may_read ? { count: 0, ids: [], list } : null
      assert.deepEqual(response.body[`webhooks_${health}`], expected, caller)
    }
  },
  grid,
})

const adminsOnly = `
         response
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform scope
admin    ok
key:*    scope
key2:*   scope
platform_key:* scope`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/health',
  requests: async () => [{ method: 'GET', path: '/v1/health' }],
  check: (response) => assert.deepEqual(keysOf(response), ['database', 'server', 'worker']),
  grid: adminsOnly,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/processor',
  requests: async () => [{ method: 'GET', path: '/v1/processor' }],
  check: (response) => assert.equal(response.body.object, 'processor'),
  grid: adminsOnly.replace('platform scope', 'platform ok'),
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/overview',
  requests: async () => [{ method: 'GET', path: '/v1/overview' }],
  check: (response) => assert.equal(response.body.days.length, 30),
  grid: adminsOnly.replace('platform scope', 'platform ok'),
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/audit_log',
  requests: async () => [{ method: 'GET', path: '/v1/audit_log' }],
  check: (response) => assert.equal(response.body.object, 'list'),
  grid: adminsOnly,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/audit_log with Florin-Account',
  requests: reading('/v1/audit_log'),
  check: async (response, { fixtures: inside, object }) => {
    const [id] = await inside.accountIds(object)
    if (id === undefined) return
    for (const entry of response.body.data) assert.equal(entry.account_id, id)
  },
  grid: `
         nothing own   other suspended closed unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform scope
admin    ok      ok    ok    ok        ok     none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})
