// Every combination of caller and account, and of caller and key, at the API key endpoints.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const own = await fixtures.owner('owner')
const other = await fixtures.owner('owner2')
const fields = ['created_at', 'id', 'last4', 'last_used_at', 'name', 'revoked_at', 'scopes']

const forAccount =
  (method: string, body?: unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> => {
    const ids = await inside.accountIds(object)
    return ids.map((id) => ({
      method,
      path: '/v1/api_keys',
      body,
      headers: id === undefined ? {} : { 'florin-account': id },
    }))
  }

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/api_keys',
  requests: forAccount('POST', { name: 'A key', scopes: ['*'] }),
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), [...fields, 'key'].sort()),
  grid: `
               nothing own   other suspended closed unknown badid
dead           dead
member         scope
viewer         scope
owner          ok      ok    none  none      none   none    none
owner2         ok      none  ok    none      none   none    none
lone           forb
platform       scope
admin          forb    ok    ok    bad       none   none    none
key:*          scope
key2:*         scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/api_keys',
  requests: forAccount('GET'),
  check: (response) => {
    assert.deepEqual(keysOf(response), ['data', 'has_more', 'object'])
    for (const key of response.body.data) assert.deepEqual(Object.keys(key).sort(), fields)
  },
  grid: `
               nothing own   other closed unknown badid
dead           dead
member         scope
viewer         scope
owner          ok      ok    none  none   none    none
owner2         ok      none  ok    none   none    none
lone           forb
platform       scope
admin          forb    ok    ok    ok     none    none
key:*          scope
key2:*         scope
platform_key:* scope`,
})

async function keyIds(object: string): Promise<string[]> {
  switch (object) {
    case 'own':
    case 'named':
    case 'elsewhere':
      return [(await makeKey(florin, own, ['*'])).id]
    case 'revoked':
      return [await revokedId()]
    case 'other':
      return [(await makeKey(florin, other, ['*'])).id]
    case 'platforms':
      return [
        (await makeKey(florin, await fixtures.person('admin'), ['*'], { role: 'platform' })).id,
      ]
    case 'unknown':
      return [toTypeId('api_key', newUuid(Date.now()))]
    default: {
      const users = await fixtures.userIds('badid')
      return users.map((id) => id.replace(/^usr/, 'key').replace(/^USR/, 'KEY'))
    }
  }
}

async function revokedId(): Promise<string> {
  const { id } = await makeKey(florin, own, ['*'])
  const response = await florin.call('DELETE', `/v1/api_keys/${id}`, { token: own.token })
  assert.equal(response.status, 200, response.text)
  return id
}

const headerOf: Record<string, string> = { named: own.account_id, elsewhere: other.account_id }

// `named` is a key of the own account with that account's header, `elsewhere` with another's.
testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/api_keys/{key_id}',
  requests: async (_, object) =>
    (await keyIds(object)).map((id) => ({
      method: 'DELETE',
      path: `/v1/api_keys/${id}`,
      headers: headerOf[object] === undefined ? {} : { 'florin-account': headerOf[object] },
    })),
  check: (response) => {
    assert.deepEqual(keysOf(response), fields)
    assert.notEqual(response.body.revoked_at, null)
  },
  grid: `
               own   named other elsewhere revoked platforms unknown badid
dead           dead
member         scope
viewer         scope
owner          ok    ok    none  nohead    ok      none      none    none
owner2         none  nohead ok   none      none    none      none    none
lone           forb
platform       scope
admin          forb  ok    forb  none      forb    ok        forb    forb
key:*          scope
key2:*         scope
platform_key:* scope`,
})
