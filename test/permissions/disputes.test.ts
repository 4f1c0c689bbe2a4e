// Every combination of caller and object at the dispute endpoints. The expected results are written
// by hand, independently of the code. owner and member share an account; owner2 has another one.
// Responses for foreign, unknown and malformed ids are identical.

import assert from 'node:assert/strict'
import type { Dispute } from '../../src/disputes/dispute.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { DisputeFixtures, disputeKeys } from '../disputes/dispute-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')
const own = await fixtures.owner('owner')
const other = await fixtures.owner('owner2')
const disputes = new DisputeFixtures(florin, admin)

/** A dispute, and its payment, which has a charge. */
async function idsOf(object: string, kind: 'dispute' | 'transaction'): Promise<string[]> {
  const pick = ({ id, transaction_id }: Dispute) => [kind === 'dispute' ? id : transaction_id]
  switch (object) {
    case 'own':
    case 'elsewhere':
      return pick(await disputes.dispute(own))
    case 'other':
      return pick(await disputes.dispute(other))
    case 'ended': {
      const dispute = await disputes.dispute(own)
      assert.equal((await disputes.resolve(admin, dispute.id, 'lost')).status, 200)
      return pick(dispute)
    }
    case 'unknown':
      return [toTypeId(kind, newUuid(Date.now()))]
    default: {
      const prefix = kind === 'dispute' ? 'dsp' : 'txn'
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, prefix).replace(/^USR/, prefix.toUpperCase()))
    }
  }
}

// `elsewhere` is a dispute of the own account, sent with the header of the other.
const about =
  (method: string, after = '', body?: unknown) =>
  async (_: Fixtures, object: string): Promise<Request[]> => {
    const ids = await idsOf(object, 'dispute')
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': other.account_id } : {}
    return ids.map((id) => ({ method, path: `/v1/disputes/${id}${after}`, body, headers }))
  }

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/disputes/{dispute_id}',
  requests: about('GET'),
  check: (response) => assert.deepEqual(keysOf(response), disputeKeys),
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
  endpoint: 'POST /v1/disputes/{dispute_id}/resolve',
  requests: about('POST', '/resolve', { status: 'won' }),
  check: (response) => {
    assert.deepEqual(keysOf(response), disputeKeys)
    assert.equal(response.body.status, 'won')
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
  endpoint: 'GET /v1/disputes with Florin-Account',
  requests: async (inside, object) =>
    (await inside.accountIds(object)).map((account_id) => ({
      method: 'GET',
      path: '/v1/disputes',
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    })),
  check: async (response, context) => {
    assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
    const [account_id] = await context.fixtures.accountIds(context.object)
    const foreign = response.body.data.filter(
      (dispute: { account_id: string }) => dispute.account_id !== account_id,
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
  endpoint: 'GET /v1/transactions/{transaction_id}/charge',
  requests: async (_, object) => {
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': other.account_id } : {}
    const ids = await idsOf(object, 'transaction')
    return ids.map((id) => ({ method: 'GET', path: `/v1/transactions/${id}/charge`, headers }))
  },
  check: ({ body }) => assert.deepEqual([body.provider, body.disputed], ['sandbox', true]),
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
