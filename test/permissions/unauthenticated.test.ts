// Every combination of caller and input at endpoints without an access token: login, refresh and
// metrics. A session token sent there has no effect, but an API key is rejected. The expected
// outcomes are written by hand, independently of the code.

import assert from 'node:assert/strict'
import { newSecret, sha256 } from '../../src/primitives/secrets.ts'
import { startFlorin } from '../support/florin.ts'
import { throttleTables } from '../support/hash-database.ts'
import { credentials, type Person } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { Fixtures, invalidCallers } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const admin = await fixtures.person('admin')
const without_keys = Object.keys(invalidCallers).filter((caller) => !caller.endsWith('_key'))
const people = [...without_keys, 'member', 'viewer', 'owner', 'owner2', 'lone', 'platform', 'admin']
const keys = ['unknown_key', 'revoked_key', 'key:*', 'key2:*', 'platform_key:*']

const rows = (callers: string[], outcomes: string) =>
  callers.map((caller) => `${caller} ${outcomes}`).join('\n')

async function expectOk(method: string, path: string, token: string, body?: unknown) {
  const response = await florin.call(method, path, { token, body })
  assert.equal(response.status, 200, response.text)
}

const lone = await florin.people.lone()
const suspended = await florin.people.lone()
await expectOk('PATCH', `/v1/users/${suspended.id}`, admin.token, { status: 'suspended' })
const deleted = await florin.people.lone()
await expectOk('DELETE', `/v1/users/${deleted.id}`, deleted.token)

// Each attempt hashes a password, and ten failures would be throttled, so a few callers suffice.
const some = ['no_token', 'bad_token', 'owner']
const logins: Record<string, () => Promise<{ email: string; password: string }>> = {
  right: async () => lone,
  wrong: async () => ({ email: (await florin.people.lone()).email, password: newPassword() }),
  stranger: async () => credentials('stranger'),
  deleted: async () => deleted,
  suspended: async () => suspended,
}

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/auth/login',
  requests: async (_, object) => {
    const { email, password } = await logins[object]!()
    return [{ method: 'POST', path: '/v1/auth/login', body: { email, password } }]
  },
  except: throttleTables,
  check: (response) => assert.match(response.body.access_token, /^fat_/),
  grid: `
right wrong stranger deleted suspended
${rows(some, 'ok nocred nocred nocred dead')}
${rows(keys, 'dead')}`,
})

const known = await florin.people.lone()
const reset_emails: Record<string, string> = {
  known: known.email,
  stranger: credentials('stranger').email,
  suspended: suspended.email,
  malformed: 'ann',
}

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/auth/password_reset',
  requests: async (_, object) => {
    const body = { email: reset_emails[object]! }
    return [{ method: 'POST', path: '/v1/auth/password_reset', body }]
  },
  success_status: 202,
  check: (response) => assert.deepEqual(keysOf(response), ['message']),
  grid: `
known stranger suspended malformed
${rows([...people, ...keys], 'ok ok ok bad')}`,
})

async function session(): Promise<Person> {
  return florin.people.session(lone)
}

async function endedToken(): Promise<string> {
  const { token, refresh_token } = await session()
  await expectOk('DELETE', '/v1/auth/session', token)
  return refresh_token
}

async function expiredToken(): Promise<string> {
  const { refresh_token } = await session()
  const text = "update tokens set expires_at = now() - interval '1 ms' where token_hash = $1"
  await florin.db.pool.query(text, [sha256(refresh_token)])
  return refresh_token
}

const tokens: Record<string, () => Promise<string[]>> = {
  live: async () => [(await session()).refresh_token],
  ended: async () => [await endedToken()],
  expired: async () => [await expiredToken()],
  access: async () => [(await session()).token],
  unknown: async () => [newSecret('frt_')],
  badid: async () => ['x', 'frt_', `${(await session()).refresh_token}x`],
}

// A token in the header that differs from the one in the body is an invalid request.
testGrid(florin, fixtures, {
  endpoint: 'POST /v1/auth/refresh',
  requests: async (_, object) =>
    (await tokens[object]!()).map((refresh_token) => ({
      method: 'POST',
      path: '/v1/auth/refresh',
      body: { refresh_token },
    })),
  check: (response) => assert.equal(keysOf(response).includes('refresh_token'), true),
  grid: `
live ended expired access unknown badid
no_token ok grant grant grant grant grant
${rows(
  people.filter((caller) => !['no_token', ...malformed()].includes(caller)),
  'bad',
)}
${rows(malformed(), 'dead')}
${rows(keys, 'dead')}`,
})

/** Authorization headers that are not bearer tokens are rejected before the body is read. */
function malformed(): string[] {
  return ['empty_token', 'another_scheme', 'two_tokens']
}

testGrid(florin, fixtures, {
  endpoint: 'GET /metrics',
  requests: async (_, object) => [
    {
      method: 'GET',
      path: '/metrics',
      headers: object === 'from_here' ? {} : { 'x-forwarded-for': '203.0.113.9' },
    },
  ],
  check: (response) => assert.match(response.text, /^# HELP/m),
  grid: `
         from_here from_elsewhere
dead     ok        dead
member   ok        scope
viewer   ok        scope
owner    ok        scope
owner2   ok        scope
lone     ok        scope
platform ok        scope
admin    ok        ok
key:*    ok        scope
key2:*   ok        scope
platform_key:* ok  scope`,
})
