// Every combination of caller and factor at the endpoints of two-factor authentication.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { Authenticator } from '../support/authenticator.ts'
import { startFlorin } from '../support/florin.ts'
import { enrollTotp, test_secret_key, totpCode } from '../support/totp.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const public_url = 'http://localhost:4000'
const florin = await startFlorin({
  FLORIN_SECRET_KEY: test_secret_key,
  FLORIN_PUBLIC_URL: public_url,
})
const fixtures = new Fixtures(florin)
const everyone = ['member', 'viewer', 'owner', 'owner2', 'lone', 'platform', 'admin']

const own_grid = `
         own
dead     dead
${everyone.map((caller) => `${caller} ok`).join('\n')}
key:*    scope
key2:*   scope
platform_key:* scope`

testGrid(florin, fixtures, {
  endpoint: 'GET /v1/user/factors',
  requests: async () => [{ method: 'GET', path: '/v1/user/factors' }],
  check: (response) => {
    assert.deepEqual(keysOf(response), ['data', 'recovery_codes_left'])
    assert.deepEqual(response.body.data, [])
  },
  grid: own_grid,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/user/factors/totp',
  requests: async () => [{ method: 'POST', path: '/v1/user/factors/totp', body: {} }],
  success_status: 201,
  check: (response) => assert.deepEqual(keysOf(response), ['id', 'secret', 'uri']),
  grid: own_grid,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/user/factors/passkeys/options',
  requests: async () => [{ method: 'POST', path: '/v1/user/factors/passkeys/options', body: {} }],
  check: (response) => assert.equal(response.body.public_key.rp.id, 'localhost'),
  grid: own_grid,
})

// One grid per caller, because the request depends on what the caller has.
for (const caller of everyone) {
  testGrid(florin, fixtures, {
    endpoint: 'POST /v1/user/factors/totp/confirm',
    requests: async (inside) => {
      const { token } = await inside.person(caller)
      const started = await florin.call('POST', '/v1/user/factors/totp', { token, body: {} })
      const code = totpCode(started.body.secret)
      return [{ method: 'POST', path: '/v1/user/factors/totp/confirm', body: { code } }]
    },
    check: (response) => assert.deepEqual(keysOf(response), ['factor', 'recovery_codes']),
    destroys: () => [caller],
    grid: `
      own
${caller} ok`,
  })

  testGrid(florin, fixtures, {
    endpoint: 'POST /v1/user/factors/passkeys',
    requests: async (inside) => {
      const { token } = await inside.person(caller)
      const path = '/v1/user/factors/passkeys'
      const { body } = await florin.call('POST', `${path}/options`, { token, body: {} })
      const credential = new Authenticator(public_url).create(body.public_key)
      return [{ method: 'POST', path, body: { credential } }]
    },
    success_status: 201,
    check: (response) => assert.deepEqual(keysOf(response), ['factor', 'recovery_codes']),
    destroys: () => [caller],
    grid: `
      own
${caller} ok`,
  })

  testGrid(florin, fixtures, {
    endpoint: 'POST /v1/user/recovery_codes',
    requests: async (inside) => {
      await enrollTotp(florin.call, await inside.person(caller))
      return [{ method: 'POST', path: '/v1/user/recovery_codes', body: {} }]
    },
    success_status: 201,
    check: (response) => assert.deepEqual(keysOf(response), ['recovery_codes']),
    destroys: () => [caller],
    grid: `
      own
${caller} ok`,
  })

  testGrid(florin, fixtures, {
    endpoint: 'DELETE /v1/user/factors/{factor_id}',
    requests: async (inside, object) =>
      (await factorIds(inside, caller, object)).map((id) => ({
        method: 'DELETE',
        path: `/v1/user/factors/${id}`,
      })),
    check: (response) => assert.deepEqual(keysOf(response), ['id', 'message']),
    destroys: () => [caller],
    grid: `
      own others unknown badid
${caller} ok none none none`,
  })
}

const denied = `
     own
dead dead
key:* scope
key2:* scope
platform_key:* scope`

const without_success: [method: string, path: string, body?: unknown][] = [
  ['POST', '/v1/user/factors/totp/confirm', { code: '123456' }],
  ['POST', '/v1/user/factors/passkeys', { credential: {} }],
  ['POST', '/v1/user/recovery_codes', {}],
]

for (const [method, path, body] of without_success) {
  testGrid(florin, fixtures, {
    endpoint: `${method} ${path}`,
    requests: async () => [{ method, path, body }],
    check: () => assert.fail('no cell of this grid expects success'),
    grid: denied,
  })
}

testGrid(florin, fixtures, {
  endpoint: 'DELETE /v1/user/factors/{factor_id}',
  requests: async (inside, object) =>
    (await factorIds(inside, 'owner', object)).map((id) => ({
      method: 'DELETE',
      path: `/v1/user/factors/${id}`,
    })),
  check: () => assert.fail('no cell of this grid expects success'),
  grid: `
     own others unknown badid
dead dead
key:* scope
key2:* scope
platform_key:* scope`,
})

// Login needs no token, and ignores one. An API key is rejected.
const login_grid = (outcome: string) => `
         any
no_token ${outcome}
bad_token ${outcome}
owner    ${outcome}
key:*    dead
key2:*   dead
platform_key:* dead`

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/auth/passkeys/options',
  requests: async () => [{ method: 'POST', path: '/v1/auth/passkeys/options', body: {} }],
  check: (response) => assert.equal(response.body.public_key.rpId, 'localhost'),
  grid: login_grid('ok'),
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/auth/passkeys/verify',
  requests: async () => {
    const path = '/v1/auth/passkeys'
    const { body } = await florin.call('POST', `${path}/options`, { body: {} })
    const credential = new Authenticator(public_url).get(body.public_key)
    return [{ method: 'POST', path: `${path}/verify`, body: { credential } }]
  },
  check: () => assert.fail('no cell of this grid expects success'),
  grid: login_grid('nocred'),
})

async function factorIds(inside: Fixtures, caller: string, object: string): Promise<string[]> {
  switch (object) {
    case 'own':
      return [(await enrollTotp(florin.call, await inside.person(caller))).factor_id]
    case 'others':
      return [(await enrollTotp(florin.call, await florin.people.lone())).factor_id]
    case 'unknown':
      return [toTypeId('factor', newUuid(Date.now()))]
    default:
      return ['x', 'fac_', toTypeId('user', newUuid(Date.now()))]
  }
}
