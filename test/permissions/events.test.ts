// Every cell of caller × account at the endpoints of events.

import assert from 'node:assert/strict'
import { startFlorin } from '../support/florin.ts'
import { Cast } from './cast.ts'
import { pin } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const cast = new Cast(florin)

pin(florin, cast, {
  endpoint: 'GET /v1/events',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: '/v1/events',
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  },
  check: (answer) => {
    assert.deepEqual(keysOf(answer), ['data', 'has_more', 'object'])
    for (const event of answer.body.data) {
      assert.deepEqual(Object.keys(event), [
        'id',
        'type',
        'account_id',
        'sequence',
        'created_at',
        'data',
      ])
    }
  },
  grid: `
                    nothing own   other closed unknown badid
dead                dead
member              ok      ok    none  none   none    none
owner               ok      ok    none  none   none    none
owner2              ok      none  ok    none   none    none
lone                forb
platform            forb    ok    ok    ok     none    none
admin               forb    ok    ok    ok     none    none
key:*               ok      ok    none  none   none    none
key:events:read     ok      ok    none  none   none    none
key:balance:read    scope
platform_key:*      forb    ok    ok    ok     none    none
platform_key:events:read    forb    ok    ok    ok     none    none
platform_key:users:read     scope`,
})

// The refusals of the stream; what it says to those who may is told in test/events.
pin(florin, cast, {
  endpoint: 'GET /v1/events/stream',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: '/v1/events/stream',
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  },
  check: () => assert.fail('no cell of this grid says yes'),
  grid: `
                    other unknown badid
dead                dead
member              none  none    none
owner               none  none    none
lone                forb
key:*               none  none    none
key:payments:read   scope
platform_key:balance:read   scope`,
})
