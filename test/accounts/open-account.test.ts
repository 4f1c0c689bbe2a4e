import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountAndRoleOf } from '../permissions/shapes.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { auditEntriesAbout, eventsOf } from '../support/history.ts'
import { credentials } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const admin = await florin.people.admin()

function open(body: unknown, token?: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/accounts', { body, token })
}

function application(more: object = {}) {
  return { ...credentials('account'), name: 'Acme Ltd', type: 'business', ...more }
}

async function rejected(body: unknown, status: number, error: string, token?: string) {
  const response = await assertNoChanges(florin.db.pool, () => open(body, token))
  assert.equal(response.status, status, response.text)
  assert.equal(response.body.error, error)
  return response.body.message as string
}

async function logIn({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<ApiResponse> {
  return florin.call('POST', '/v1/auth/login', { body: { email, password } })
}

test('opens an account with its owner, who logs in with its email', async () => {
  const input = application()
  const { status, body } = await open(input)
  assert.equal(status, 201)
  const { id, created_at, updated_at, ...rest } = body
  assert.match(id, /^acct_[0-9a-z]{26}$/)
  assert.equal(updated_at, created_at)
  assert.deepEqual(rest, {
    email: input.email,
    name: 'Acme Ltd',
    type: 'business',
    status: 'active',
    settings: { currency: 'USD', timezone: 'UTC', language: 'en' },
  })
  const login = await logIn(input)
  const token = login.body.access_token
  const own = await florin.call('GET', '/v1/account', { token })
  assert.deepEqual(own.body, body)
  assert.deepEqual(await accountAndRoleOf(florin, login.body.user.id), ['owner', id])
  const events = await eventsOf(florin, id)
  assert.deepEqual(
    events.map(({ type, object_id }) => [type, object_id]),
    [
      ['account.created', id],
      ['user.created', login.body.user.id],
    ],
  )
  assert.deepEqual(events[0]!.data, body)
})

test('admins and platforms open accounts for new owners, with an audit entry', async () => {
  const platform = await florin.people.platform()
  for (const { id, token } of [admin, platform]) {
    const input = application({ type: 'individual' })
    const { status, body } = await open(input, token)
    assert.equal(status, 201)
    assert.equal(body.type, 'individual')
    assert.equal((await logIn(input)).status, 200)
    const [entry] = await auditEntriesAbout(florin, body.id)
    assert.equal(entry!.actor_id, id)
    assert.equal(entry!.action, 'account.created')
  }
})

test('settings are optional and merged with the defaults', async () => {
  const given: [settings: object, expected: object][] = [
    [{}, {}],
    [{ currency: 'EUR' }, { currency: 'EUR' }],
    [
      { timezone: 'America/Sao_Paulo', language: 'pt-BR' },
      { timezone: 'America/Sao_Paulo', language: 'pt-BR' },
    ],
  ]
  for (const [settings, expected] of given) {
    const { body } = await open(application({ settings }))
    assert.deepEqual(body.settings, {
      currency: 'USD',
      timezone: 'UTC',
      language: 'en',
      ...expected,
    })
  }
})

test('returns 400 for a missing, malformed or unknown field, and names it', async () => {
  const bodies: [object, RegExp][] = [
    [{ email: undefined }, /^"email" /],
    [{ email: 'no email' }, /^"email" /],
    [{ name: undefined }, /^"name" /],
    [{ name: null }, /^"name" /],
    [{ name: '  ' }, /^"name" /],
    [{ name: 'n'.repeat(201) }, /^"name" /],
    [{ type: undefined }, /^"type" /],
    [{ type: 'company' }, /^"type" /],
    [{ password: undefined }, /^"password" /],
    [{ password: 'short' }, /^"password" /],
    [{ settings: null }, /^"settings" /],
    [{ settings: [] }, /^"settings" /],
    [{ settings: { currency: 'usd' } }, /^"settings\.currency" /],
    [{ settings: { currency: 'XXX' } }, /^"settings\.currency" /],
    [{ settings: { currency: 'DEM' } }, /^"settings\.currency" /],
    [{ settings: { currency: null } }, /^"settings\.currency" /],
    [{ settings: { timezone: 'Mars/Olympus' } }, /^"settings\.timezone" /],
    [{ settings: { timezone: '+02:00' } }, /^"settings\.timezone" /],
    [{ settings: { language: 'english please' } }, /^"settings\.language" /],
    [{ settings: { language: 'qqq' } }, /^"settings\.language" /],
    [{ settings: { theme: 'dark' } }, /settings\.theme/],
    [{ status: 'active' }, /status/],
    [{ balance: 100 }, /balance/],
  ]
  for (const [fault, message] of bodies) {
    assert.match(await rejected(application(fault), 400, 'invalid_request'), message)
  }
})

test('returns 409 for an email of any user or account', async () => {
  const owner = await florin.people.owner()
  const lone = await florin.people.lone()
  const member = await florin.people.member(owner)
  const closed = await florin.people.owner()
  await florin.call('DELETE', '/v1/account', { token: closed.token })
  for (const { email } of [owner, lone, member, closed, admin]) {
    await rejected(application({ email }), 409, 'email_exists')
    await rejected(application({ email: email.toUpperCase() }), 409, 'email_exists', admin.token)
  }
})

test('exactly one of many concurrent requests with one email opens an account', async () => {
  const { email } = credentials('wanted')
  const requests = Array.from({ length: 12 }, (_, at) =>
    open(application({ email }), at % 2 ? admin.token : undefined),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(11).fill(409)])
})

test('a lone user becomes the owner, and all sessions act for the account', async () => {
  const lone = await florin.people.lone()
  const elsewhere = await florin.people.session(lone)
  const { email, password } = lone
  const input = application({ email, password, settings: { currency: 'CHF' } })
  const { status, body } = await open(input, lone.token)
  assert.equal(status, 201)
  assert.equal(body.settings.currency, 'CHF')
  for (const { token, refresh_token } of [lone, elsewhere]) {
    const own = await florin.call('GET', '/v1/account', { token })
    assert.equal(own.body.id, body.id)
    const made = await florin.call('POST', '/v1/users', { token, body: credentials('member') })
    assert.deepEqual(await accountAndRoleOf(florin, made.body.id), ['member', body.id])
    const fresh = await florin.call('POST', '/v1/auth/refresh', { token: refresh_token })
    const renamed = await florin.call('PATCH', '/v1/account', {
      token: fresh.body.access_token,
      body: { name: `Renamed by ${made.body.id}` },
    })
    assert.equal(renamed.status, 200)
  }
  assert.deepEqual(await accountAndRoleOf(florin, lone.id), ['owner', body.id])
  const [created, moved] = await eventsOf(florin, body.id)
  assert.equal(created!.type, 'account.created')
  assert.deepEqual([moved!.type, moved!.object_id], ['user.updated', lone.id])
  const again = await open(application({ email, password }), lone.token)
  assert.equal(again.status, 401)
  assert.match(again.headers.get('www-authenticate')!, /insufficient_scope/)
})

test('the email may differ in case, and both user and account get the new spelling', async () => {
  const { id, email, password, token } = await florin.people.lone()
  const { status, body } = await open(application({ email: email.toUpperCase(), password }), token)
  assert.equal(status, 201)
  assert.equal(body.email, email.toUpperCase())
  const user = await florin.call('GET', `/v1/users/${id}`, { token })
  assert.equal(user.body.email, email.toUpperCase())
})

test('concurrent requests of a lone user open one account', async () => {
  const { email, password, token } = await florin.people.lone()
  const requests = Array.from({ length: 8 }, () => open(application({ email, password }), token))
  const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(7).fill(401)])
})

test('a concurrent password change never leaves a half-opened account', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, email, password, token } = await florin.people.lone()
    const [opened, changed] = await Promise.all([
      open(application({ email, password }), token),
      florin.call('PATCH', `/v1/users/${id}`, {
        token: admin.token,
        body: { password: newPassword() },
      }),
    ])
    assert.equal(changed.status, 200)
    assert.ok([201, 401].includes(opened.status), opened.text)
    const [role] = await accountAndRoleOf(florin, id)
    assert.equal(role, opened.status === 201 ? 'owner' : 'lone')
  }
})
