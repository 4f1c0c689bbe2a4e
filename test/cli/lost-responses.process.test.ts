// Messages of the CLI when the outcome of a change is unknown: the change may have been applied,
// and how to retry it with the same Idempotency-Key.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FlorinError } from '../../client/src/florin.ts'
import { makeApi } from '../../src/cli/client/api.ts'
import { explainError, nextStep } from '../../src/cli/client/explain-error.ts'
import { StoredLogins } from '../../src/cli/client/stored-logins.ts'
import { describeFailure } from '../../src/cli/failures.ts'
import { startFaultProxy } from '../client/fault-proxy.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const proxy = await startFaultProxy(florin.url)
const owner = await florin.people.owner()
const { key: api_key } = await makeKey(florin, owner, ['*'])
const cli = new Cli(proxy.url)
const env = { FLORIN_API_KEY: api_key }

function payment(reference: string): string[] {
  const { account_id } = owner
  const body = { account_id, amount: 7500, currency: 'USD', type: 'payment', reference }
  return ['post', '/v1/transactions', '-d', JSON.stringify(body)]
}

async function countOf(reference: string): Promise<number> {
  const path = '/v1/transactions?limit=100'
  const { body } = await florin.call('GET', path, { token: owner.token })
  return body.data.filter((one: { reference: string }) => one.reference === reference).length
}

const again = /^run it again with --idempotency-key ([0-9a-f]{32}), so it is applied only once$/

test('retries once after a lost response, with the same key', async () => {
  proxy.lose = 1
  const { code, stderr } = await cli.run(payment('retried'), { env })
  assert.deepEqual([code, stderr], [0, ''])
  const keys = proxy.keysSeen()
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
  assert.equal(await countOf('retried'), 1)
})

test('a lost response reports the key, and running it again applies the change once', async () => {
  proxy.lose = 2
  const lost = await cli.run(payment('lost'), { env })
  assert.deepEqual([lost.code, lost.stdout], [1, ''])
  const [message, next] = lost.stderr.trimEnd().split('\nNext: ')
  assert.match(message!, /^The connection to \S+ was lost \(\w+\)\. The change may have been a/)
  const [, key] = again.exec(next!)!
  assert.deepEqual(proxy.keysSeen(), [key, key])
  const second = await cli.run([...payment('lost'), '--idempotency-key', key!], { env })
  assert.deepEqual([second.code, second.stderr], [0, ''])
  assert.equal(await countOf('lost'), 1)
})

test('--json reports the key too, also one given by the user', async () => {
  proxy.lose = 4
  const made = await cli.run([...payment('json'), '--json'], { env })
  const failure = JSON.parse(made.stderr)
  assert.deepEqual(Object.keys(failure), ['error', 'message', 'next'])
  assert.equal(failure.error, 'server_unreachable')
  assert.match(failure.next, again)
  const own = ['--idempotency-key', 'order-114', '--json']
  const given = JSON.parse((await cli.run([...payment('json'), ...own], { env })).stderr)
  assert.equal(
    given.next,
    'run it again with --idempotency-key order-114, so it is applied only once',
  )
})

test('a 5xx or an incomplete response reports the key', async () => {
  const unavailable = '{"error":"unavailable","message":"Try again shortly."}'
  for (const status of [500, 503]) {
    const canned = { status, headers: { 'request-id': 'req_x' }, body: unavailable }
    // A 503 is retried, a 500 is not.
    proxy.canned.push(...(status === 503 ? [canned, canned] : [canned]))
    const { code, stderr } = await cli.run([...payment('fault'), '--json'], { env })
    assert.equal(code, 1)
    const { next, ...failure } = JSON.parse(stderr)
    assert.match(next, again)
    assert.deepEqual(failure, {
      error: 'unavailable',
      message:
        `The server returned status ${status}; the change may have been applied. ` +
        'Try again shortly.',
      status,
      request_id: 'req_x',
    })
  }
  const half = { status: 201, body: '{"id"', missing: 100 }
  proxy.canned.push(half, half)
  const { stderr } = await cli.run(payment('half'), { env })
  assert.match(stderr, /^The connection to \S+ was lost \(\w+\)\. The change may have been applied/)
  assert.match(stderr.trimEnd().split('\nNext: ')[1]!, again)
})

