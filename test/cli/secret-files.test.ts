// Secrets in files: X_FILE instead of X, and systemd credentials.

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  ConfigError,
  readClientSettings,
  readConfig,
  settingNames,
  unknownSettings,
} from '../../src/config.ts'
import { secretNames } from '../../src/secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-secrets-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults
  }
}

const url = 'postgres://florin:hunter22@db/florin'

test('a secret is read from the file, without the line break at its end', () => {
  for (const text of [url, `${url}\n`, `${url}\r\n`, `${url}\n\n`]) {
    const config = readConfig({ DATABASE_URL_FILE: file('url', text) })
    assert.equal(config.database_url, url)
  }
  const key = Buffer.alloc(32, 7)
  const config = readConfig({
    FLORIN_ADMIN_EMAIL: 'ann@example.com',
    FLORIN_ADMIN_PASSWORD_FILE: file('password', ' with spaces \n'),
    FLORIN_SECRET_KEY_FILE: file('key', `${key.toString('base64')}\n`),
    FLORIN_SMTP_URL_FILE: file('smtp', 'smtp://user:hunter22@mail.example.com\n'),
    FLORIN_EMAIL_FROM: 'pay@example.com',
    FLORIN_PROCESSOR: 'stripe,mollie',
    FLORIN_STRIPE_SECRET_KEY_FILE: file('stripe', 'sk_test_1\n'),
    FLORIN_STRIPE_WEBHOOK_SECRET_FILE: file('whsec', 'whsec_1,whsec_2\n'),
    FLORIN_MOLLIE_API_KEY_FILE: file('mollie', 'test_1\n'),
    FLORIN_OIDC_ISSUER: 'https://login.example.com',
    FLORIN_OIDC_CLIENT_ID: 'florin',
    FLORIN_OIDC_CLIENT_SECRET_FILE: file('oidc', 'hunter22\n'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
    OTEL_EXPORTER_OTLP_HEADERS_FILE: file('headers', 'x-token=hunter22\n'),
  })
  assert.equal(config.admin?.password, ' with spaces ')
  assert.deepEqual(config.secret_keys, [key])
  assert.equal(config.smtp?.server.login?.password, 'hunter22')
  assert.equal(config.stripe?.secret_key, 'sk_test_1')
  assert.deepEqual(config.stripe?.webhook_secrets, ['whsec_1', 'whsec_2'])
  assert.equal(config.mollie?.api_key, 'test_1')
  assert.equal(config.oidc?.client_secret, 'hunter22')
  assert.deepEqual(config.traces?.headers, { 'x-token': 'hunter22' })
})

test('every setting with a key, a password or a secret can be in a file', () => {
  const secret = /_(KEY|PASSWORD|SECRET|TOKEN)$/
  const missing = settingNames
    .filter((name) => secret.test(name) && name !== 'FLORIN_TLS_KEY')
    .filter((name) => !(secretNames as readonly string[]).includes(name))
  assert.deepEqual(missing, [])
})

test('client commands read FLORIN_API_KEY_FILE, and no secret of the server', () => {
  const env = { FLORIN_API_KEY_FILE: file('api', 'sk_live_1\n'), DATABASE_URL_FILE: '/none/url' }
  assert.equal(readClientSettings(env).api_key, 'sk_live_1')
  assert.equal(readConfig({ FLORIN_API_KEY_FILE: '/none/key' }).mode, 'sandbox')
})

test('rejects a secret that is set twice, and shows neither', () => {
  const path = file('twice', url)
  assert.deepEqual(faultsOf({ DATABASE_URL: url, DATABASE_URL_FILE: path }), [
    'DATABASE_URL and DATABASE_URL_FILE are both set. Remove one of them.',
  ])
  // An empty value counts as not set, as in compose files.
  assert.equal(readConfig({ DATABASE_URL: ' ', DATABASE_URL_FILE: path }).database_url, url)
  assert.equal(readConfig({ DATABASE_URL: url, DATABASE_URL_FILE: '' }).database_url, url)
})

test('explains a file that is missing, empty, too large or not a file', () => {
  const fault = (path: string) => faultsOf({ FLORIN_SECRET_KEY_FILE: path })[0]
  const advice = 'Fix the path, and let the user that Florin runs as read the file.'
  const missing = join(folder, 'missing')
  assert.equal(
    fault(missing),
    `FLORIN_SECRET_KEY_FILE names ${missing}, which does not exist. ${advice}`,
  )
  for (const text of ['', '\n', ' \n']) {
    const empty = file('empty', text)
    const rule = 'which is empty. Write the secret into it.'
    assert.equal(fault(empty), `FLORIN_SECRET_KEY_FILE names ${empty}, ${rule}`)
  }
  assert.match(fault(folder)!, /, which is not a file\.$/)
  assert.match(fault(file('large', 'x'.repeat(65_537)))!, /, which has more than 65536 bytes\.$/)
})

const asRoot = { skip: process.getuid?.() === 0 && 'root may read everything' }

test('explains a file that this user may not read', asRoot, () => {
  const path = file('locked', 'x')
  chmodSync(path, 0)
  const [fault] = faultsOf({ FLORIN_SECRET_KEY_FILE: path })
  assert.match(fault!, /, which cannot be read \(EACCES\)\. Fix the path/)
})

test('does not show a secret that was written instead of a path', () => {
  for (const secret of [url, 'c2VjcmV0', '/c2VjcmV0', '/c2Vjc/mV0']) {
    const [fault] = faultsOf({ DATABASE_URL_FILE: secret })
    assert.match(fault!, /^DATABASE_URL_FILE names a file, which does not exist\. /)
    assert.ok(!fault!.includes(secret))
  }
})

test('an invalid secret in a file is reported under the name of the setting', () => {
  assert.deepEqual(faultsOf({ DATABASE_URL_FILE: file('wrong', 'mysql://u:hunter22@h/d') }), [
    'DATABASE_URL must look like postgres://user:password@host:5432/database.',
  ])
})

test('a systemd credential with the name of a secret setting is used', () => {
  const CREDENTIALS_DIRECTORY = join(folder, 'credentials')
  mkdirSync(CREDENTIALS_DIRECTORY)
  writeFileSync(join(CREDENTIALS_DIRECTORY, 'DATABASE_URL'), `${url}\n`)
  writeFileSync(join(CREDENTIALS_DIRECTORY, 'FLORIN_MODE'), 'ignored: not a secret')
  const config = readConfig({ CREDENTIALS_DIRECTORY })
  assert.deepEqual([config.database_url, config.mode], [url, 'sandbox'])
  assert.deepEqual(faultsOf({ CREDENTIALS_DIRECTORY, DATABASE_URL: url }), [
    'DATABASE_URL and $CREDENTIALS_DIRECTORY/DATABASE_URL are both set. Remove one of them.',
  ])
})

test('unknown settings: files of secrets are known, files of other settings are not', () => {
  const env = { FLORIN_SECRET_KEY_FILE: '/x', FLORIN_API_KEY_FILE: '/x', FLORIN_MODE_FILE: '/x' }
  assert.deepEqual(unknownSettings(env), [
    'FLORIN_MODE_FILE is not a Florin setting and is ignored. Did you mean FLORIN_MODE?',
  ])
})
