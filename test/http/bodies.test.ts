// Bodies from hostile or careless clients: the status of each error, and whether the message
// names the field, the rule and the value received.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { assertErrorShape } from '../support/raw.ts'
import { newPassword } from '../support/secrets.ts'
import { watchCall, watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const owner = await florin.people.owner()
const admin = await florin.people.admin()

const jsonType = { 'content-type': 'application/json' }

/** Sends bytes with exactly these headers; fetch would add a content type to a string. */
const send = watchCall(florin.db, sendBytes)

async function sendBytes(
  method: string,
  path: string,
  bytes: Uint8Array | ReadableStream | undefined,
  headers: Record<string, string> = jsonType,
): Promise<ApiResponse> {
  const init = { method, headers, body: bytes ?? null, duplex: 'half' }
  const response = await fetch(florin.url + path, init as RequestInit)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text),
  }
}

const signUp = (text: string | Buffer, headers?: Record<string, string>) =>
  send('POST', '/v1/users', Buffer.from(text as string), headers)

function assertRejected(response: ApiResponse, status: number, about: string): void {
  assert.equal(response.status, status, `${about}: ${response.text}`)
  assertErrorShape(response, about)
  assert.equal(response.body.error, 'invalid_request', about)
}

const notJson: Record<string, string | Buffer> = {
  'a duplicate key': '{"email":"a@example.com","email":"b@example.com"}',
  'a duplicate key written with an escape': '{"email":"a@example.com","\\u0065mail":"b"}',
  'a duplicate key further in': '{"settings":{"currency":"USD","currency":"EUR"}}',
  'a duplicate key in an array': '[{"a":1,"a":2}]',
  __proto__: '{"__proto__":{"admin":true}}',
  '__proto__ written with an escape': '{"\\u005f_proto__":1}',
  '__proto__ further in': '{"settings":{"a":[{"__proto__":1}]}}',
  'constructor.prototype': '{"constructor":{"prototype":{"admin":true}}}',
  '8 000 nested arrays': '['.repeat(8_000),
  '4 000 nested arrays that close': '['.repeat(4_000) + ']'.repeat(4_000),
  '90 nested objects': `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`,
  'more than 100 keys': `{${Array.from({ length: 101 }, (_, n) => `"${n}":1`)}}`,
  '33 levels': '['.repeat(33) + ']'.repeat(33),
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  'an overlong form of UTF-8': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  'a surrogate in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'a byte-order mark': Buffer.from('\ufeff{}'),
  'UTF-16': Buffer.from('{}', 'utf16le'),
  'a raw control character': '{"name":"a\nb"}',
  'a single quote': "{'a':1}",
  'a trailing comma': '{"a":1,}',
  'a comment': '{/* hi */}',
  NaN: '{"a":NaN}',
  'a leading zero': '{"a":01}',
  'a plus sign': '{"a":+1}',
  'half an object': '{"email":',
  'two values': '{}{}',
  'white space alone': '  \n ',
  'a bad escape': '{"a":"\\x41"}',
}

for (const [what, text] of Object.entries(notJson)) {
  test(`${what} in a body is 400`, async () => {
    const response = await signUp(text)
    assertRejected(response, 400, what)
    assert.match(response.body.message, /^The request body must be valid JSON\. /)
    assert.ok(response.body.message.length < 300, 'the message does not echo the body')
  })
}

test('returns 400 for a body that is not an object, with the type received', async () => {
  const received = {
    null: 'null',
    '[]': 'an array',
    '"x"': 'a string',
    '5': 'a number',
    true: 'a boolean',
  }
  for (const [text, word] of Object.entries(received)) {
    const response = await signUp(text)
    assertRejected(response, 400, text)
    assert.equal(response.body.message, `The request body must be a JSON object; got ${word}.`)
  }
})

test('returns 400 for charsets other than UTF-8, and accepts every name of UTF-8', async () => {
  for (const charset of ['utf-16', 'utf-16le', 'iso-8859-1', '"utf-32"', 'us-ascii', 'x']) {
    const type = `application/json; charset=${charset}`
    const response = await signUp('{}', { 'content-type': type })
    assertRejected(response, 400, type)
    assert.match(response.body.message, /must be UTF-8/, type)
  }
  const good = ['utf-8', 'UTF-8', '"utf-8"', 'utf8']
  for (const charset of good) {
    const response = await signUp('{}', { 'content-type': `application/json;charset=${charset}` })
    assert.match(response.body.message, /"email" is required/, charset)
  }
})

