// Every combination of caller and linked login. The rows are inserted directly: a real link needs a
// provider, which test/identity/oidc has.

import assert from 'node:assert/strict'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const everyone = ['member', 'viewer', 'owner', 'owner2', 'lone', 'platform', 'admin']

async function linkedLogin(inside: Fixtures, name: string): Promise<string> {
  const [id, { id: user_id, email }] = [newUuid(Date.now()), await inside.person(name)]
  await florin.db.pool.query(
    `insert into user_identities (issuer, subject, id, user_id, email)
     values ('https://login.example', $1::uuid::text, $1::uuid, $2, $3)`,
    [id, findUuid('user', user_id), email],
  )
  return toTypeId('identity', id)
}

async function unlinked(inside: Fixtures, name: string): Promise<string> {
  const [id, { token }] = [await linkedLogin(inside, name), await inside.person(name)]
  const response = await florin.call('DELETE', `/v1/user/identities/${id}`, { token })
  assert.equal(response.status, 200, response.text)
  return id
}

async function idsOf(inside: Fixtures, caller: string, object: string): Promise<string[]> {
  const own = everyone.includes(caller) ? caller : 'owner'
  if (object === 'own') return [await linkedLogin(inside, own)]
  if (object === 'other') return [await linkedLogin(inside, 'lone2')]
  if (object === 'deleted') return [await unlinked(inside, own)]
  if (object === 'unknown') return [toTypeId('identity', newUuid(Date.now()))]
  return ['x', 'idn_x', toTypeId('session', newUuid(Date.now())), '%00']
}

const requestsOf = (caller: string) => async (inside: Fixtures, object: string) =>
  (await idsOf(inside, caller, object)).map((id) => ({
    method: 'DELETE',
    path: `/v1/user/identities/${id}`,
  }))

// One grid per caller, because which login is foreign depends on the caller.
for (const caller of everyone) {
  testGrid(florin, fixtures, {
    endpoint: 'DELETE /v1/user/identities/{identity_id}',
    requests: requestsOf(caller),
    check: (response) => assert.deepEqual(keysOf(response), ['id', 'message']),
    grid: `
          own  other deleted unknown badid
${caller} ok   none  none    none    none`,
  })
}

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/user/identities/{identity_id}',
  requests: requestsOf('owner'),
  check: () => assert.fail('no cell of this grid expects success'),
  grid: `
               own   other deleted unknown badid
dead           dead
key:*          scope
key2:*         scope
platform_key:* scope`,
})

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/user/identities',
  requests: async () => [{ method: 'GET', path: '/v1/user/identities' }],
  check: async (response, { fixtures: inside, caller }) => {
    assert.deepEqual(keysOf(response), ['data', 'has_more', 'object'])
    const id = await linkedLogin(inside, caller)
    const { token, email } = await inside.person(caller)
    const { body } = await florin.call('GET', '/v1/user/identities', { token })
    assert.equal(body.data[0].id, id)
    for (const identity of body.data) {
      assert.deepEqual(Object.keys(identity), ['id', 'issuer', 'email', 'created_at'])
      assert.equal(identity.email, email)
    }
  },
  grid: `
               everyone
dead           dead
member         ok
viewer         ok
owner          ok
owner2         ok
lone           ok
platform       ok
admin          ok
key:*          scope
key2:*         scope
platform_key:* scope`,
})
