// Every combination of caller and object at the payout endpoints. The expected results are written
// by hand, independently of the code. owner and member share an account; owner2 has another one.
// Responses for foreign, unknown and malformed ids are identical.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { debtor, iban, PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
// Not a caller of the grids, so that each of them may approve.
const payouts = new PayoutFixtures(florin, await florin.people.admin())
const own = await fixtures.owner('owner')
const other = await fixtures.owner('owner2')
for (const shop of [own, other] as Shop[]) {
  await payouts.fund(shop, 1_000_000)
  await payouts.setDestination(shop)
}

const payoutKeys = [
  'account_id',
  'amount',
  'approved_by',
  'created_at',
  'created_by',
  'currency',
  'destination',
  'export_id',
  'id',
  'reason',
  'reference',
  'status',
  'updated_at',
]
const settingsKeys = [
  'account_id',
  'approval_limit',
  'destination',
  'next_needs_approval',
  'updated_at',
]
const exportKeys = ['amount', 'created_at', 'created_by', 'currency', 'id', 'payouts', 'refunds']

/** `ended`: canceled, which cannot be changed. */
async function idsOf(object: string, status: 'pending' | 'in_transit'): Promise<string[]> {
  const make = async (shop: typeof own) =>
    status === 'pending' ? payouts.created(shop, 1) : payouts.inTransit(shop, 1)
  switch (object) {
    case 'own':
    case 'elsewhere':
      // Approving one confirms the destination.
      await unconfirm()
      return [(await make(own)).id]
    case 'other':
      await unconfirm()
      return [(await make(other)).id]
    case 'ended': {
      await unconfirm()
      const { id } = await payouts.created(own, 1)
      assert.equal((await payouts.change(own, id, 'cancel')).status, 200)
      return [id]
    }
    case 'unknown':
      return [toTypeId('payout', newUuid(Date.now()))]
    default: {
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, 'po').replace(/^USR/, 'PO'))
    }
  }
}

async function unconfirm(): Promise<void> {
  await florin.db.pool.query('update payout_settings set is_confirmed = false')
}

// `elsewhere` is a payout of the own account, sent with the header of the other.
const about =
  (method: string, after = '', body?: unknown) =>
  async (_: Fixtures, object: string): Promise<Request[]> => {
    const ids = await idsOf(object, after === '/resolve' ? 'in_transit' : 'pending')
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': other.account_id } : {}
    return ids.map((id) => ({ method, path: `/v1/payouts/${id}${after}`, body, headers }))
  }

const inAccount =
  (method: string, path: string, body?: unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> =>
    (await inside.accountIds(object)).map((account_id) => ({
      method,
      path,
      body,
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    }))

const everyone = `
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
platform_key:* ok ok ok    none      none    none`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payouts/{payout_id}',
  requests: about('GET'),
  check: (response) => assert.deepEqual(keysOf(response), payoutKeys),
  grid: everyone,
})

const operators = `
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
platform_key:* scope`

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payouts/{payout_id}/approve',
  requests: about('POST', '/approve', {}),
  check: (response) => assert.equal(response.body.status, 'approved'),
  grid: operators,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payouts/{payout_id}/resolve',
  requests: about('POST', '/resolve', { status: 'failed' }),
  check: (response) => assert.equal(response.body.status, 'failed'),
  grid: operators,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payouts/{payout_id}/cancel',
  requests: about('POST', '/cancel', {}),
  check: (response) => assert.equal(response.body.status, 'canceled'),
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   scope
viewer   scope
owner    ok    none  confl nohead    none    none
owner2   none  ok    none  none      none    none
lone     scope
platform ok    ok    confl none      none    none
admin    ok    ok    confl none      none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payouts with Florin-Account',
  requests: inAccount('GET', '/v1/payouts'),
  check: async (response, context) => {
    assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
    const [account_id] = await context.fixtures.accountIds(context.object)
    const foreign = response.body.data.filter(
      (payout: { account_id: string }) => payout.account_id !== account_id,
    )
    if (account_id !== undefined) assert.deepEqual(foreign, [])
  },
  grid: `
         nothing own   other  suspended closed unknown badid
dead     dead
member   ok      ok    nohead nohead    nohead nohead  nohead
viewer   ok      ok    nohead nohead    nohead nohead  nohead
owner    ok      ok    nohead nohead    nohead nohead  nohead
owner2   ok      nohead ok    nohead    nohead nohead  nohead
lone     ok      nohead nohead nohead   nohead nohead  nohead
platform ok      ok    ok     ok        ok     none    none
admin    ok      ok    ok     ok        ok     none    none
key:*    ok      ok    nohead nohead    nohead nohead  nohead
key2:*   ok      nohead ok    nohead    nohead nohead  nohead
platform_key:* ok ok   ok     ok        ok     none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payouts with Florin-Account',
  requests: inAccount('POST', '/v1/payouts', { amount: 1 }),
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), payoutKeys),
  grid: `
         nothing own   other  suspended closed unknown badid