test('an error of the retry does not hide that the response was lost', async () => {
  proxy.refuse = 1
  proxy.canned.push({ status: 401, body: '{"error":"unauthorized","message":"It has ended."}' })
  const { stderr } = await cli.run([...payment('hidden'), '--json'], { env })
  const { error, message, next } = JSON.parse(stderr)
  assert.equal(error, 'server_unreachable')
  const lost = `No response from ${proxy.url}. The change may have been applied.`
  assert.equal(message, `${lost} The retry failed: It has ended.`)
  assert.match(next, again)
})

test('the end of the session does not hide that the response was lost', async () => {
  const member = new Cli(proxy.url)
  const late = await florin.people.owner()
  await member.logIn(late)
  const { servers } = member.logins()
  const { access_token: token } = servers[proxy.url].session
  await florin.call('DELETE', '/v1/auth/session', { token })
  proxy.refuse = 1
  const { stderr } = await member.run(['patch', '/v1/account', '-d', 'name=New', '--json'])
  const { message, next } = JSON.parse(stderr)
  assert.match(
    message,
    /^No response from .* may have been applied\. The retry failed: The session/,
  )
  assert.match(next, again)
})

test('reports a response timeout', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin logins '))
  t.after(() => rmSync(folder, { recursive: true }))
  const api = makeApi(proxy.url, new StoredLogins(folder), { api_key, timeout_ms: 300 })
  proxy.hang = 2
  const florin = await api.caller()
  const error = await florin.account.update({ name: 'New name' }).then(
    () => assert.fail('it succeeded'),
    (error) => explainError(error, proxy.url, { takes_idempotency_key: true }),
  )
  const { message, next } = describeFailure(error, { opens_database: false })
  assert.equal(message, `No response from ${proxy.url} in time. The change may have been applied.`)
  assert.match(next!, again)
})

test('reports no key for a read, for an unsent request, and without a login', async () => {
  const nowhere = `http://127.0.0.1:${await findFreePort()}`
  const refused = await cli.run([...payment('nowhere'), '--server', nowhere, '--json'], { env })
  assert.deepEqual(Object.keys(JSON.parse(refused.stderr)), ['error', 'message'])
  assert.match(refused.stderr, /Cannot reach a Florin server at .* \(ECONNREFUSED\)/)
  proxy.lose = 2
  const read = await cli.run(['get', '/v1/account', '--json'], { env })
  assert.deepEqual(Object.keys(JSON.parse(read.stderr)), ['error', 'message'])
  // Responses to unauthenticated requests are not stored, so the key would not help.
  proxy.lose = 1
  const body = ['-d', 'email=lost@example.com', '-d', 'password=x', '-d', 'name=Lost']
  const signed_up = await cli.run(['post', '/v1/users', ...body])
  assert.match(signed_up.stderr, /The change may have been applied\.\nNext: check whether/)
})

test('suggests the same key on 409 and another key on 422', async () => {
  const conflict = (status: number) =>
    JSON.stringify({ error: 'idempotency_conflict', message: `As ${status}.` })
  const in_progress = { status: 409, body: conflict(409) }
  proxy.canned.push(in_progress, in_progress, { status: 422, body: conflict(422) })
  const args = [...payment('key'), '--idempotency-key', 'k']
  const waits = await cli.run(args, { env })
  assert.equal(
    waits.stderr,
    'As 409.\nNext: wait a second, then run it again with the same --idempotency-key\n',
  )
  const used = await cli.run(args, { env })
  assert.equal(used.stderr, 'As 422.\nNext: use another --idempotency-key, or omit it\n')
})

test('suggests status and doctor only for a local server', async () => {
  const next = (status: number, is_local: boolean) =>
    nextStep(new FlorinError('unavailable', 'Later.', { status }), is_local)
  assert.deepEqual([next(503, true), next(500, true)], ['florin status', 'florin doctor'])
  assert.deepEqual([next(503, false), next(500, false)], ['wait 1 s, then run it again', undefined])
})
