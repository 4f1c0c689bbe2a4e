// URLs in settings and options: validation and normalization.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from '../../src/cli/read-address.ts'
import { readClientSettings, readConfig } from '../../src/config.ts'
import { connectionOf } from '../../src/postgres/connect.ts'
import { parseMailServer } from '../../src/server-urls.ts'

const pay = 'https://pay.example.com'

const publicUrl = (FLORIN_PUBLIC_URL: string) => readConfig({ FLORIN_PUBLIC_URL }).public_url
const server = (FLORIN_SERVER: string) => readClientSettings({ FLORIN_SERVER }).server_url

test('normalizes URLs', () => {
  for (const [text, url] of [
    ['HTTPS://Pay.Example.com', pay],
    [`${pay}:443//`, pay],
    [`${pay}/Shop/../pay/`, `${pay}/pay`],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[::1]:4000', 'http://[::1]:4000'],
    [`${pay}/@shop`, `${pay}/@shop`],
  ] as const) {
    assert.deepEqual([publicUrl(text), server(text), readAddress(` ${text}\n`)], [url, url, url])
  }
})

test('rejects a URL that cannot be a link prefix, and names the rule', () => {
  const likeness = 'must be an http or https URL such as https://pay.example.com'
  const shape = ['https:pay.example.com', 'https:/pay.example.com', 'https:///pay.example.com']
  const slashes = ['https:\\\\pay.example.com', `${pay}\\shop`]
  for (const [texts, rule] of [
    [['/?', '/#', '?', '#', '/?a=b', '/#a'].map((end) => pay + end), `${likeness}, without ? or #`],
    [[...shape, ...slashes, 'ftp://pay.example.com', 'pay.example.com', 'https://'], likeness],
  ] as const) {
    for (const text of texts) {
      const expected = (name: string) => ({
        faults: [`${name} ${rule}; got ${JSON.stringify(text)}.`],
      })
      assert.throws(() => publicUrl(text), expected('FLORIN_PUBLIC_URL'))
      assert.throws(() => server(text), expected('FLORIN_SERVER'))
      assert.equal(readAddress(text), undefined)
    }
  }
})

test('rejects a user name or password in a URL without printing it', () => {
  for (const who of [':hunter22@', 'ann:hunter22@', 'hunter22@', ':@']) {
    const url = `https://${who}pay.example.com`
    const refused = /^ConfigError: FLORIN_\w+ must be .*\.com, without a user name or password\.$/
    assert.throws(() => publicUrl(url), refused)
    assert.throws(() => server(url), refused)
    assert.equal(readAddress(url), undefined)
  }
  for (const text of ['https:ann:hunter22@pay.example.com', 'ann:hunter22@pay.example.com']) {
    assert.throws(
      () => publicUrl(text),
      /^ConfigError: (?!.*hunter22).* must be .*\.example\.com\.$/,
    )
  }
})

test('live mode accepts an upper-case HTTPS scheme', () => {
  const settings = {
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d',
    FLORIN_PROCESSOR: 'manual',
    FLORIN_PUBLIC_URL: 'HTTPS://pay.example.com',
  }
  assert.equal(readConfig(settings).public_url, pay)
})

test('validates DATABASE_URL and the SMTP URL', () => {
  for (const DATABASE_URL of ['postgres:d', 'postgresql:/d', 'mysql://u:hunter22@h/d']) {
    const refused = /^ConfigError: DATABASE_URL must look like postgres:\/\/[^\n]+\.$/
    assert.throws(() => readConfig({ DATABASE_URL }), refused)
  }
  for (const DATABASE_URL of ['postgres://u:p@h/d', 'POSTGRESQL:///d?host=/run/postgresql']) {
    assert.equal(readConfig({ DATABASE_URL }).database_url, DATABASE_URL)
  }
  const several = 'postgres://u:a%40b,c@one:5432,[::1],three:5434/d?target_session_attrs=read-write'
  assert.equal(readConfig({ DATABASE_URL: several }).database_url, several)
  assert.deepEqual(connectionOf(`${several}&sslmode=disable`), {
    connectionString: 'postgres://u:a%40b,c@one:5432/d?sslmode=disable',
    other_hosts: [
      'postgres://u:a%40b,c@[::1]/d?sslmode=disable',
      'postgres://u:a%40b,c@three:5434/d?sslmode=disable',
    ],
    target: 'read-write',
  })
  for (const [DATABASE_URL, refused] of [
    ['postgres://u@one,,two/d', /^ConfigError: DATABASE_URL must not list an empty host name\.$/],
    ['postgres://u@one,two:port/d', /^ConfigError: DATABASE_URL must look like postgres:/],
    ['postgres:///d?host=one,two', /^ConfigError: DATABASE_URL must list several hosts before/],
    [
      'postgres://u:hunter22@one,two/d?target_session_attrs=standby',
      /^ConfigError: DATABASE_URL must have .* "any", "read-write", "primary"; got "standby"\.$/,
    ],
  ] as const) {
    assert.throws(() => readConfig({ DATABASE_URL }), refused)
  }
  // A password without a user name would never be sent.
  assert.equal(parseMailServer('smtp://:hunter22@mail.example.com'), undefined)
  assert.equal(parseMailServer('smtp://mail.example.com?'), undefined)
})
