import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const admin = await florin.people.admin()

let number = 0

function newKey(): string {
  number += 1
  return `key-${process.pid}-${number}`
}

function withKey(key: string, more: Record<string, string> = {}) {
  return { 'idempotency-key': key, ...more }
}

async function countStored(): Promise<number> {
  const found = await florin.db.pool.query('select count(*)::int as n from idempotency_keys')
  return found.rows[0].n
}

test('a create sent twice with one key has one effect and one response', async () => {
  const owner = await florin.people.owner()
  const request = {
    token: owner.token,
    headers: withKey(newKey()),
    body: { ...credentials('twice'), name: 'Twice' },
  }
  const first = await florin.call('POST', '/v1/users', request)
  const second = await florin.call('POST', '/v1/users', request)
  assert.equal(first.status, 201)
  assert.equal(second.status, 201)
  assert.equal(second.text, first.text)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
})

test('every authenticated change can be replayed, including deletions', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const by_header = { 'florin-account': owner.account_id }
  const { session_id } = await florin.people.session(owner)
  const key = await makeKey(florin, owner, ['*'])
  const changes: [string, string, object | undefined, string, Record<string, string>][] = [
    ['PATCH', `/v1/users/${member.id}`, { name: 'Renamed' }, owner.token, {}],
    ['PATCH', '/v1/account', { name: 'Acme Two' }, owner.token, {}],
    ['PATCH', `/v1/accounts/${owner.account_id}`, { status: 'suspended' }, admin.token, {}],
    ['DELETE', `/v1/users/${member.id}`, undefined, owner.token, {}],
    ['DELETE', '/v1/auth/session', { session_id }, owner.token, {}],
    ['DELETE', `/v1/api_keys/${key.id}`, undefined, owner.token, {}],
    ['DELETE', '/v1/account', undefined, admin.token, by_header],
  ]
  for (const [method, path, body, token, more] of changes) {
    const request = { token, headers: withKey(newKey(), more), ...(body && { body }) }
    const first = await florin.call(method, path, request)
    const second = await florin.call(method, path, request)
    assert.equal(first.status, 200, `${method} ${path}: ${first.text}`)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('idempotent-replayed'), 'true', path)
  }
})

test('returns 422 for a key that was used for another request', async () => {
  const owner = await florin.people.owner()
  const headers = withKey(newKey())
  const first = { token: owner.token, headers, body: { name: 'One' } }
  assert.equal((await florin.call('PATCH', '/v1/account', first)).status, 200)
  const other = { token: owner.token, headers, body: { name: 'Two' } }
  const response = await florin.call('PATCH', '/v1/account', other)
  assert.equal(response.status, 422)
  assert.equal(response.body.error, 'idempotency_conflict')
  const account = await florin.call('GET', '/v1/account', { token: owner.token })
  assert.equal(account.body.name, 'One')
})

test('twenty concurrent requests with one key have one effect', async () => {
  const request = {
    token: admin.token,
    headers: withKey(newKey()),
    body: { ...credentials('parallel'), name: 'Parallel' },
  }
  const sends = Array.from({ length: 20 }, () => florin.call('POST', '/v1/users', request))
  const responses = await Promise.all(sends)
  for (const response of responses) assert.ok([201, 409].includes(response.status), response.text)
  const made = responses.filter((response) => response.status === 201)
  assert.equal(new Set(made.map((response) => response.text)).size, 1)
  const replayed = made.filter((response) => response.headers.get('idempotent-replayed') === 'true')
  assert.equal(made.length - replayed.length, 1)
})

test('errors are not stored: the same key may succeed later', async () => {
  const owner = await florin.people.owner()
  const before = await countStored()
  const headers = withKey(newKey())
  const taken = { token: owner.token, headers, body: { email: admin.email } }
  assert.equal((await florin.call('PATCH', '/v1/account', taken)).status, 409)
  assert.equal(await countStored(), before)
  const free = { token: owner.token, headers, body: { name: 'Later' } }
  assert.equal((await florin.call('PATCH', '/v1/account', free)).status, 200)
})

test('keys are scoped by caller and account', async () => {
  const [one, other] = [await florin.people.owner(), await florin.people.owner()]
  const headers = withKey(newKey())
  for (const { token } of [one, other]) {
    const response = await florin.call('PATCH', '/v1/account', {
      token,
      headers,
      body: { name: 'Us' },
    })
    assert.equal(response.headers.get('idempotent-replayed'), null)
    assert.equal(response.status, 200)
  }
  for (const { account_id } of [one, other]) {
    const named = { ...headers, 'florin-account': account_id }
    const request = { token: admin.token, headers: named, body: { name: 'Them' } }
    const response = await florin.call('PATCH', '/v1/account', request)
    assert.equal(response.body.id, account_id)
  }
  for (const { account_id } of [one, other]) {
    const request = {
      token: admin.token,
      headers: withKey('in-path'),
      body: { status: 'suspended' },
    }
    const response = await florin.call('PATCH', `/v1/accounts/${account_id}`, request)
    assert.deepEqual([response.status, response.body.id], [200, account_id], response.text)
  }
})