test('returns 415 for types other than JSON, before authentication', async () => {
  const types = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/json, text/plain',
    'json',
    '/',
    ' ',
  ]
  for (const type of types) {
    assertRejected(await signUp('{}', { 'content-type': type }), 415, type)
    const patch = await send('PATCH', '/v1/account', Buffer.from('{}'), { 'content-type': type })
    assertRejected(patch, 415, `${type} without a token`)
  }
  assertRejected(await send('POST', '/v1/users', Buffer.from('{}'), {}), 415, 'no content type')
})

test('the content type ignores case and spaces', async () => {
  for (const type of [
    'Application/JSON',
    'application/json ; charset=utf-8',
    'APPLICATION/JSON;',
  ]) {
    const response = await signUp('{}', { 'content-type': type })
    assert.match(response.body.message, /"email" is required/, type)
  }
})

test('returns 415 for a compressed body', async () => {
  const zipped = gzipSync('{}')
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', '']) {
    const headers = { ...jsonType, 'content-encoding': encoding }
    assertRejected(await signUp(zipped, headers), 415, encoding)
  }
  const plain = await signUp('{}', { ...jsonType, 'content-encoding': 'identity' })
  assert.match(plain.body.message, /"email" is required/)
})

test('treats an empty JSON body as no body: 400 where one is required', async () => {
  for (const path of ['/v1/users', '/v1/accounts', '/v1/auth/login']) {
    const response = await send('POST', path, undefined)
    assertRejected(response, 400, path)
    assert.equal(response.body.message, 'The request body must be a JSON object; got nothing.')
  }
  const session = await florin.people.session(owner)
  const bearer = { ...jsonType, authorization: `Bearer ${session.token}` }
  const ended = await send('DELETE', '/v1/auth/session', undefined, bearer)
  assert.equal(ended.status, 200, ended.text)
  assert.equal(ended.body.session_id, session.session_id)
  const lone = await florin.people.lone()
  const own = { ...jsonType, authorization: `Bearer ${lone.token}` }
  const deleted = await send('DELETE', `/v1/users/${lone.id}`, undefined, own)
  assert.equal(deleted.status, 200, deleted.text)
})

test('returns 400 for a DELETE with unknown fields', async () => {
  const options = { token: admin.token, body: { force: true } }
  const lone = await florin.people.lone()
  const response = await florin.call('DELETE', `/v1/users/${lone.id}`, options)
  assertRejected(response, 400, 'DELETE')
  assert.match(response.body.message, /"force" is not a field of this request/)
})

test('returns 400 for an unknown field and suggests the nearest name', async () => {
  const cases: [object, RegExp][] = [
    [{ ...credentials('x'), nmae: 'A' }, /^"nmae" is not a field .* Did you mean "name"\?$/],
    [{ ...credentials('x'), Name: 'A' }, /^"Name" is not a field .* Did you mean "name"\?$/],
    [{ ...credentials('x'), role: 'admin' }, /^"role" is not a field .* Allowed: email, password/],
    [{ ...credentials('x'), constructor: 1 }, /^"constructor" is not a field/],
    [{ ...credentials('x'), toString: 1 }, /^"toString" is not a field/],
    [{ ...credentials('x'), '': 1 }, /^"" is not a field/],
    [{ ...credentials('x'), ['x'.repeat(5_000)]: 1 }, /^"x{57}…" is not a field/],
    [{ ...credentials('x'), '\ud800': 1 }, /^"\\ud800" is not a field/],
  ]
  for (const [body, message] of cases) {
    const response = await florin.call('POST', '/v1/users', { body })
    assertRejected(response, 400, String(message))
    assert.match(response.body.message, message)
  }
  const settings = { token: owner.token, body: { settings: { curency: 'EUR' } } }
  const nested = await florin.call('PATCH', '/v1/account', settings)
  assertRejected(nested, 400, 'nested')
  assert.match(nested.body.message, /^"settings\.curency" .* Did you mean "currency"\?$/)
})

