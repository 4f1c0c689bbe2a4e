// Paths from hostile or careless clients, sent over raw sockets because client libraries
// normalize them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live_env, startFlorin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { assertErrorShape, type RawResponse, sendRaw } from '../support/raw.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const admin = await florin.people.admin()
const owner = await florin.people.owner()

async function send(
  method: string,
  path: string,
  who?: Person,
  body?: string,
): Promise<RawResponse> {
  const token = who ? `Authorization: Bearer ${who.token}\r\n` : ''
  const length = Buffer.byteLength(body ?? '')
  const carried = body ? `Content-Type: application/json\r\nContent-Length: ${length}\r\n` : ''
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${token}${carried}\r\n`
  const [response] = await sendRaw(florin.url, Buffer.from(head + (body ?? '')))
  assert.ok(response, `${method} ${path} got no response`)
  return response
}

/** Forms that must not be accepted as `id`. */
function malformedForms(id: string): string[] {
  const [prefix = '', rest = ''] = id.split('_')
  return [
    rest,
    `${prefix}${rest}`,
    `${prefix}-${rest}`,
    `_${rest}`,
    `ses_${rest}`,
    `x${id}`,
    id.toUpperCase(),
    `${prefix.toUpperCase()}_${rest}`,
    `${prefix}_${rest.toUpperCase()}`,
    id.slice(0, -1),
    `${id}0`,
    `${prefix}_8${rest.slice(1)}`,
    `${prefix}_${rest.slice(0, -1)}i`,
    `${prefix}_${rest.slice(0, -1)}l`,
    `${prefix}_${rest.slice(0, -1)}u`,
    `${prefix}_01890a5d-ac96-774b-bcce-b302099a8057`,
    `${prefix}_`,
    prefix,
    '0',
    '1',
    '-1',
    'null',
    'undefined',
    'me',
    '..',
    '.',
    '*',
    "'%20or%201=1--",
    '%00',
    `${id}%00`,
    `%00${id}`,
    `${id}%20`,
    `%20${id}`,
    `${id}%0a`,
    `${id};x=1`,
    `${id}%2F`,
    `${id}%2f..`,
    `..%2F${id}`,
    `${id}%3F`,
    `${id}%23`,
    '%ff',
    `${id}%ff`,
    '%',
    '%%',
    '%2',
    '%zz',
    '%u0041',
    '%c3%28',
    '%ed%a0%80',
    '%f0%9f%98%80',
    '%25',
    '%2525',
    '__proto__',
    'constructor',
    'a'.repeat(8_000),
    '%'.repeat(3_000),
    '%41'.repeat(2_600),
  ]
}

test('a malformed path id gets the same response as an unknown one', async () => {
  const targets = [
    { path: '/v1/users', id: owner.id, unknown: 'usr_01h455vb4pex5vsknk084sn02q' },
    { path: '/v1/accounts', id: owner.account_id, unknown: 'acct_01h455vb4pex5vsknk084sn02q' },
  ]
  for (const { path, id, unknown } of targets) {
    assert.equal((await send('GET', `${path}/${id}`, admin)).status, 200)
    const missing = await send('GET', `${path}/${unknown}`, admin)
    assert.equal(missing.status, 404)
    assert.equal(missing.body.error, 'not_found')
    for (const form of malformedForms(id)) {
      const about = `${path}/${form.slice(0, 60)}`
      const anonymous = await send('GET', `${path}/${form}`)
      assert.equal(anonymous.status, 401, about)
      assertErrorShape(anonymous, about)
      const found = await send('GET', `${path}/${form}`, admin)
      assert.equal(found.status, 404, `${about}: ${found.text}`)
      assertErrorShape(found, about)
      assert.equal(found.text, missing.text, about)
    }
  }
})

test('every method rejects a malformed id, whatever the body', async () => {
  const unknown = 'usr_01h455vb4pex5vsknk084sn02q'
  const good = '{"name":"New name"}'
  const missing = await send('PATCH', `/v1/users/${unknown}`, admin, good)
  assert.equal(missing.status, 404)
  for (const form of malformedForms(owner.id)) {
    for (const body of [good, '{"nmae":1}', '{', undefined]) {
      const patched = await send('PATCH', `/v1/users/${form}`, admin, body)
      assert.equal(patched.status, 404, `${form.slice(0, 40)} ${body}: ${patched.text}`)
      assert.equal(patched.text, missing.text)
    }
    const removed = await send('DELETE', `/v1/users/${form}`, admin)
    assert.equal(removed.text, missing.text)
    const forbidden = await send('DELETE', `/v1/users/${form}`, owner, '{')
    assert.equal(forbidden.status, 403, form.slice(0, 40))
    const account = await send('PATCH', `/v1/accounts/${form}`, admin, '{"status":"closed"}')
    assert.equal(account.status, 404, form.slice(0, 40))
  }
})

test('accepts an escaped id', async () => {
  const escaped = [...owner.id]
    .map((character) => `%${character.charCodeAt(0).toString(16)}`)
    .join('')
  const response = await send('GET', `/v1/users/${escaped}`, admin)
  assert.equal(response.status, 200)
  assert.equal(response.body.id, owner.id)
})

test('paths are exact: case, slashes and dots matter', async () => {
  const elsewhere = [
    '/v1',
    '/v1/',
    '/v2/users',
    '/V1/users',
    '/v1/Users',
    '/v1/USERS',
    '//v1/users',
    '/v1//users',
    '/v1/users//',
    `/v1/users/${owner.id}/`,
    `/v1/users/${owner.id}/x`,
    '/v1/users/../users',
    '/v1/./users',
    '/v1/users/%2e%2e/accounts',
    '/v1%2Fusers',
    '/v1/user',
    '/v1/usersx',
    '/v1/account/',
    '/livez/',
    '/%6civez/x',
    '/openapi.json/',
    '/.env',
    '/.git/config',
    '/admin',
    '/%ff',
    '/v1/%ff/x',
    '/%00',
    '/*',
    '/:user_id',
  ]
  const first = await send('GET', '/nowhere')
  for (const path of elsewhere) {
    for (const who of [undefined, admin]) {
      const response = await send('GET', path, who)
      assert.equal(response.status, 404, path)
      assertErrorShape(response, path)
      assert.equal(response.text, first.text, path)
    }
  }
})

test('returns 404 for a trailing slash', async () => {
  const paths = ['/v1/users/', '/v1/accounts/', '/v1/auth/login/', '/v1/auth/session/']
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await send(method, path, admin)
      assert.equal(response.status, 404, `${method} ${path}`)
      assertErrorShape(response, `${method} ${path}`)
    }
  }
})

test('decodes escapes in fixed parts of a path', async () => {
  assert.equal((await send('GET', '/v1/%75sers', admin)).status, 200)
  assert.equal((await send('GET', '/%6civez')).status, 200)
  const wrong = await send('PUT', '/v1/%75sers', admin)
  assert.equal(wrong.status, 405)
})

test('returns 405 for a wrong method, with Allow', async () => {
  const allowed: Record<string, string> = {
    '/v1/auth/login': 'POST',
    '/v1/auth/refresh': 'POST',
    '/v1/auth/session': 'DELETE',
    '/v1/auth/sessions': 'GET, HEAD',
    '/v1/users': 'GET, HEAD, POST',
    [`/v1/users/${owner.id}`]: 'DELETE, GET, HEAD, PATCH',
    '/v1/users/anything': 'DELETE, GET, HEAD, PATCH',
    '/v1/accounts': 'GET, HEAD, POST',
    [`/v1/accounts/${owner.account_id}`]: 'GET, HEAD, PATCH',
    '/v1/account': 'DELETE, GET, HEAD, PATCH',
    '/v1/account/users': 'GET, HEAD',
    '/livez': 'GET, HEAD',
    '/readyz': 'GET, HEAD',
    '/metrics': 'GET, HEAD',
    '/openapi.json': 'GET, HEAD',
  }
  for (const [path, allow] of Object.entries(allowed)) {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
    const wrong = methods.filter((method) => !allow.split(', ').includes(method))
    for (const method of wrong) {
      for (const who of [undefined, admin]) {
        const response = await send(method, `${path}?limit=abc`, who)
        assert.equal(response.status, 405, `${method} ${path}`)
        assertErrorShape(response, `${method} ${path}`)
        assert.equal(response.body.error, 'invalid_request')
        assert.equal(response.headers.allow, allow, `${method} ${path}`)
      }
    }
  }
})

test('live mode sends Strict-Transport-Security', async () => {
  const live = await florin.startSecondServer(live_env)
  for (const path of ['/livez', '/v1/account', '/nowhere', '/pay/unknown', '/dashboard', '/docs']) {
    const header = 'strict-transport-security'
    const [in_live, in_sandbox] = [await live.call('GET', path), await florin.call('GET', path)]
    assert.equal(in_live.headers.get(header), 'max-age=31536000', path)
    assert.equal(in_sandbox.headers.get(header), null, path)
  }
})
