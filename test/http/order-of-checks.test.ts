// A request with several faults gets the error of the first failed check: HTTP layer, route,
// rate limit, authentication, permission, path id, body and query, existence, state.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const closed = await florin.startSecondServer({ FLORIN_SIGNUP: 'closed' })
const limited = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '1' })
const admin = await florin.people.admin()
const platform = await florin.people.platform()
const owner = await florin.people.owner()
const member = await florin.people.member(owner)
const lone = await florin.people.lone()

const unknownUser = '/v1/users/usr_01h455vb4pex5vsknk084sn02q'
const unknownAccount = '/v1/accounts/acct_01h455vb4pex5vsknk084sn02q'

// Faults of all later checks, which an earlier check must hide.
const dead = `fat_${'a'.repeat(43)}`
const notJson = '{"name":'
const text = { 'content-type': 'text/plain' }
const large = 'x'.repeat(200_000)

type Case = [why: string, status: number, method: string, path: string, options: CallOptions]

const cases: Case[] = [
  ['414 before 404', 414, 'GET', `/nowhere?${'a'.repeat(9_000)}`, { token: dead }],
  ['414 before 401', 414, 'GET', `/v1/users?${'a'.repeat(9_000)}`, { token: dead }],
  ['404 before 413', 404, 'POST', '/nowhere', { token: dead, body: large }],
  ['404 before 415', 404, 'POST', '/nowhere', { token: dead, body: notJson, headers: text }],
  ['405 before 415', 405, 'PUT', '/v1/users', { token: dead, body: notJson, headers: text }],
  ['413 before 415', 413, 'PATCH', '/v1/account', { body: large, headers: text }],
  ['413 before 401', 413, 'PATCH', '/v1/account', { token: dead, body: large }],
  ['415 before 401', 415, 'PATCH', '/v1/account', { token: dead, body: notJson, headers: text }],
  ['415 before 403', 415, 'DELETE', '/v1/account', { ...by(member), body: '{}', headers: text }],

  ['401 before 400, body', 401, 'PATCH', '/v1/account', { token: dead, body: notJson }],
  ['401 before 400, query', 401, 'GET', '/v1/users?limit=0', { token: dead }],
  ['401 before 404', 401, 'GET', unknownUser, { token: dead }],
  ['401 before 404, malformed id', 401, 'PATCH', '/v1/users/%ff', { token: dead, body: notJson }],
  ['a bad token before sign-up', 401, 'POST', '/v1/users', { token: dead, body: notJson }],

  ['403 before 400, query', 403, 'GET', '/v1/users?limit=0', by(owner)],
  ['403 before 400, query', 403, 'GET', '/v1/accounts?created_after=now', by(lone)],
  ['403 before 400, body', 403, 'DELETE', '/v1/account', { ...by(member), body: notJson }],
  ['no header before 400', 403, 'DELETE', '/v1/account', { ...by(admin), body: notJson }],
  ['401 for a role before 400', 401, 'PATCH', '/v1/account', { ...by(member), body: notJson }],
  ['401 for a role before 400', 401, 'POST', '/v1/accounts', { ...by(owner), body: notJson }],
  ['401 for a role before 404', 401, 'PATCH', unknownUser, { ...by(platform), body: notJson }],
  ['401 for a role before 404', 401, 'GET', unknownAccount, by(owner)],
  ['403 for a role before 404', 403, 'DELETE', unknownUser, by(platform)],

  ['a malformed id before 400', 404, 'PATCH', '/v1/users/x', { ...by(admin), body: notJson }],
  ['a malformed id before 400', 404, 'PATCH', '/v1/accounts/x', { ...by(admin), body: notJson }],
  ['a malformed id before 400', 404, 'DELETE', '/v1/users/x', { ...by(admin), body: notJson }],

  ['400 before 404', 400, 'PATCH', unknownUser, { ...by(admin), body: notJson }],
  ['400 before 404', 400, 'PATCH', unknownUser, { ...by(admin), body: { nmae: 'A' } }],
  ['400 before 404', 400, 'PATCH', unknownUser, { ...by(admin), body: { password: 'short' } }],
  ['400 before 404', 400, 'PATCH', unknownAccount, { ...by(admin), body: { status: 'closed' } }],
  ['400 before 404', 400, 'DELETE', unknownUser, { ...by(admin), body: { force: true } }],
  ['400 before 404', 400, 'DELETE', '/v1/auth/session', { ...by(owner), body: { id: 'x' } }],

  ['404 last', 404, 'PATCH', unknownUser, { ...by(admin), body: { name: 'A' } }],
  ['404 last', 404, 'PATCH', unknownAccount, { ...by(admin), body: { status: 'active' } }],
]

function by(who: { token: string }): CallOptions {
  return { token: who.token }
}

for (const [why, status, method, path, options] of cases) {
  test(`${why}: ${method} ${path.slice(0, 40)}`, async () => {
    const response = await florin.call(method, path, options)
    assert.equal(response.status, status, response.text)
  })
}

test('WWW-Authenticate distinguishes missing permission from an invalid token', async () => {
  const lacking = await florin.call('PATCH', '/v1/account', { ...by(member), body: notJson })
  assert.equal(lacking.headers.get('www-authenticate'), 'Bearer error="insufficient_scope"')
  const unknown = await florin.call('PATCH', '/v1/account', { token: dead, body: notJson })
  assert.equal(unknown.headers.get('www-authenticate'), 'Bearer')
})

test('checks closed sign-up before the body, and taken emails after it', async () => {
  for (const path of ['/v1/users', '/v1/accounts']) {
    const response = await closed.call('POST', path, { body: notJson })
    assert.equal(response.status, 401, path)
  }
  const taken = { email: owner.email, password: credentials('taken').password }
  const faulty = await florin.call('POST', '/v1/users', { body: { ...taken, nmae: 'A' } })
  assert.equal(faulty.status, 400)
  const exists = await florin.call('POST', '/v1/users', { body: taken })
  assert.equal(exists.status, 409)
})

test('checks the rate limit after the route and before authentication', async () => {
  // All at once: the limit is one request per second, and a busy machine may be slower than
  // that.
  const send = (path: string, options: CallOptions = {}) => limited.call('PATCH', path, options)
  const statusesOf = async (path: string, options: CallOptions = {}) => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => send(path, options)))
    return responses.map((response) => response.status)
  }
  const known = await statusesOf('/v1/account')
  assert.ok(known.includes(401) && known.includes(429), `${known}`)
  const unknown = await statusesOf('/nowhere')
  assert.ok(unknown.includes(429), `${unknown}`)
  // A rejected body counts as well.
  const typed = await statusesOf('/v1/account', { body: notJson, headers: text })
  assert.ok(typed.includes(429), `${typed}`)
})
