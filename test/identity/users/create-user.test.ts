import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { auditEntriesAbout, eventsOf } from '../../support/history.ts'
import { credentials } from '../../support/people.ts'
import { runWhileBlocked } from '../../support/run-while-blocked.ts'
import { newPassword } from '../../support/secrets.ts'
import { watchRefusals } from '../../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const owner = await florin.people.owner()
const admin = await florin.people.admin()

function create(body: unknown, token?: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/users', { body, token })
}

function logIn(email: string, password: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/auth/login', { body: { email, password } })
}

async function rejected(body: unknown, status: number, error: string, token?: string) {
  const response = await assertNoChanges(florin.db.pool, () => create(body, token))
  assert.equal(response.status, status, response.text)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'])
  assert.equal(response.body.error, error)
  return response.body.message as string
}

test('sign-up creates an active user without an account', async () => {
  const who = credentials('ann')
  const { status, body } = await create({ ...who, name: 'Ann Example' })
  assert.equal(status, 201)
  assert.match(body.id, /^usr_[0-9a-z]{26}$/)
  const { id, created_at, updated_at, ...rest } = body
  assert.deepEqual(rest, { email: who.email, name: 'Ann Example', status: 'active' })
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  const login = await logIn(who.email, who.password)
  assert.equal(login.status, 200)
  const token = login.body.access_token
  assert.equal((await florin.call('GET', '/v1/account', { token })).status, 403)
  const [entry] = await auditEntriesAbout(florin, id)
  assert.equal(entry!.actor_role, 'anonymous')
  assert.equal(entry!.action, 'user.created')
  assert.match(entry!.request_id!, /^req_/)
})

test('a user created by an owner is a member, and appends an event', async () => {
  const before = (await eventsOf(florin, owner.account_id)).length
  const who = credentials('member')
  const { status, body } = await create(who, owner.token)
  assert.equal(status, 201)
  assert.equal(body.name, null)
  const login = await logIn(who.email, who.password)
  const own = await florin.call('GET', '/v1/account', { token: login.body.access_token })
  assert.equal(own.body.id, owner.account_id)
  const [event, ...more] = await eventsOf(florin, owner.account_id, before)
  assert.deepEqual(more, [])
  assert.equal(event!.type, 'user.created')
  assert.deepEqual(event!.data, body)
  assert.deepEqual(
    await auditEntriesAbout(florin, body.id),
    [],
    'changes by an owner are not in the audit log',
  )
})

test('a user created by an admin is in the audit log, with or without an account', async () => {
  const lone = await create(credentials('lone'), admin.token)
  const headers = { 'florin-account': owner.account_id }
  const member = await florin.call('POST', '/v1/users', {
    token: admin.token,
    body: credentials('member'),
    headers,
  })
  for (const [response, account_id] of [
    [lone, null],
    [member, owner.account_id],
  ] as const) {
    assert.equal(response.status, 201)
    const [entry, ...more] = await auditEntriesAbout(florin, response.body.id)
    assert.deepEqual(more, [])
    assert.equal(entry!.actor_role, 'admin')
    assert.equal(entry!.actor_id, admin.id)
    assert.equal(entry!.account_id, account_id)
    assert.equal(entry!.request_id, response.headers.get('request-id'))
  }
})

test('created_at equals updated_at in a new user, also after waiting for a lock', async () => {
  const account_id = findUuid('account', owner.account_id)
  const { status, body } = await runWhileBlocked(
    florin,
    { text: 'select 1 from balances where account_id = $1 for update', values: [account_id] },
    () => create(credentials('waiting'), owner.token),
    // Ids created meanwhile are later than the waiting change.
    () => Promise.all(Array.from({ length: 5 }, () => florin.call('GET', '/livez'))),
  )
  assert.equal(status, 201)
  assert.equal(body.updated_at, body.created_at)
})

test('returns 409 for an email in use, in upper and lower case', async () => {
  const lone = await florin.people.lone()
  const member = await florin.people.member(owner)
  for (const { email } of [lone, member, owner, admin]) {
    for (const taken of [email, email.toUpperCase()]) {
      const body = { email: taken, password: newPassword() }
      await rejected(body, 409, 'email_exists')
      await rejected(body, 409, 'email_exists', owner.token)
    }
  }
})

test('exactly one of many concurrent requests for one email succeeds', async () => {
  const { email } = credentials('wanted')
  const requests = Array.from({ length: 20 }, (_, at) =>
    create(
      { email: at % 2 ? email : email.toUpperCase(), password: newPassword() },
      [undefined, owner.token, admin.token][at % 3],
    ),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(19).fill(409)])
})

test('the email of a deleted user or of a member of a closed account can be reused', async () => {
  const deleted = await florin.people.lone()
  const { token } = deleted
  assert.equal((await florin.call('DELETE', `/v1/users/${deleted.id}`, { token })).status, 200)
  const closing = await florin.people.owner()
  const member = await florin.people.member(closing)
  const closed = await florin.call('DELETE', '/v1/account', { token: closing.token })
  assert.equal(closed.status, 200)
  for (const { email } of [deleted, member]) {
    const again = await create({ email, password: newPassword() })
    assert.equal(again.status, 201)
    assert.ok(![deleted.id, member.id].includes(again.body.id))
  }
  await rejected({ email: closing.email, password: newPassword() }, 409, 'email_exists')
})

test('the former email of an account can be reused', async () => {
  const moving = await florin.people.owner()
  const body = { email: credentials('moved').email }
  const moved = await florin.call('PATCH', '/v1/account', { token: moving.token, body })
  assert.equal(moved.status, 200)
  assert.equal((await create({ email: moving.email, password: newPassword() })).status, 201)
})