dead     dead
member   scope
viewer   scope
owner    ok      ok    nohead nohead    nohead nohead  nohead
owner2   ok      nohead ok    nohead    nohead nohead  nohead
lone     forb
platform forb    ok    ok     bad       none   none    none
admin    forb    ok    ok     bad       none   none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/payout_settings with Florin-Account',
  requests: inAccount('GET', '/v1/account/payout_settings'),
  check: (response) => assert.deepEqual(keysOf(response), settingsKeys),
  grid: `
         nothing own   other  suspended closed unknown badid
dead     dead
member   ok      ok    nohead nohead    nohead nohead  nohead
viewer   ok      ok    nohead nohead    nohead nohead  nohead
owner    ok      ok    nohead nohead    nohead nohead  nohead
owner2   ok      nohead ok    nohead    nohead nohead  nohead
lone     forb
platform forb    ok    ok     ok        ok     none    none
admin    forb    ok    ok     ok        ok     none    none
key:*    ok      ok    nohead nohead    nohead nohead  nohead
key2:*   ok      nohead ok    nohead    nohead nohead  nohead
platform_key:* forb ok ok     ok        ok     none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/account/payout_destination with Florin-Account',
  requests: inAccount('PATCH', '/v1/account/payout_destination', { name: 'Acme Ltd', iban }),
  check: (response) => assert.deepEqual(keysOf(response), settingsKeys),
  grid: `
         nothing own   other  suspended closed unknown badid
dead     dead
member   scope
viewer   scope
owner    ok      ok    nohead nohead    nohead nohead  nohead
owner2   ok      nohead ok    nohead    nohead nohead  nohead
lone     forb
platform scope
admin    forb    ok    ok     ok        none   none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/account/payout_limit with Florin-Account',
  requests: inAccount('PATCH', '/v1/account/payout_limit', { approval_limit: null }),
  check: (response) => assert.deepEqual(keysOf(response), settingsKeys),
  grid: `
         nothing own   other  suspended closed unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform scope
admin    forb    ok    ok     ok        none   none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

async function newExport(): Promise<string> {
  await unconfirm()
  await payouts.approved(own, 1)
  const exported = await payouts.export()
  assert.equal(exported.status, 201, exported.text)
  return exported.body.id
}

async function exportIds(object: string): Promise<string[]> {
  if (object === 'all') return [await newExport()]
  if (object === 'unknown') return [toTypeId('payout_export', newUuid(Date.now()))]
  const users = await fixtures.userIds('badid')
  return users.map((id) => id.replace(/^usr/, 'pex').replace(/^USR/, 'PEX'))
}

for (const after of ['', '/file']) {
  testGrid(florin, fixtures, {
    endpoint: `GET /v1/payout_exports/{export_id}${after}`,
    requests: async (_, object) =>
      (await exportIds(object)).map((id) => ({
        method: 'GET',
        path: `/v1/payout_exports/${id}${after}`,
      })),
    check: (response) =>
      after === ''
        ? assert.deepEqual(keysOf(response), exportKeys)
        : assert.match(response.text, /^<\?xml/),
    grid: `
         all   unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform ok    none    none
admin    ok    none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
  })
}

const only_operators = `
         all
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform ok
admin    ok
key:*    scope
key2:*   scope
platform_key:* scope`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/payout_exports',
  requests: async () => [{ method: 'GET', path: '/v1/payout_exports' }],
  check: (response) => assert.ok(Array.isArray(response.body.data)),
  grid: only_operators,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/payout_exports',
  requests: async () => {
    await unconfirm()
    await payouts.approved(own, 1)
    const body = { currency: 'USD', debtor }
    return [{ method: 'POST', path: '/v1/payout_exports', body }]
  },
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), exportKeys),
  grid: only_operators,
})
