// Every combination of caller and session at the session endpoints. Login and refresh require no
// access token; test/identity/sessions covers their responses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures, invalidCallers } from './fixtures.ts'
import { testGrid, withoutRequestId } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const everyone = ['member', 'viewer', 'owner', 'owner2', 'lone', 'platform', 'admin']

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/auth/sessions',
  requests: async () => [{ method: 'GET', path: '/v1/auth/sessions' }],
  check: async (response, { fixtures, caller }) => {
    assert.deepEqual(keysOf(response), ['data', 'has_more', 'object'])
    const ids = response.body.data.map((session: { id: string }) => session.id)
    assert.ok(ids.includes((await fixtures.person(caller)).session_id))
    for (const session of response.body.data) {
      assert.deepEqual(Object.keys(session).sort(), [
        'address',
        'created_at',
        'current',
        'expires_at',
        'id',
        'refreshed_at',
        'user_agent',
      ])
    }
  },
  grid: `
         everyone
dead     dead
member   ok
viewer   ok
owner    ok
owner2   ok
lone     ok
platform ok
admin    ok
key:*    scope
key2:*   scope
platform_key:* scope`,
})

for (const [method, body] of [
  ['GET', undefined],
  ['PATCH', { dispute: false }],
] as const) {
  testGrid(florin, fixtures, {
    endpoint: `${method} /v1/user/notifications`,
    requests: async () => [{ method, path: '/v1/user/notifications', body }],
    check: (response) => assert.equal(Object.keys(response.body).length, 5),
    grid: `
         everyone
dead     dead
member   ok
viewer   ok
owner    ok
owner2   ok
lone     ok
platform ok
admin    ok
key:*    scope
key2:*   scope
platform_key:* scope`,
  })
}

// One grid per caller, because which sessions are foreign depends on the caller.
for (const caller of everyone) {
  testGrid(florin, fixtures, {
    endpoint: 'DELETE /v1/auth/session',
    requests: async (inside, object) =>
      (await sessionIds(inside, caller, object)).map((session_id) => ({
        method: 'DELETE',
        path: '/v1/auth/session',
        body: session_id === undefined ? undefined : { session_id },
      })),
    check: async (response, { fixtures, object }) => {
      assert.deepEqual(keysOf(response), ['message', 'session_id'])
      if (object !== 'current') return
      assert.equal(response.body.session_id, (await fixtures.person(caller)).session_id)
    },
    destroys: () => [caller],
    grid: `
            current own_current another ended  others fellows unknown badid
${caller}   ok      ok          ok      nosess nosess nosess  nosess  nosess`,
  })
}

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/auth/session',
  requests: async (inside, object) =>
    (await sessionIds(inside, 'owner', object)).map((session_id) => ({
      method: 'DELETE',
      path: '/v1/auth/session',
      body: session_id === undefined ? undefined : { session_id },
    })),
  check: () => assert.fail('no cell of this grid expects success'),
  grid: `
     current own_current another ended others fellows unknown badid
dead dead
key:* scope
key2:* scope
platform_key:* scope`,
})

async function sessionIds(inside: Fixtures, caller: string, object: string) {
  const person = await inside.person(caller)
  switch (object) {
    case 'current':
      return [undefined]
    case 'own_current':
      return [person.session_id]
    case 'another':
      return [(await florin.people.session(person)).session_id]
    case 'ended':
      return [await endedSession(person)]
    case 'others':
      return [(await inside.person('lone2')).session_id]
    case 'fellows':
      return [(await inside.person(caller === 'member' ? 'viewer' : 'member')).session_id]
    case 'unknown':
      return [toTypeId('session', newUuid(Date.now()))]
    default:
      return ['', 'x', person.id, person.session_id.toUpperCase(), `${person.session_id} `]
  }
}

async function endedSession(person: { email: string; password: string }): Promise<string> {
  const { token, session_id } = await florin.people.session(person)
  const ended = await florin.call('DELETE', '/v1/auth/session', { token })
  assert.equal(ended.status, 200)
  return session_id
}

// An API key is different: with one, login is rejected (key-scopes.test.ts).
test('login ignores an invalid access token', async () => {
  const { email, password } = await fixtures.person('lone')
  const others = Object.keys(invalidCallers).filter((caller) => !caller.endsWith('_key'))
  for (const caller of ['owner', ...others]) {
    const authorization = await fixtures.authorization(caller)
    const headers: Record<string, string> = authorization ? { authorization } : {}
    const correct = { body: { email, password }, headers }
    assert.equal((await florin.call('POST', '/v1/auth/login', correct)).status, 200, caller)
  }
})

test('refresh rejects everything but a refresh token with one response', async () => {
  const distinct = new Set<string>()
  for (const caller of [...everyone, 'bad_token', 'malformed_token', 'expired_token']) {
    const authorization = await fixtures.authorization(caller)
    const response = await florin.call('POST', '/v1/auth/refresh', {
      headers: { authorization: authorization! },
    })
    assert.equal(response.status, 401, caller)
    assert.equal(response.body.error, 'invalid_grant', caller)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    distinct.add(withoutRequestId(response))
  }
  assert.equal(distinct.size, 1)
})
