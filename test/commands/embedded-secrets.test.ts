// What people entrust to the embedded database stands in none of its files in the open: not in its
// tables, not in its log of changes, not in what it says. Only the secrets of webhooks do, because
// every delivery is signed with them.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { call } from '../support/call.ts'
import { logInForCookie } from '../support/dashboard.ts'
import { SecretSearch } from '../support/find-secrets.ts'
import { credentials } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

test('no secret stands in the files of the embedded database', async (t) => {
  const place = await makeUsedInstallation(t)
  const { florin, url } = await place.start()
  const secrets: string[] = []
  const keep = (secret: string): string => {
    assert.ok(secret.length > 16)
    secrets.push(secret)
    return secret
  }
  const ask = async (path: string, body: object, token?: string) => {
    const response = await call(url, 'POST', path, { token, body })
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const who = credentials('owner')
  keep(who.password)
  await ask('/v1/accounts', { ...who, name: 'Acme Ltd', type: 'business' })
  const session = await ask('/v1/auth/login', who)
  keep(session.access_token)
  const { refresh_token } = session
  const renewed = await ask('/v1/auth/refresh', { refresh_token: keep(refresh_token) })
  keep(renewed.refresh_token)
  const token = keep(renewed.access_token)
  keep((await ask('/v1/api_keys', { name: 'Shop', scopes: ['*'] }, token)).key)
  const cookie = await logInForCookie((...asked) => call(url, ...asked), who)
  keep(cookie.split('=')[1]!)
  const wrong = keep(newPassword())
  const refused = await call(url, 'POST', '/v1/auth/login', { body: { ...who, password: wrong } })
  assert.equal(refused.status, 401)
  await florin.stop()

  const search = new SecretSearch(secrets)
  const files = readdirSync(place.data_path, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const)
  const holding = (what: string) => texts.filter(([, text]) => text.includes(what)).length
  assert.ok(holding(who.email) >= 2, 'the tables and the log of changes are among them')
  for (const [path, text] of texts) assert.deepEqual(search.find(text), [], path)
})