test('values are not coerced to another type', async () => {
  const wrong: [string, string, unknown, RegExp][] = [
    ['POST', '/v1/users', { email: ['a@example.com'] }, /^"email" must be a string; got an array/],
    ['POST', '/v1/users', { email: 7 }, /^"email" must be a string; got 7/],
    ['POST', '/v1/users', { email: null }, /^"email" must be a string; got null/],
    ['POST', '/v1/users', { name: true }, /^"name" must be a string or null; got true/],
    ['POST', '/v1/users', { name: { first: 'A' } }, /^"name" must be .*; got an object/],
    ['POST', '/v1/accounts', { type: 1 }, /^"type" must be a string; got 1/],
    ['POST', '/v1/accounts', { type: ['business'] }, /^"type" must be a string; got an array/],
    ['POST', '/v1/accounts', { settings: 'USD' }, /^"settings" must be a JSON object; got "USD"/],
    ['POST', '/v1/accounts', { settings: null }, /^"settings" must be a JSON object; got null/],
    ['POST', '/v1/accounts', { settings: [] }, /^"settings" must be a JSON object; got an a/],
    ['POST', '/v1/accounts', { settings: { currency: 840 } }, /^"settings\.currency" must be a/],
  ]
  const whole = { ...credentials('typed'), name: 'Typed', type: 'business' }
  for (const [method, path, part, message] of wrong) {
    const { type: _, ...user } = whole
    const body = { ...(path === '/v1/accounts' ? whole : user), ...(part as object) }
    const response = await florin.call(method, path, { body })
    assertRejected(response, 400, JSON.stringify(part))
    assert.match(response.body.message, message)
  }
})