test('a name is optional and has 1 to 200 characters, at least one of them visible', async () => {
  const names: [name: unknown, ok: boolean][] = [
    [undefined, true],
    [null, true],
    ['A', true],
    ['n'.repeat(200), true],
    ['😀'.repeat(200), true],
    [' padded ', true],
    ["O'Neill <b>&amp;", true],
    ['n'.repeat(201), false],
    ['😀'.repeat(201), false],
    ['', false],
    ['   ', false],
    ['\u200b\u00a0', false],
    ['two\nlines', false],
    ['nul\u0000', false],
    [7, false],
    [{}, false],
  ]
  for (const [name, ok] of names) {
    const body = { ...credentials('name'), name }
    if (ok) {
      const response = await create(body)
      assert.equal(response.status, 201, response.text)
      assert.equal(response.body.name, name ?? null)
    } else assert.match(await rejected(body, 400, 'invalid_request'), /^"name" /)
  }
})

test('returns 400 for a lone surrogate in a name', async () => {
  const { email, password } = credentials('name')
  const body = `{"email":"${email}","password":"${password}","name":"\\ud800"}`
  await rejected(body, 400, 'invalid_request')
})

test('a password has 8 to 128 characters of any kind', async () => {
  const passwords: [password: unknown, ok: boolean][] = [
    [newPassword().slice(-8), true],
    ['🔑🗝'.repeat(4), true],
    [newPassword().padEnd(128, '.'), true],
    ['pass word', true],
    [newPassword().slice(-7), false],
    ['🔑🗝'.repeat(3), false],
    [newPassword().padEnd(129, '.'), false],
    ['', false],
    [undefined, false],
    [null, false],
    [12345678, false],
    ['with\ttab and more', false],
  ]
  for (const [password, ok] of passwords) {
    const { email } = credentials('password')
    if (ok) {
      assert.equal((await create({ email, password })).status, 201)
      assert.equal((await logIn(email, password as string)).status, 200)
    } else assert.match(await rejected({ email, password }, 400, 'invalid_request'), /^"password" /)
  }
})

test('the length of a password is counted after NFKC normalization', async () => {
  // Pairs of characters that each compose to one.
  const composable = newPassword().padEnd(58, '.') + 'e\u0301'.repeat(70)
  const { email } = credentials('composable')
  assert.equal((await create({ email, password: composable })).status, 201)
  assert.equal((await logIn(email, composable.normalize('NFC'))).status, 200)
  const long: [password: string, message: RegExp][] = [
    [`${composable}.`, /^"password" must have at most 128 characters; got 129/],
    // Characters that each expand to 18.
    ['\ufdfa'.repeat(128), /^"password" must have at most 128 characters; got 2304/],
    [newPassword().padEnd(1_025, '.'), /^"password" must have at most 1024 characters/],
  ]
  for (const [password, message] of long) {
    assert.match(
      await rejected({ email: 'long@example.com', password }, 400, 'invalid_request'),
      message,
    )
  }
})

test('different encodings of the same password are equal', async () => {
  const core = newPassword()
  const spellings: [string, string][] = [
    [`caf\u00e9 ${core}`, `cafe\u0301 ${core}`],
    [`\ufb01nance ${core}`, `finance ${core}`],
    [`\uff11\uff12 ${core}`, `12 ${core}`],
  ]
  for (const [typed, elsewhere] of spellings) {
    const { email } = credentials('spelling')
    assert.equal((await create({ email, password: typed })).status, 201)
    assert.equal((await logIn(email, elsewhere)).status, 200)
    assert.equal((await logIn(email, elsewhere.toUpperCase())).status, 401)
  }
})

test('returns 400 for a missing, malformed or unknown field, and names it', async () => {
  const { email, password } = credentials('fields')
  const bodies: [unknown, RegExp][] = [
    [{ password }, /^"email" /],
    [{ email: 'ann', password }, /^"email" /],
    [{ email: 'ann@ex ample.com', password }, /^"email" /],
    [{ email: 'änn@example.com', password }, /^"email" /],
    [{ email: `${'a'.repeat(243)}@example.com`, password }, /^"email" /],
    [{ email: null, password }, /^"email" /],
    [{ email, password, role: 'admin' }, /role/],
    [{ email, password, status: 'active' }, /status/],
    [{ email, password, account_id: owner.account_id }, /account_id/],
    [{ email, password, id: owner.id }, /id/],
  ]
  for (const [body, message] of bodies) {
    assert.match(await rejected(body, 400, 'invalid_request'), message)
    assert.match(await rejected(body, 400, 'invalid_request', admin.token), message)
  }
})

test('accepts an email of 254 characters', async () => {
  const longest = `${'a'.repeat(242)}@example.com`
  assert.equal(longest.length, 254)
  assert.equal((await create({ email: longest, password: newPassword() })).status, 201)
})

test('the minimum length of a password is configurable and does not affect login', async () => {
  const strict = await florin.startSecondServer({ FLORIN_PASSWORD_MIN: '12' })
  const { id, token } = await florin.people.lone()
  const short = { email: credentials('short').email, password: newPassword().slice(-11) }
  assert.equal((await create(short)).status, 201)
  const refusals = await assertNoChanges(florin.db.pool, () =>
    Promise.all([
      strict.call('POST', '/v1/users', {
        body: { ...credentials('new'), password: short.password },
      }),
      strict.call('PATCH', `/v1/users/${id}`, { token, body: { password: short.password } }),
    ]),
  )
  for (const { status, body } of refusals) {
    assert.equal(status, 400)
    assert.match(body.message, /^"password" must have at least 12 characters/)
  }
  assert.equal((await strict.call('POST', '/v1/auth/login', { body: short })).status, 200)
})
