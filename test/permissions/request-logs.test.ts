// Every combination of caller and account at the request log.

import assert from 'node:assert/strict'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/request_logs',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: '/v1/request_logs',
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  },
  check: (response) => assert.deepEqual(keysOf(response), ['data', 'has_more', 'object']),
  grid: `
                    nothing own   other closed unknown badid
dead                dead
member              ok      ok    none  none   none    none
viewer              ok      ok    none  none   none    none
owner               ok      ok    none  none   none    none
owner2              ok      none  ok    none   none    none
lone                forb
platform            forb    ok    ok    ok     none    none
admin               forb    ok    ok    ok     none    none
key:*               ok      ok    none  none   none    none
key2:*              ok      none  ok    none   none    none
key:request_logs:read       ok      ok    none  none   none    none
key:events:read     scope
platform_key:*      forb    ok    ok    ok     none    none
platform_key:request_logs:read    forb    ok    ok    ok     none    none
platform_key:users:read     scope`,
})
