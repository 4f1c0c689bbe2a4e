// Every combination of caller and account at the endpoints that read an account's balance. The
// expected outcomes are written by hand, independently of the code.

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

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/balance with Florin-Account',
  requests: reading('/v1/account/balance'),
  check: async (response, context) => {
    const keys = ['account_id', 'available', 'currency', 'held', 'incoming', 'owed', 'updated_at']
    assert.deepEqual(keysOf(response), keys)
    const own = /2(:\*)?$/.test(context.caller) ? 'other' : 'own'
    const [id] = await context.fixtures.accountIds(
      context.object === 'nothing' ? own : context.object,
    )
    assert.equal(response.body.account_id, id)
  },
  grid,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/statement with Florin-Account',
  requests: reading('/v1/account/statement'),
  check: (response) => {
    assert.deepEqual(response.body, { object: 'list', data: [], has_more: false })
  },
  grid,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/account/journal with Florin-Account',
  requests: reading('/v1/account/journal?format=csv'),
  check: (response) => {
    assert.match(response.text, /^sequence,date,/)
  },
  grid,
})

for (const noun of ['transactions', 'payments', 'subscriptions', 'events']) {
  testGrid(florin, fixtures, {
    endpoint: `GET /v1/list_counts/${noun} with Florin-Account`,
    requests: reading(`/v1/list_counts/${noun}`),
    check: (response) => {
      assert.deepEqual(keysOf(response), ['count', 'is_exact'])
    },
    grid,
  })
}
