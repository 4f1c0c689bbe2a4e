// Every combination of caller and object at the transfer endpoints. The expected results are
// written by hand, independently of the code. owner and member share an account; owner2 has another
// one. A transfer is visible to its source and, once credited, to its target.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { TransferFixtures } from '../transfers/transfer-fixtures.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const transfers = new TransferFixtures(florin, await fixtures.person('admin'))
const shopOf = async (name: string) => {
  const owner = await fixtures.owner(name)
  return { ...owner, uuid: '' }
}
const own = await shopOf('owner')
const other = await shopOf('owner2')
for (const shop of [own, other]) await transfers.fund(shop, 100_000)

async function idsOf(object: string): Promise<string[]> {
  switch (object) {
    case 'sent':
    case 'elsewhere':
      return [(await transfers.transfer(own, await florin.people.owner(), 1)).id]
    case 'other': {
      const { id } = await transfers.transfer(other, await florin.people.owner(), 1)
      return [id]
    }
    case 'unknown':
      return [toTypeId('transfer', newUuid(Date.now()))]
    default: {
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, 'tr').replace(/^USR/, 'TR'))
    }
  }
}

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transfers/{transfer_id}',
  // `elsewhere` is a transfer of the own account, sent with the header of the other.
  requests: async (_, object): Promise<Request[]> => {
    const headers: Record<string, string> =
      object === 'elsewhere' ? { 'florin-account': other.account_id } : {}
    const ids = await idsOf(object)
    return ids.map((id) => ({ method: 'GET', path: `/v1/transfers/${id}`, headers }))
  },
  check: (response) => assert.equal(response.body.direction, 'outgoing'),
  grid: `
         sent  other elsewhere unknown badid
dead     dead
member   ok    none  nohead    none    none
viewer   ok    none  nohead    none    none
owner    ok    none  nohead    none    none
owner2   none  ok    none      none    none
lone     none  none  nohead    none    none
platform ok    ok    none      none    none
admin    ok    ok    none      none    none
key:*    ok    none  nohead    none    none
key2:*   none  ok    none      none    none
platform_key:* ok ok none      none    none`,
})

const ofAccount =
  (method: string, path: string, body?: () => Promise<unknown>) =>
  async (inside: Fixtures, object: string): Promise<Request[]> => {
    const sent = await body?.()
    return (await inside.accountIds(object)).map((account_id) => ({
      method,
      path,
      body: sent,
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    }))
  }

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/transfers with Florin-Account',
  requests: ofAccount('GET', '/v1/transfers'),
  check: (response) => assert.deepEqual(Object.keys(response.body), ['object', 'data', 'has_more']),
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
  endpoint: 'POST /v1/transfers with Florin-Account',
  requests: ofAccount('POST', '/v1/transfers', () => transfers.newTransfer(own)),
  success_status: 201,
  check: (response) => assert.equal(response.body.status, 'in_transit'),
  grid: `
         nothing own   other  closed unknown badid
dead     dead
member   scope
viewer   scope
owner    ok      ok    nohead nohead nohead  nohead
owner2   ok      nohead ok    nohead nohead  nohead
lone     forb
platform forb    ok    ok     none   none    none
admin    forb    ok    ok     none   none    none
key:*    scope
key2:*   scope
platform_key:* forb   ok ok   none   none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/transfer_fee with Florin-Account',
  requests: ofAccount('GET', '/v1/account/transfer_fee'),
  check: (response) => assert.equal(response.body.fixed_amount, 0),
  grid: `
         nothing own   other  closed unknown badid
dead     dead
member   ok      ok    nohead nohead nohead  nohead
viewer   ok      ok    nohead nohead nohead  nohead
owner    ok      ok    nohead nohead nohead  nohead
owner2   ok      nohead ok    nohead nohead  nohead
lone     forb
platform forb    ok    ok     ok     none    none
admin    forb    ok    ok     ok     none    none
key:*    ok      ok    nohead nohead nohead  nohead
key2:*   ok      nohead ok    nohead nohead  nohead
platform_key:* forb ok ok     ok     none    none`,
})

const change_grid = `
         nothing own   other  closed unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform forb    ok    ok     none   none    none
admin    forb    ok    ok     none   none    none
key:*    scope
key2:*   scope
platform_key:* forb ok ok     none   none    none`

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/account/transfer_fee with Florin-Account',
  requests: ofAccount('POST', '/v1/account/transfer_fee', () => transfers.newFee()),
  check: (response) => assert.equal(response.body.basis_points, 100),
  grid: change_grid,
})

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/account/transfer_fee with Florin-Account',
  requests: ofAccount('DELETE', '/v1/account/transfer_fee'),
  check: (response) => assert.equal(response.body.basis_points, 0),
  grid: change_grid,
})
