// Invalid header values are rejected before anything is sent. fetch would report them as a lost
// connection, and the message would suggest that a change may have been applied.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFaultProxy } from '../client/fault-proxy.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const proxy = await startFaultProxy(florin.url)
const owner = await florin.people.owner()
const { key: api_key } = await makeKey(florin, owner, ['*'])
const cli = new Cli(proxy.url)
const env = { FLORIN_API_KEY: api_key }

const change = ['patch', '/v1/account', '-d', 'name=New name']

test('rejects an invalid --idempotency-key with a usage error', async () => {
  const wrong = ['Invoice – 114', '75 €', 'one\ntwo', 'tab\there', '', '  ', 'x'.repeat(256)]
  for (const key of wrong) {
    const args = [...change, '--idempotency-key', key]
    const { code, stdout, stderr } = await cli.run(args, { env })
    assert.deepEqual([code, stdout], [64, ''], key)
    assert.equal(
      stderr,
      '--idempotency-key must have 1 to 255 printable ASCII characters, such as Invoice-114. ' +
        'Nothing was sent.\n',
    )
  }
  const read = ['get', '/v1/account', '--idempotency-key', 'Invoice – 114', '--json']
  const result = await cli.run(read, { env })
  assert.deepEqual([result.code, JSON.parse(result.stderr).error], [64, 'usage_error'])
  assert.deepEqual(proxy.requests, [])
})

test('sends every printable key unchanged, and quotes it for the shell in messages', async () => {
  const quoted = {
    'order-114/a_b.c:d@e+f=g,h%20': 'order-114/a_b.c:d@e+f=g,h%20',
    'Invoice 114': "'Invoice 114'",
    "Ann's $HOME; `id`": `'Ann'\\''s $HOME; \`id\`'`,
    '~': "'~'",
    ['x'.repeat(255)]: 'x'.repeat(255),
  }
  for (const [key, shown] of Object.entries(quoted)) {
    proxy.lose = 2
    const args = [...change, '--idempotency-key', key, '--json']
    const { code, stderr } = await cli.run(args, { env })
    assert.equal(code, 1)
    const { next } = JSON.parse(stderr)
    assert.equal(next, `run it again with --idempotency-key ${shown}, so it is applied only once`)
    assert.equal(proxy.keysSeen().at(-1), key)
  }
})

test('validates FLORIN_API_KEY like a key for login, and never prints it', async () => {
  const examples = ['sk_sandbox_…', 'sk_live_short', `${api_key.slice(0, -1)}€`, `${api_key} x`]
  for (const key of [...examples, 'fat_0123456789abcdef']) {
    for (const args of [change, ['get', '/v1/account']]) {
      const { code, stdout, stderr } = await cli.run(args, { env: { FLORIN_API_KEY: key } })
      assert.deepEqual([code, stdout], [64, ''], key)
      assert.equal(
        stderr,
        'FLORIN_API_KEY must be an API key: sk_sandbox_ or sk_live_ and at least 16 letters, ' +
          'digits, _ or -. Nothing was sent. An owner creates one with POST /v1/api_keys. ' +
          'To continue without a key, run: unset FLORIN_API_KEY\n',
      )
    }
  }
  for (const given of [['--key', 'sk_sandbox_…'], ['--key-stdin']]) {
    const { code, stderr } = await cli.run(['login', ...given], { stdin: `${examples[2]}\n` })
    assert.equal(code, 64)
    assert.match(stderr, new RegExp(`^${given[0]} must be an API key: .*Nothing was sent`))
  }
  assert.deepEqual(proxy.requests, [])
  // The carriage return of a Windows file is not part of the key.
  const padded = await cli.run(['get', '/v1/account'], { env: { FLORIN_API_KEY: `${api_key}\r` } })
  assert.deepEqual([padded.code, padded.stderr], [0, ''])
})

test('commands that send no credentials ignore an invalid key', async () => {
  const { code } = await cli.run(['open'], { env: { FLORIN_API_KEY: 'sk_sandbox_…' } })
  assert.equal(code, 0)
})

test('reports a damaged stored token without printing it', async () => {
  const damaged = new Cli(proxy.url)
  await damaged.logIn(owner)
  proxy.requests.length = 0
  for (const end of ['€', '\u0001']) {
    damaged.rewrite(({ servers }) => {
      servers[proxy.url].session.access_token = `fat_secret${end}`
    })
    const { code, stdout, stderr } = await damaged.run(change)
    assert.deepEqual([code, stdout], [1, ''])
    assert.equal(
      stderr,
      `The stored login for ${proxy.url} is damaged. Nothing was sent.\nNext: florin login\n`,
    )
  }
  assert.deepEqual(proxy.requests, [])
})