test('returns 401 for a replay after the session has ended', async () => {
  const owner = await florin.people.owner()
  const request = { token: owner.token, headers: withKey(newKey()), body: { name: 'Gone' } }
  assert.equal((await florin.call('PATCH', '/v1/account', request)).status, 200)
  await florin.call('DELETE', '/v1/auth/session', { token: owner.token })
  assert.equal((await florin.call('PATCH', '/v1/account', request)).status, 401)
})

test('replays the response to a user who became an owner through the request', async () => {
  const { email, password, token } = await florin.people.lone()
  const body = { email, password, name: 'Own Ltd', type: 'business' }
  const request = { token, body, headers: withKey(newKey()) }
  const first = await florin.call('POST', '/v1/accounts', request)
  const second = await florin.call('POST', '/v1/accounts', request)
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  // Another key means another account, which an owner may not open.
  const other = { ...request, headers: withKey(newKey()) }
  const stored = await countStored()
  assert.equal((await florin.call('POST', '/v1/accounts', other)).status, 401)
  assert.equal(await countStored(), stored)
})

test('a response is stored for 30 days', async () => {
  const { token, account_id } = await florin.people.owner()
  const request = { token, headers: withKey(newKey()), body: { name: 'Stored' } }
  assert.equal((await florin.call('PATCH', '/v1/account', request)).status, 200)
  const stored = await florin.db.pool.query(
    'select retain_until - current_date as days from idempotency_keys where scope_id = $1',
    [findUuid('account', account_id)],
  )
  assert.deepEqual(stored.rows, [{ days: 30 }])
})

test('returns 400 with the rule for a malformed key', async () => {
  const owner = await florin.people.owner()
  for (const key of ['x'.repeat(256), 'ümlaut', '']) {
    const request = { token: owner.token, headers: withKey(key), body: { name: 'Bad' } }
    const response = await florin.call('PATCH', '/v1/account', request)
    assert.equal(response.status, 400, key)
    assert.match(response.body.message, /"Idempotency-Key" must have 1 to 255 printable ASCII/)
  }
})

test('returns 400 for two keys on one request', async () => {
  const { token } = await florin.people.owner()
  const key = newKey()
  const stored = await countStored()
  const body = JSON.stringify(credentials('third'))
  const head = [
    'POST /v1/users HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Idempotency-Key: ${key}`,
    `idempotency-key: ${key}`,
  ]
  const [response] = await sendRaw(florin.url, `${head.join('\r\n')}\r\n\r\n${body}`)
  assert.equal(response?.status, 400)
  assert.match(response.body.message, /^Send exactly one "Idempotency-Key" header/)
  assert.equal(await countStored(), stored)
})

test('GET and HEAD ignore the key', async () => {
  const { token } = await florin.people.owner()
  const used = newKey()
  const change = { token, headers: withKey(used), body: { name: 'Changed' } }
  assert.equal((await florin.call('PATCH', '/v1/account', change)).status, 200)
  for (const key of [used, 'x'.repeat(300), '']) {
    for (const method of ['GET', 'HEAD']) {
      const response = await florin.call(method, '/v1/account', { token, headers: withKey(key) })
      assert.equal(response.status, 200, `${method} with ${key}`)
    }
  }
})

test('stores neither the key nor the body', async () => {
  const owner = await florin.people.owner()
  const key = newKey()
  const secret = credentials('stored')
  const request = { token: owner.token, headers: withKey(key), body: secret }
  assert.equal((await florin.call('POST', '/v1/users', request)).status, 201)
  const rows = await florin.db.pool.query(
    'select row_to_json(it)::text as line from idempotency_keys it',
  )
  for (const { line } of rows.rows) {
    assert.ok(!line.includes(key))
    assert.ok(!line.includes(Buffer.from(key).toString('hex')))
    assert.ok(!line.includes(Buffer.from(secret.password).toString('hex')))
  }
})

test('a guessed key does not allow fast password guessing', async () => {
  const key = newKey()
  const body = { ...credentials('guessed'), name: 'Guessed' }
  const text = JSON.stringify(body)
  await florin.call('POST', '/v1/users', { token: admin.token, headers: withKey(key), body })
  const { rows } = await florin.db.pool.query(
    'select fingerprint, key_hash from idempotency_keys where scope_id = $1',
    [findUuid('user', admin.id)],
  )
  const hash = createHash('sha256')
    .update(`${findUuid('user', admin.id)}\n${key}`)
    .digest()
  const stored = rows.find(({ key_hash }) => hash.equals(key_hash))
  assert.ok(stored, 'a guessed key finds the row')
  const guess = createHmac('sha256', key).update('POST\n/v1/users\n').update(text).digest()
  assert.ok(!guess.equals(stored.fingerprint), 'one HMAC verifies a password guess')
})

test('a different password with the same key is a different request', async () => {
  const headers = withKey(newKey())
  const body = { ...credentials('reused'), name: 'Reused' }
  const send = (changed: object) =>
    florin.call('POST', '/v1/users', {
      token: admin.token,
      headers,
      body: { ...body, ...changed },
    })
  assert.equal((await send({})).status, 201)
  assert.equal((await send({})).headers.get('idempotent-replayed'), 'true')
  const { password } = credentials('reused')
  for (const changed of [{ password }, { name: 'Else' }]) {
    const conflict = await send(changed)
    assert.deepEqual([conflict.status, conflict.body.error], [422, 'idempotency_conflict'])
  }
})