test('a message names the field, the rule and the value received', async () => {
  const whole = { ...credentials('ruled'), name: 'Ruled', type: 'business' }
  const cases: [object, RegExp][] = [
    [{ email: 'no-at-sign' }, /^"email" must be an email address .*; got "no-at-sign"\.$/],
    [{ email: `${'a'.repeat(250)}@example.com` }, /^"email" must have at most 254 .*\(262 c/],
    [{ name: '' }, /^"name" must have 1 to 200 characters; got ""\.$/],
    [{ name: ' \u200b ' }, /^"name" must be .* and not blank; /],
    [{ name: 'a'.repeat(201) }, /^"name" must have 1 to 200 .*; got "a{57}…" \(201 characters\)/],
    [{ name: '😀'.repeat(201) }, /\(201 characters\)\.$/],
    [{ type: 'shop' }, /^"type" must be "individual" or "business"; got "shop"\.$/],
    [{ settings: { currency: 'usd' } }, /^"settings\.currency" must .* ISO 4217 .*; got "usd"/],
    [{ settings: { currency: 'DEM' } }, /^"settings\.currency" must be an active .*; got "DEM"/],
    [
      { settings: { timezone: 'Berlin' } },
      /^"settings\.timezone" must be an IANA .*; got "Berlin"/,
    ],
    [{ settings: { language: 'xx-' } }, /^"settings\.language" must be a BCP 47 .*; got "xx-"/],
  ]
  for (const [part, message] of cases) {
    const response = await florin.call('POST', '/v1/accounts', { body: { ...whole, ...part } })
    assertRejected(response, 400, String(message))
    assert.match(response.body.message, message)
  }
  for (const missing of ['email', 'name', 'type', 'password']) {
    const { [missing as 'email']: _, ...rest } = whole
    const response = await florin.call('POST', '/v1/accounts', { body: rest })
    assert.equal(response.body.message, `"${missing}" is required. Add it to the request body.`)
  }
})

test('rejects a list that is too short or too long, with its length', async () => {
  const many = Array.from({ length: 60 }, () => 'payment.*')
  const cases: [string, object, RegExp][] = [
    ['/v1/api_keys', { name: 'x', scopes: [] }, /^"scopes" must have 1 to 50 items; got 0\.$/],
    ['/v1/webhook_endpoints', { events: [] }, /^"events" must have 1 to 50 items; got 0\.$/],
    ['/v1/webhook_endpoints', { events: many }, /^"events" must have 1 to 50 items; got 60\.$/],
  ]
  for (const [path, part, message] of cases) {
    const body = path === '/v1/api_keys' ? part : { url: 'https://example.com/hook', ...part }
    const response = await florin.call('POST', path, { token: owner.token, body })
    assertRejected(response, 400, String(message))
    assert.match(response.body.message, message)
  }
})

test('returns 400 for control characters and lone surrogates in every text field', async () => {
  const whole = { ...credentials('text'), name: 'Text', type: 'business' }
  const texts = ['a\\u0000b', 'a\\ud800b', 'a\\udc00b', 'a\\u0007b', 'a\\u0085b', 'a\\u007fb']
  for (const text of texts) {
    for (const field of ['name', 'email', 'password']) {
      const body = JSON.stringify({ ...whole, [field]: '@@' }).replace('@@', text)
      assertRejected(await florin.call('POST', '/v1/accounts', { body }), 400, `${field} ${text}`)
      if (field === 'name') continue
      const login = JSON.stringify({ ...credentials('text'), [field]: '@@' }).replace('@@', text)
      const response = await florin.call('POST', '/v1/auth/login', { body: login })
      assertRejected(response, 400, `login ${field} ${text}`)
    }
    const session = `{"session_id":"${text}"}`
    const ended = await florin.call('DELETE', '/v1/auth/session', {
      token: owner.token,
      body: session,
    })
    assert.equal(ended.status, 404, `session_id ${text}: ${ended.text}`)
    assert.equal(ended.body.error, 'invalid_session')
  }
})

test('stores valid text beyond ASCII unchanged', async () => {
  for (const name of ['Łukasz Żółć', '山田太郎', '👩‍👩‍👧 Family', 'İstanbul', 'a\u0301']) {
    const body = { ...credentials('unicode'), name }
    const response = await florin.call('POST', '/v1/users', { body })
    assert.equal(response.status, 201, response.text)
    assert.equal(response.body.name, name)
  }
})

test('no error echoes a secret', async () => {
  const cases: [string, string, (secret: string) => unknown][] = [
    ['POST', '/v1/users', (secret) => ({ email: 'a@example.com', password: [secret] })],
    ['POST', '/v1/users', (secret) => ({ email: 'a@example.com', password: { is: secret } })],
    ['POST', '/v1/users', (secret) => ({ email: 'a@example.com', password: secret.repeat(9) })],
    ['POST', '/v1/users', (secret) => ({ email: 'a@example.com', password: `${secret}\u0007` })],
    ['POST', '/v1/users', (secret) => ({ email: 'a@example.com', passwort: secret })],
    ['POST', '/v1/users', (secret) => `{"email":"a@example.com","password":"${secret}",}`],
    ['POST', '/v1/users', (secret) => `{"password":"${secret}","password":"${secret}"}`],
    ['POST', '/v1/users', (secret) => JSON.stringify(secret)],
    ['POST', '/v1/accounts', (secret) => ({ email: 'a@example.com', password: [secret] })],
    ['POST', '/v1/auth/login', (secret) => ({ email: 'a@example.com', password: [secret] })],
    ['POST', '/v1/auth/login', (secret) => ({ email: 'x', password: secret })],
    ['POST', '/v1/auth/login', (secret) => ({ email: 'a@example.com', password: secret, a: 1 })],
    ['POST', '/v1/auth/refresh', (secret) => ({ refresh_token: [secret] })],
    ['POST', '/v1/auth/refresh', (secret) => ({ refresh_token: secret.repeat(60) })],
    ['POST', '/v1/auth/refresh', (secret) => ({ refresh_tokn: secret })],
  ]
  for (const [method, path, make] of cases) {
    const secret = newPassword()
    const body = make(secret)
    const response = await florin.call(method, path, { body })
    assertRejected(response, 400, `${path} ${JSON.stringify(body).replaceAll(secret, '…')}`)
    assert.ok(!response.text.includes(secret.slice(3, 20)), `${path} echoed a secret`)
  }
  const short = await florin.call('POST', '/v1/users', {
    body: { email: 'a@example.com', password: 'zq7Zx' },
  })
  assertRejected(short, 400, 'short password')
  assert.ok(!short.text.includes('zq7Zx'))
})
