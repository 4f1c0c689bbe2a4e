// The settings of the OpenID Connect provider.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../../src/config.ts'

const issuer = 'https://login.example.com/realm'
const complete = {
  FLORIN_OIDC_ISSUER: issuer,
  FLORIN_OIDC_CLIENT_ID: 'florin',
  FLORIN_OIDC_CLIENT_SECRET: 'hunter22',
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

test('all settings are set, or none', () => {
  assert.equal(readConfig({}).oidc, undefined)
  const settings = { issuer, client_id: 'florin', client_secret: 'hunter22' }
  assert.deepEqual(readConfig(complete).oidc, { ...settings, name: 'login.example.com' })
  const named = readConfig({ ...complete, FLORIN_OIDC_NAME: 'Acme SSO' })
  assert.deepEqual(named.oidc, { ...settings, name: 'Acme SSO' })
  for (const name of Object.keys(complete)) {
    const expected = `${name} must be set if another FLORIN_OIDC_ setting is set.`
    assert.deepEqual(faultsOf({ ...complete, [name]: '' }), [expected])
  }
  assert.equal(faultsOf({ FLORIN_OIDC_NAME: 'Acme SSO' }).length, 3)
})

test('the issuer is an https URL, or http on this machine in sandbox mode', () => {
  const withIssuer = (url: string) => ({ ...complete, FLORIN_OIDC_ISSUER: url })
  const live = {
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://florin@localhost/florin',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  }
  for (const url of ['http://127.0.0.1:9000', 'http://localhost:9000', issuer]) {
    assert.deepEqual(faultsOf(withIssuer(url)), [], url)
  }
  for (const url of [
    'http://login.example.com',
    'login.example.com',
    'https://a b',
    'https://x?y',
  ]) {
    const [fault, ...others] = faultsOf(withIssuer(url))
    assert.match(fault!, /^FLORIN_OIDC_ISSUER must be an .*https.* URL/, url)
    assert.ok(fault!.includes(JSON.stringify(url)), url)
    assert.deepEqual(others, [])
  }
  const faults = faultsOf({ ...live, ...withIssuer('http://127.0.0.1:9000') })
  assert.ok(faults.some((fault) => fault.startsWith('FLORIN_OIDC_ISSUER must be an https URL')))
})

test('a password in the issuer is rejected and not echoed', () => {
  const faults = faultsOf({ ...complete, FLORIN_OIDC_ISSUER: 'https://a:hunter22@login.example' })
  assert.equal(faults.length, 1)
  assert.doesNotMatch(faults.join(), /hunter22/)
})

test('a name for the button has at most 40 characters', () => {
  const faults = faultsOf({ ...complete, FLORIN_OIDC_NAME: 'x'.repeat(41) })
  assert.deepEqual(faults, ['FLORIN_OIDC_NAME must have at most 40 characters; got 41.'])
})

test('the settings in the guide are accepted, and it names every setting and the callback', () => {
  const url = new URL('../../../docs/guides/oidc-login.md', import.meta.url)
  const guide = readFileSync(url, 'utf8')
  const lines = [...guide.matchAll(/^(FLORIN_OIDC_\w+)='(.*)'$/gm)]
  const env = Object.fromEntries(lines.map(([, name, value]) => [name!, value!]))
  assert.deepEqual(Object.keys(env), [...Object.keys(complete), 'FLORIN_OIDC_NAME'])
  assert.equal(readConfig(env).oidc?.name, env.FLORIN_OIDC_NAME)
  assert.ok(guide.includes(`*Continue with ${env.FLORIN_OIDC_NAME}*`))
  assert.ok(guide.includes('/dashboard/oidc/callback'))
})
