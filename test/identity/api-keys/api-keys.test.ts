// /v1/api_keys: the secret is returned once, works within its scopes, and is invalid when revoked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid, newUuid, toTypeId } from '../../../src/primitives/ids.ts'
import { sha256 } from '../../../src/primitives/secrets.ts'
import type { CallOptions } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { watchRefusals } from '../../support/watch-refusals.ts'
import { makeKey, status } from './keys.ts'

const florin = watchRefusals(await startFlorin())
const { people } = florin

const call = (method: string, path: string, options: CallOptions) =>
  florin.call(method, path, options)

const fields = ['id', 'name', 'scopes', 'last4', 'created_at', 'last_used_at', 'revoked_at']

test('returns the secret once, and stores only its hash', async () => {
  const owner = await people.owner()
  const body = { name: 'Web shop', scopes: ['transactions:read', 'transactions:read'] }
  const made = await call('POST', '/v1/api_keys', { token: owner.token, body })
  assert.equal(made.status, 201)
  const { key, ...shown } = made.body
  assert.deepEqual(Object.keys(shown), fields)
  assert.match(shown.id, /^key_/)
  assert.match(key, /^sk_sandbox_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(
    [shown.name, shown.scopes, shown.last4, shown.last_used_at, shown.revoked_at],
    ['Web shop', ['transactions:read'], key.slice(-4), null, null],
  )
  const list = await call('GET', '/v1/api_keys', { token: owner.token })
  assert.deepEqual(list.body, { object: 'list', data: [shown], has_more: false })
  const text = 'select kind, user_id, account_id, role from tokens where token_hash = $1'
  const { rows } = await florin.db.pool.query(text, [sha256(key)])
  assert.deepEqual(rows, [
    {
      kind: 'api_key',
      user_id: findUuid('user', owner.id),
      account_id: findUuid('account', owner.account_id),
      role: 'account_key',
    },
  ])
})

test('a key works for its account, and is invalid after its revocation', async () => {
  const owner = await people.owner()
  const { id, key } = await makeKey(florin, owner, ['transactions:write', 'transactions:read'])
  const { account_id } = owner
  const body = { account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const paid = await call('POST', '/v1/transactions', { token: key, body })
  assert.equal(paid.status, 201, paid.text)
  const read = await call('GET', `/v1/transactions/${paid.body.id}`, { token: owner.token })
  assert.equal(read.status, 200)
  const revoked = await call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
  assert.equal(revoked.status, 200)
  assert.deepEqual(Object.keys(revoked.body), fields)
  assert.match(revoked.body.revoked_at, /Z$/)
  const rejected = await call('POST', '/v1/transactions', { token: key, body })
  assert.deepEqual([rejected.status, rejected.headers.get('www-authenticate')], [401, 'Bearer'])
  const again = await call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
  // last_used_at is written asynchronously.
  const { last_used_at: _, ...shown } = again.body
  const { last_used_at: __, ...before } = revoked.body
  assert.deepEqual([again.status, shown], [200, before])
})

test('creating and revoking a key append events and audit entries', async () => {
  const owner = await people.owner()
  const { key: _, ...shown } = await makeKey(florin, owner, ['*'])
  const { body: revoked } = await call('DELETE', `/v1/api_keys/${shown.id}`, {
    token: owner.token,
  })
  const { body } = await call('GET', '/v1/events?type=api_key.*', { token: owner.token })
  assert.deepEqual(
    body.data.map(({ type, data }: { type: string; data: unknown }) => [type, data]),
    [
      ['api_key.revoked', revoked],
      ['api_key.created', shown],
    ],
  )
  const text = 'select actor_role, action from audit_log where object_id = $1 order by id'
  const { rows } = await florin.db.pool.query(text, [findUuid('api_key', shown.id)])
  assert.deepEqual(rows, [
    { actor_role: 'owner', action: 'api_key.created' },
    { actor_role: 'owner', action: 'api_key.revoked' },
  ])
})

test('rejects unknown scopes, no scopes, and scopes of platform keys', async () => {
  const { token } = await people.owner()
  for (const scopes of [[], ['users:read'], ['transactions'], ['transactions:*'], [''], 'x']) {
    const response = await call('POST', '/v1/api_keys', { token, body: { name: 'x', scopes } })
    assert.deepEqual(
      [response.status, response.body.error],
      [400, 'invalid_request'],
      String(scopes),
    )
  }
  const messageFor = async (scopes: string[]) => {
    const response = await call('POST', '/v1/api_keys', { token, body: { name: 'x', scopes } })
    return response.body.message
  }
  const rule = /^"scopes" must be from .*, \*; got "transactions"\.$/
  assert.match(await messageFor(['transactions']), rule)
  for (const scope of ['users:read', 'users:write', 'accounts:write']) {
    const hint = `; got "${scope}", which only a platform key can have. An admin creates one with`
    assert.ok((await messageFor(['*', scope])).includes(hint), scope)
  }
  for (const name of ['', ' ', 'a\u0000', 'x'.repeat(201), 7]) {
    const body = { name, scopes: ['*'] }
    assert.equal((await call('POST', '/v1/api_keys', { token, body })).status, 400)
  }
})

test('admins create platform keys, which act for any account', async () => {
  const admin = await people.admin()
  const owner = await people.owner()
  const body = { name: 'Platform', scopes: ['transactions:read'], role: 'platform' }
  const made = await call('POST', '/v1/api_keys', { token: admin.token, body })
  assert.equal(made.status, 201, made.text)
  const { key, ...shown } = made.body
  const headers = { 'florin-account': owner.account_id }
  const listed = await call('GET', '/v1/transactions', { token: key, headers })
  assert.equal(listed.status, 200, listed.text)
  assert.equal(await status(florin, key, 'GET', '/v1/accounts'), 403)
  const mine = await call('GET', '/v1/api_keys?role=platform', { token: admin.token })
  assert.ok(mine.body.data.some(({ id }: { id: string }) => id === shown.id))
  for (const [who, expected] of [
    [owner, 401],
    [await people.platform(), 401],
    [await people.lone(), 403],
  ] as const) {
    const rejected = await call('POST', '/v1/api_keys', { token: who.token, body })
    assert.equal(rejected.status, expected, rejected.text)
  }
  const both = await call('POST', '/v1/api_keys', { token: admin.token, headers, body })
  assert.equal(both.status, 400)
  assert.equal(
    (await call('DELETE', `/v1/api_keys/${shown.id}`, { token: admin.token })).status,
    200,
  )
  assert.equal(await status(florin, key, 'GET', '/v1/transactions'), 401)
})

test('an account has at most 100 live keys', async () => {
  const owner = await people.owner()
  for (let n = 0; n < 100; n++) await makeKey(florin, owner, ['*'])
  const body = { name: 'one more', scopes: ['*'] }
  const rejected = await call('POST', '/v1/api_keys', { token: owner.token, body })
  assert.deepEqual([rejected.status, rejected.body.error], [409, 'conflict'])
  const page = await call('GET', '/v1/api_keys?limit=60', { token: owner.token })
  const { id } = page.body.data.at(-1)
  const rest = await call('GET', `/v1/api_keys?limit=60&starting_after=${id}`, {
    token: owner.token,
  })
  assert.deepEqual([page.body.has_more, rest.body.data.length], [true, 40])
  await call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
  assert.equal((await call('POST', '/v1/api_keys', { token: owner.token, body })).status, 201)
})

test('an account creates at most 1,000 keys per day, including revoked ones', async () => {
  const owner = await people.owner()
  const made = await makeKey(florin, owner, ['*'])
  const copied = await florin.db.pool.query(
    `insert into api_keys (id, account_id, user_id, role, name, scopes, last4, revoked_at)
     select (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, account_id, user_id, role,
       name, scopes, last4, now()
     from api_keys cross join generate_series(1, 999) as n
     where id = $1`,
    [findUuid('api_key', made.id)],
  )
  assert.equal(copied.rowCount, 999)
  const body = { name: 'one more', scopes: ['*'] }
  const createAnother = () => call('POST', '/v1/api_keys', { token: owner.token, body })
  const rejected = await createAnother()
  assert.deepEqual([rejected.status, rejected.body.error], [409, 'conflict'])
  assert.match(rejected.body.message, /at most 1000 API keys in 24 hours/)
  const ageOneKey = (hours: number) =>
    florin.db.pool.query(
      `update api_keys set id = $1
       where id = (select min(id::text)::uuid from api_keys where account_id = $2)`,
      [newUuid(Date.now() - hours * 3_600_000), findUuid('account', owner.account_id)],
    )
  await ageOneKey(23)
  assert.equal((await createAnother()).status, 409)
  await ageOneKey(25)
  assert.equal((await createAnother()).status, 201)
  assert.equal((await createAnother()).status, 409)
})

test('only an active account can create keys, and any account can revoke them', async () => {
  const owner = await people.owner()
  const admin = await people.admin()
  const { id } = await makeKey(florin, owner, ['*'])
  const headers = { 'florin-account': owner.account_id }
  const body = { name: 'A key', scopes: ['*'] }
  const change = (status: string) =>
    call('PATCH', `/v1/accounts/${owner.account_id}`, { token: admin.token, body: { status } })
  for (const status of ['suspended', 'pending']) {
    assert.equal((await change(status)).status, 200)
    for (const by of [{ token: owner.token }, { token: admin.token, headers }]) {
      const response = await call('POST', '/v1/api_keys', { ...by, body })
      assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'])
      assert.match(response.body.message, new RegExp(`must be active .* it is ${status}`))
    }
    assert.equal((await call('GET', '/v1/api_keys', { token: owner.token })).status, 200)
  }
  await makeKey(florin, admin, ['*'], { role: 'platform' })
  const revoked = await call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
  assert.equal(revoked.status, 200, revoked.text)
  await change('active')
  await makeKey(florin, owner, ['*'])
})

test('the response with a secret is stored encrypted, and replayed byte for byte', async () => {
  const owner = await people.owner()
  const headers = { 'idempotency-key': `key-${newUuid(Date.now())}` }
  const body = { name: 'Once', scopes: ['*'] }
  const first = await call('POST', '/v1/api_keys', { token: owner.token, body, headers })
  const second = await call('POST', '/v1/api_keys', { token: owner.token, body, headers })
  assert.equal(first.status, 201)
  assert.deepEqual([second.status, second.text], [201, first.text])
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  const text = 'select body from idempotency_keys where scope_id = $1'
  const { rows } = await florin.db.pool.query(text, [findUuid('account', owner.account_id)])
  assert.equal(rows.length, 1)
  assert.equal(rows[0].body[0], 1, 'sealed')
  assert.ok(!rows[0].body.includes(first.body.key.slice(-20)))
  const list = await call('GET', '/v1/api_keys', { token: owner.token })
  assert.equal(list.body.data.length, 1)
  const other = { ...body, name: 'Twice' }
  const reused = await call('POST', '/v1/api_keys', { token: owner.token, body: other, headers })
  assert.equal(reused.status, 422)
})

test('all keys of an account share Idempotency-Keys, so rotation is safe', async () => {
  const owner = await people.owner()
  const [one, two] = [await makeKey(florin, owner, ['*']), await makeKey(florin, owner, ['*'])]
  const { account_id } = owner
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const headers = { 'idempotency-key': 'order-1' }
  const first = await call('POST', '/v1/transactions', { token: one.key, body, headers })
  const second = await call('POST', '/v1/transactions', { token: two.key, body, headers })
  assert.deepEqual([second.status, second.text], [201, first.text])
  const person = await call('POST', '/v1/transactions', { token: owner.token, body, headers })
  assert.notEqual(person.body.id, first.body.id)
})

test('all platform keys share Idempotency-Keys, but not with users', async () => {
  const { account_id } = await people.owner()
  const admins = [await people.admin(), await people.admin()]
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const headers = { 'idempotency-key': 'order-1', 'florin-account': account_id }
  const ids = new Set<string>()
  for (const { token } of admins) {
    const input = { name: 'Server', scopes: ['transactions:write'], role: 'platform' }
    const made = await call('POST', '/v1/api_keys', { token, body: input })
    const response = await call('POST', '/v1/transactions', { token: made.body.key, body, headers })
    assert.equal(response.status, 201, response.text)
    ids.add(response.body.id)
  }
  assert.equal(ids.size, 1, 'a retry with the next key replays')
  const person = await call('POST', '/v1/transactions', { token: admins[0]!.token, body, headers })
  assert.ok(!ids.has(person.body.id), person.text)
})

test('returns the same 404 for unknown, foreign and malformed ids', async () => {
  const owner = await people.owner()
  const foreign = await makeKey(florin, await people.owner(), ['*'])
  const texts = new Set<string>()
  for (const id of [foreign.id, 'key_x', toTypeId('api_key', newUuid(Date.now()))]) {
    const response = await call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
    assert.equal(response.status, 404)
    texts.add(response.text)
  }
  assert.equal(texts.size, 1)
})

test('last_used_at is updated, but not for every request', async () => {
  const owner = await people.owner()
  const { id, key } = await makeKey(florin, owner, ['transactions:read'])
  assert.equal(await status(florin, key, 'GET', '/v1/account/balance'), 401)
  // xmin changes whenever the row is written.
  const versionOf = async () =>
    (
      await florin.db.pool.query('select xmin from api_keys where id = $1', [
        findUuid('api_key', id),
      ])
    ).rows[0].xmin
  const versions = new Set<string>()
  for (let n = 0; n < 40; n++) {
    await status(florin, key, 'GET', '/v1/transactions')
    versions.add(await versionOf())
  }
  assert.ok(versions.size <= 4, `written ${versions.size - 1} times in 40 requests`)
  for (let attempts = 0; ; attempts++) {
    const { body } = await call('GET', '/v1/api_keys', { token: owner.token })
    const shown = body.data.find((one: { id: string }) => one.id === id)
    if (shown.last_used_at !== null) {
      assert.ok(shown.last_used_at >= shown.created_at)
      break
    }
    assert.ok(attempts < 100, 'last_used_at is never written')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
