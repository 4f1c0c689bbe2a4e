// The files of the embedded database (tables, write-ahead log, server log) contain no secret in
// plain text, except webhook signing secrets, which every delivery needs.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { call } from '../support/call.ts'
import { logInForCookie } from '../support/cookie-login.ts'
import { SecretSearch } from '../support/find-secrets.ts'
import { credentials } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

test('the files of the embedded database contain no plain-text secrets', async (t) => {
  const installation = await makeUsedInstallation(t)
  const { florin, url } = await installation.start()
  const secrets: string[] = []
  const addSecret = (secret: string): string => {
    assert.ok(secret.length > 16)
    secrets.push(secret)
    return secret
  }
  const post = async (path: string, body: object, token?: string) => {
    const response = await call(url, 'POST', path, { token, body })
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const who = credentials('owner')
  addSecret(who.password)
  await post('/v1/accounts', { ...who, name: 'Acme Ltd', type: 'business' })
  const session = await post('/v1/auth/login', who)
  addSecret(session.access_token)
  const { refresh_token } = session
  const refreshed = await post('/v1/auth/refresh', { refresh_token: addSecret(refresh_token) })
  addSecret(refreshed.refresh_token)
  const token = addSecret(refreshed.access_token)
  addSecret((await post('/v1/api_keys', { name: 'Shop', scopes: ['*'] }, token)).key)
  const cookie = await logInForCookie((...args) => call(url, ...args), who)
  addSecret(cookie.split('=')[1]!)
  const wrong = addSecret(newPassword())
  const refused = await call(url, 'POST', '/v1/auth/login', { body: { ...who, password: wrong } })
  assert.equal(refused.status, 401)
  await florin.stop()

  const search = new SecretSearch(secrets)
  const files = readdirSync(installation.data_path, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const)
  const countFilesWith = (what: string) => texts.filter(([, text]) => text.includes(what)).length
  assert.ok(countFilesWith(who.email) >= 2, 'the files include tables and write-ahead log')
  for (const [path, text] of texts) assert.deepEqual(search.find(text), [], path)
})
