// Bodies as a hostile or a careless client sends them: what is refused, with which status, and
// whether the message says which field, which rule, and what came.

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

/** Bytes with exactly these headers; fetch would add a content type of its own to a string. */
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

function assertRefused(answer: ApiResponse, status: number, about: string): void {
  assert.equal(answer.status, status, `${about}: ${answer.text}`)
  assertErrorShape(answer, about)
  assert.equal(answer.body.error, 'invalid_request', about)
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
    const answer = await signUp(text)
    assertRefused(answer, 400, what)
    assert.match(answer.body.message, /^The body must be valid JSON\. /)
    assert.ok(answer.body.message.length < 300, 'the message does not carry the body back')
  })
}

test('a body that is not an object is 400, and the message says what came', async () => {
  const came = {
    null: 'null',
    '[]': 'an array',
    '"x"': 'a string',
    '5': 'a number',
    true: 'a boolean',
  }
  for (const [text, word] of Object.entries(came)) {
    const answer = await signUp(text)
    assertRefused(answer, 400, text)
    assert.equal(answer.body.message, `The body must be a JSON object; ${word} came.`)
  }
})

test('other charsets than UTF-8 are 400, and UTF-8 by any of its names is not', async () => {
  for (const charset of ['utf-16', 'utf-16le', 'iso-8859-1', '"utf-32"', 'us-ascii', 'x']) {
    const type = `application/json; charset=${charset}`
    const answer = await signUp('{}', { 'content-type': type })
    assertRefused(answer, 400, type)
    assert.match(answer.body.message, /must be UTF-8/, type)
  }
  const good = ['utf-8', 'UTF-8', '"utf-8"', 'utf8']
  for (const charset of good) {
    const answer = await signUp('{}', { 'content-type': `application/json;charset=${charset}` })
    assert.match(answer.body.message, /email is required/, charset)
  }
})

test('other types than JSON are 415, before anybody asks who sent them', async () => {
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
    assertRefused(await signUp('{}', { 'content-type': type }), 415, type)
    const patch = await send('PATCH', '/v1/account', Buffer.from('{}'), { 'content-type': type })
    assertRefused(patch, 415, `${type} without a token`)
  }
  assertRefused(await send('POST', '/v1/users', Buffer.from('{}'), {}), 415, 'no content type')
})

test('the type of a body ignores case and space', async () => {
  for (const type of [
    'Application/JSON',
    'application/json ; charset=utf-8',
    'APPLICATION/JSON;',
  ]) {
    const answer = await signUp('{}', { 'content-type': type })
    assert.match(answer.body.message, /email is required/, type)
  }
})

test('a compressed body is 415', async () => {
  const zipped = gzipSync('{}')
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', '']) {
    const headers = { ...jsonType, 'content-encoding': encoding }
    assertRefused(await signUp(zipped, headers), 415, encoding)
  }
  const plain = await signUp('{}', { ...jsonType, 'content-encoding': 'identity' })
  assert.match(plain.body.message, /email is required/)
})

