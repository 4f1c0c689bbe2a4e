// Every combination of caller and account at the event endpoints.

import assert from 'node:assert/strict'
import { newEventId } from '../../src/events/event-id.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const [own, other] = [await fixtures.owner('owner'), await fixtures.owner('owner2')]

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/events',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: '/v1/events',
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  },
  check: (response) => {
    assert.deepEqual(keysOf(response), ['data', 'has_more', 'object'])
    for (const event of response.body.data) {
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
viewer              ok      ok    none  none   none    none
owner               ok      ok    none  none   none    none
owner2              ok      none  ok    none   none    none
lone                forb
platform            forb    ok    ok    ok     none    none
admin               forb    ok    ok    ok     none    none
key:*               ok      ok    none  none   none    none
key2:*              ok      none  ok    none   none    none
key:events:read     ok      ok    none  none   none    none
key:balance:read    scope
platform_key:*      forb    ok    ok    ok     none    none
platform_key:events:read    forb    ok    ok    ok     none    none
platform_key:users:read     scope`,
})

/** Returns the newest event about the account itself, which every caller in this grid may read. */
async function newestEvent({ account_id }: { account_id: string }): Promise<string> {
  const headers = { 'florin-account': account_id }
  const { token } = await fixtures.person('admin')
  const { body } = await florin.call('GET', '/v1/events?limit=1&type=account.*', { token, headers })
  return body.data[0].id
}

// Events are stored for 90 days.
const expiredId = () => newEventId(new Date(Date.now() - 100 * 86_400_000), 1)

async function eventIds(object: string): Promise<string[]> {
  const id = await newestEvent(object === 'other' ? other : own)
  const all: Record<string, string[]> = {
    deleted: [toTypeId('event', expiredId())],
    unknown: [toTypeId('event', newUuid(Date.now()))],
    badid: ['x', id.toUpperCase(), id.replace('evt', 'acct'), id.slice(0, -1), `${id}0`],
  }
  return all[object] ?? [id]
}

// `bare` and `own` are the same event, without a header and with the account's own. `other` has the
// other account's header; `elsewhere` is the own event with the other account's header.
const headerOf: Record<string, string | undefined> = {
  bare: undefined,
  other: other.account_id,
  elsewhere: other.account_id,
}

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/events/{event_id}',
  requests: async (_, object) => {
    const account_id = object in headerOf ? headerOf[object] : own.account_id
    return (await eventIds(object)).map((id) => ({
      method: 'GET',
      path: `/v1/events/${id}`,
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    }))
  },
  check: (response) => assert.match(response.body.id, /^evt_/),
  grid: `
               bare own    other elsewhere deleted unknown badid
dead           dead
member         ok   ok     nohead nohead none    none    none
viewer         ok   ok     nohead nohead none    none    none
owner          ok   ok     nohead nohead none    none    none
owner2         none nohead ok     none   nohead  nohead  nohead
lone           forb
platform       forb ok     ok     none   none    none    none
admin          forb ok     ok     none   none    none    none
key:*          ok   ok     nohead nohead none    none    none
key2:*         none nohead ok     none   nohead  nohead  nohead
platform_key:* forb ok     ok     none   none    none    none
key:events:read none none   nohead nohead none   none    none
platform_key:events:read forb none none none none none   none`,
})

// A stream has no end, so permitted callers request a sequence beyond the last event and get an
// error. test/events covers the stream itself.
testGrid(florin, fixtures, {
  endpoint: 'GET /v1/events/stream',
  requests: async (inside, object) => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method: 'GET',
      path: '/v1/events/stream?after=999999',
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  },
  check: () => assert.fail('no cell of this grid expects success'),
  grid: `
                    nothing own    other  closed unknown badid
dead                dead
member              beyond  beyond none   none   none    none
viewer              beyond  beyond none   none   none    none
owner               beyond  beyond none   none   none    none
owner2              beyond  none   beyond none   none    none
lone                forb
platform            forb    beyond beyond beyond none    none
admin               forb    beyond beyond beyond none    none
key:*               beyond  beyond none   none   none    none
key2:*              beyond  none   beyond none   none    none
platform_key:*      forb    beyond beyond beyond none    none
key:payments:read   scope
platform_key:balance:read   scope`,
})
