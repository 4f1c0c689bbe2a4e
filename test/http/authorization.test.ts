// The Authorization header over raw sockets: one valid form, and 401 for everything else. An
// invalid token is never treated as anonymous access.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { assertErrorShape, sendRaw } from '../support/raw.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const owner = await florin.people.owner()

const host = 'Host: localhost\r\n'
const post = `POST /v1/users HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
const get = (target: string, headers = host) => `GET ${target} HTTP/1.1\r\n${headers}\r\n`

test('returns 401 for two Authorization headers, even if both are valid', async () => {
  const good = `Authorization: Bearer ${owner.token}\r\n`
  const pairs = [good + good, `${good}Authorization: Basic eA==\r\n`, `Authorization:\r\n${good}`]
  for (const pair of pairs) {
    const [response] = await sendRaw(florin.url, get('/v1/account', host + pair))
    assert.equal(response?.status, 401)
    assertErrorShape(response, 'two Authorization headers')
    assert.equal(response.headers['www-authenticate'], 'Bearer')
  }
  const [anonymous] = await sendRaw(florin.url, `${post}${good}${good}Content-Length: 2\r\n\r\n{}`)
  assert.equal(anonymous?.status, 401, 'two tokens are not anonymous access')
})

test('accepts Bearer in any case and spaces around the token', async () => {
  const { token } = owner
  const forms = [`Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`, `bEaReR    ${token}  `]
  for (const form of forms) {
    const [response] = await sendRaw(
      florin.url,
      get('/v1/account', `${host}Authorization: ${form}\r\n`),
    )
    assert.equal(response?.status, 200, form.replace(token, '…'))
  }
})

test('errors distinguish API keys from access tokens', async () => {
  const messageFor = async (token: string) => {
    const { status, headers, body } = await florin.call('GET', '/v1/account', { token })
    assert.deepEqual([status, body.error, headers.get('www-authenticate')], expected)
    return body.message
  }
  const expected = [401, 'unauthorized', 'Bearer']
  const { id, key } = await makeKey(florin, owner, ['*'])
  await florin.call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
  const unknown = 'a'.repeat(43)
  for (const bad of [key, `sk_sandbox_${unknown}`, `sk_live_${unknown}`, key.slice(0, -1)]) {
    assert.match(
      await messageFor(bad),
      /^The API key is unknown, .* or revoked\..* live key .* sandbox/,
    )
  }
  for (const bad of [`fat_${unknown}`, owner.refresh_token, 'sk_test_x', unknown]) {
    assert.match(await messageFor(bad), /^The access token is missing, .* Log in again\.$/)
  }
})

test('the error for a bad header at refresh does not mention access tokens', async () => {
  const headers = { authorization: 'Token x' }
  const body = { refresh_token: owner.refresh_token }
  const response = await florin.call('POST', '/v1/auth/refresh', { headers, body })
  assert.equal(response.status, 401)
  assert.match(response.body.message, /^The Authorization header is malformed\. Send it once/)
})

test('returns 401 for any other Authorization value, even if a token is optional', async () => {
  const { token } = owner
  const forms = [
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    token,
    `Bearer${token}`,
    `Bearer: ${token}`,
    `Bearer "${token}"`,
    `Bearer ${token} ${token}`,
    `Bearer ${token},`,
    `Bearer ${token}, Basic eA==`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}=`,
    `Bearer ${token}x`,
    `Bearer ${'a'.repeat(12_000)}`,
    `Bearer fat_${'a'.repeat(43)}`,
    `Bearer ${owner.refresh_token}`,
    `Token ${token}`,
  ]
  for (const form of forms) {
    const header = `Authorization: ${form}\r\n`
    const about = `Authorization: ${form.replaceAll(token, '…').slice(0, 40)}`
    const [required] = await sendRaw(florin.url, get('/v1/account', host + header))
    assert.equal(required?.status, 401, about)
    assertErrorShape(required, about)
    assert.equal(required.body.error, 'unauthorized')
    assert.equal(required.headers['www-authenticate'], 'Bearer')
    const bytes = `${post}${header}Content-Length: 2\r\n\r\n{}`
    const [optional] = await sendRaw(florin.url, bytes)
    assert.equal(optional?.status, 401, about)
  }
})