test('an empty body with a JSON type is no body: 400 where one is needed, else fine', async () => {
  for (const path of ['/v1/users', '/v1/accounts', '/v1/auth/login']) {
    const answer = await send('POST', path, undefined)
    assertRefused(answer, 400, path)
    assert.equal(answer.body.message, 'The body must be a JSON object; nothing was sent.')
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

test('a DELETE with a body of unknown fields is 400', async () => {
  const options = { token: admin.token, body: { force: true } }
  const lone = await florin.people.lone()
  const answer = await florin.call('DELETE', `/v1/users/${lone.id}`, options)
  assertRefused(answer, 400, 'DELETE')
  assert.match(answer.body.message, /"force" is not a field of this request/)
})

test('an unknown field is 400, and a slip gets the nearest name', async () => {
  const cases: [object, RegExp][] = [
    [{ ...credentials('x'), nmae: 'A' }, /^"nmae" is not a field .* Did you mean name\?$/],
    [{ ...credentials('x'), Name: 'A' }, /^"Name" is not a field .* Did you mean name\?$/],
    [{ ...credentials('x'), role: 'admin' }, /^"role" is not a field .* Allowed: email, password/],
    [{ ...credentials('x'), constructor: 1 }, /^"constructor" is not a field/],
    [{ ...credentials('x'), toString: 1 }, /^"toString" is not a field/],
    [{ ...credentials('x'), '': 1 }, /^"" is not a field/],
    [{ ...credentials('x'), ['x'.repeat(5_000)]: 1 }, /^"x{57}…" is not a field/],
    [{ ...credentials('x'), '\ud800': 1 }, /^"\\ud800" is not a field/],
  ]
  for (const [body, message] of cases) {
    const answer = await florin.call('POST', '/v1/users', { body })
    assertRefused(answer, 400, String(message))
    assert.match(answer.body.message, message)
  }
  const settings = { token: owner.token, body: { settings: { curency: 'EUR' } } }
  const nested = await florin.call('PATCH', '/v1/account', settings)
  assertRefused(nested, 400, 'nested')
  assert.match(nested.body.message, /^"settings\.curency" .* Did you mean currency\?$/)
})

test('nothing is turned into another type', async () => {
  const wrong: [string, string, unknown, RegExp][] = [
    ['POST', '/v1/users', { email: ['a@example.com'] }, /^email must be a string; an array came/],
    ['POST', '/v1/users', { email: 7 }, /^email must be a string; 7 came/],
    ['POST', '/v1/users', { email: null }, /^email must be a string; null came/],
    ['POST', '/v1/users', { name: true }, /^name must be a string or null; true came/],
    ['POST', '/v1/users', { name: { first: 'A' } }, /^name must be .*; an object came/],
    ['POST', '/v1/accounts', { type: 1 }, /^type must be a string; 1 came/],
    ['POST', '/v1/accounts', { type: ['business'] }, /^type must be a string; an array came/],
    ['POST', '/v1/accounts', { settings: 'USD' }, /^settings must be a JSON object; "USD" came/],
    ['POST', '/v1/accounts', { settings: null }, /^settings must be a JSON object; null came/],
    ['POST', '/v1/accounts', { settings: [] }, /^settings must be a JSON object; an array came/],
    ['POST', '/v1/accounts', { settings: { currency: 840 } }, /^settings\.currency must be a st/],
  ]
  const whole = { ...credentials('typed'), name: 'Typed', type: 'business' }
  for (const [method, path, part, message] of wrong) {
    const { type: _, ...user } = whole
    const body = { ...(path === '/v1/accounts' ? whole : user), ...(part as object) }
    const answer = await florin.call(method, path, { body })
    assertRefused(answer, 400, JSON.stringify(part))
    assert.match(answer.body.message, message)
  }
})

test('a message names the field, the rule and what came', async () => {
  const whole = { ...credentials('ruled'), name: 'Ruled', type: 'business' }
  const cases: [object, RegExp][] = [
    [{ email: 'no-at-sign' }, /^email must be an email address .*; "no-at-sign" came\.$/],
    [{ email: `${'a'.repeat(250)}@example.com` }, /^email must have at most 254 .*\(262 char/],
    [{ name: '' }, /^name must have 1 to 200 characters; "" came\.$/],
    [{ name: ' \u200b ' }, /^name must be .* and not blank; /],
    [{ name: 'a'.repeat(201) }, /^name must have 1 to 200 characters; "a{57}…" \(201 characters\)/],
    [{ name: '😀'.repeat(201) }, /\(201 characters\) came\.$/],
    [{ type: 'shop' }, /^type must be individual or business; "shop" came\.$/],
    [{ settings: { currency: 'usd' } }, /^settings\.currency must be .* ISO 4217 .*; "usd" came/],
    [{ settings: { currency: 'DEM' } }, /^settings\.currency must be an active .*; "DEM" came/],
    [{ settings: { timezone: 'Berlin' } }, /^settings\.timezone must be an IANA .*; "Berlin" came/],
    [{ settings: { language: 'xx-' } }, /^settings\.language must be a BCP 47 .*; "xx-" came/],
  ]
  for (const [part, message] of cases) {
    const answer = await florin.call('POST', '/v1/accounts', { body: { ...whole, ...part } })
    assertRefused(answer, 400, String(message))
    assert.match(answer.body.message, message)
  }
  for (const missing of ['email', 'name', 'type', 'password']) {
    const { [missing as 'email']: _, ...rest } = whole
    const answer = await florin.call('POST', '/v1/accounts', { body: rest })
    assert.equal(answer.body.message, `${missing} is required. Add it to the body.`)
  }
})

test('a list that is too short or too long is told with how many came', async () => {
  const many = Array.from({ length: 60 }, () => 'payment.*')
  const cases: [string, object, RegExp][] = [
    ['/v1/api_keys', { name: 'x', scopes: [] }, /^scopes must have 1 to 50 items; none came\.$/],
    ['/v1/webhook_endpoints', { events: [] }, /^events must have 1 to 50 items; none came\.$/],
    ['/v1/webhook_endpoints', { events: many }, /^events must have 1 to 50 items; 60 came\.$/],
  ]
  for (const [path, part, message] of cases) {
    const body = path === '/v1/api_keys' ? part : { url: 'https://example.com/hook', ...part }
    const answer = await florin.call('POST', path, { token: owner.token, body })
    assertRefused(answer, 400, String(message))
    assert.match(answer.body.message, message)
  }
})

test('characters that PostgreSQL or a reader trips over are 400 in every text', async () => {
  const whole = { ...credentials('text'), name: 'Text', type: 'business' }
  const texts = ['a\\u0000b', 'a\\ud800b', 'a\\udc00b', 'a\\u0007b', 'a\\u0085b', 'a\\u007fb']
  for (const text of texts) {
    for (const field of ['name', 'email', 'password']) {
      const body = JSON.stringify({ ...whole, [field]: '@@' }).replace('@@', text)
      assertRefused(await florin.call('POST', '/v1/accounts', { body }), 400, `${field} ${text}`)
      if (field === 'name') continue
      const login = JSON.stringify({ ...credentials('text'), [field]: '@@' }).replace('@@', text)
      const answer = await florin.call('POST', '/v1/auth/login', { body: login })
      assertRefused(answer, 400, `log-in ${field} ${text}`)
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

test('good text beyond ASCII is kept as it came', async () => {
  for (const name of ['Łukasz Żółć', '山田太郎', '👩‍👩‍👧 Family', 'İstanbul', 'a\u0301']) {
    const body = { ...credentials('unicode'), name }
    const answer = await florin.call('POST', '/v1/users', { body })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.name, name)
  }
})

test('no refusal carries a secret back', async () => {
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
    const answer = await florin.call(method, path, { body })
    assertRefused(answer, 400, `${path} ${JSON.stringify(body).replaceAll(secret, '…')}`)
    assert.ok(!answer.text.includes(secret.slice(3, 20)), `${path} echoed a secret`)
  }
  const short = await florin.call('POST', '/v1/users', {
    body: { email: 'a@example.com', password: 'zq7Zx' },
  })
  assertRefused(short, 400, 'short password')
  assert.ok(!short.text.includes('zq7Zx'))
})
