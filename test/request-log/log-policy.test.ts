// The request log reveals nothing to the users of an account that they may not read themselves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '../../src/identity/permissions.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { waitFor } from '../webhooks/run-dispatcher.ts'

const florin = await startFlorin()
const { call, people } = florin

const operations = Object.keys(permissions) as Permission[]

// Admins and platforms read the log through the header, and may see more than any of these.
const readers = ['owner', 'member', 'account_key'] as const

test('bodies are logged exactly where every reader of the log may call the operation', () => {
  for (const reader of readers) assert.equal(permissions.read_request_logs[reader], 'account')
  for (const operation of operations) {
    const { log, ...row } = permissions[operation]
    const is_shared = row.scope !== 'never' && readers.every((role) => row[role] === 'account')
    if (log !== 'nothing') assert.equal(log === 'bodies', is_shared, operation)
  }
})

test('requests of admins and platforms are logged only if the header selects the account', () => {
  for (const operation of operations) {
    const { log, admin, platform } = permissions[operation]
    if (log === 'own_line') continue
    for (const reach of [admin, platform]) {
      const is_confined = ['header', 'any_or_header', 'service', 401, 403].includes(reach)
      assert.ok(is_confined, operation)
    }
  }
})

test('only reads of the log itself are left out of it', () => {
  const unlogged = operations.filter((operation) => permissions[operation].log === 'nothing')
  assert.deepEqual(unlogged, ['read_request_logs'])
})

test('requests that only admins may send are logged for the users of the account only', () => {
  for (const operation of operations) {
    const { admin: _, scope: __, log, ...others } = permissions[operation]
    if (Object.values(others).every((reach) => typeof reach === 'number'))
      assert.equal(log, 'own_line', operation)
  }
})

// biome-ignore lint/suspicious/noExplicitAny: entries are looked into.
type Entry = any

/** All entries, once the one with this id is written. */
async function logOf(token: string, last_id: string): Promise<Entry[]> {
  const read = async (): Promise<Entry[]> =>
    (await call('GET', '/v1/request_logs?limit=100', { token })).body.data
  await waitFor('the entry', async () => (await read()).some(({ id }) => id === last_id))
  return read()
}

const paths: string[] = Object.entries<object>((await call('GET', '/openapi.json', {})).body.paths)
  .filter(([path, methods]) => 'get' in methods && path.startsWith('/v1/'))
  .map(([path]) => path)
  .filter((path) => !path.endsWith('/stream'))

test('does not log what admins and platforms read outside of the account', async () => {
  const [owner, other] = [await people.owner(), await people.owner()]
  const member = await people.member(owner)
  const lone = await people.lone()
  const headers = { 'florin-account': owner.account_id }
  const ids: Record<string, string> = { user_id: lone.id, account_id: other.account_id }
  const unknown = toTypeId('transaction', newUuid(Date.now()))
  for (const { token } of [await people.admin(), await people.platform()]) {
    for (const path of paths) {
      const named = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? unknown)
      const query = path === '/v1/search' ? `?q=${other.account_id}` : ''
      await call('GET', `${named}${query}`, { token, headers })
    }
    const email = `${newUuid(Date.now())}@example.com`
    const body = { name: 'Shop', email, password: 'an unused password', type: 'business' }
    const made = await call('POST', '/v1/accounts', { token, headers, body })
    assert.equal(made.status, 201, made.text)
  }
  const last = await call('GET', '/v1/account', { token: owner.token })
  const entries = await logOf(member.token, last.headers.get('request-id')!)
  const seen = new Set(entries.map(({ path }) => path.split('/')[2]))
  assert.deepEqual([...seen].sort(), [
    'account',
    'api_keys',
    'customers',
    'disputes',
    'documents',
    'events',
    'list_counts',
    'payment_links',
    'payment_requests',
    'payments',
    'payouts',
    'subscriptions',
    'transaction_details',
    'transactions',
    'transfers',
    'webhook_deliveries',
    'webhook_endpoints',
  ])
  const text = JSON.stringify(entries)
  for (const foreign of [other.account_id, other.email, lone.email]) {
    assert.ok(!text.includes(foreign), foreign)
  }
})

test('logs requests that only an owner may send without bodies', async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const { token } = owner
  const send = (method: string, path: string, body?: object) =>
    call(method, path, { token, ...(body && { body }) })
  await send('POST', '/v1/api_keys', { name: 'Till', scopes: ['balance:read'] })
  await send('GET', '/v1/api_keys')
  await send('POST', '/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/', events: ['*'] })
  await send('GET', '/v1/webhook_endpoints')
  await send('GET', '/v1/account/users')
  await send('GET', '/v1/auth/sessions')
  await send('PATCH', '/v1/account', { name: 'A shop' })
  // Includes webhook endpoints for callers that manage them.
  await send('GET', '/v1/account/attention')
  const last = await send('GET', '/v1/account/balance')
  const entries = await logOf(member.token, last.headers.get('request-id')!)
  const [balance, ...rest] = entries
  assert.deepEqual(JSON.parse(balance.response_body), last.body)
  assert.equal(rest.length, 8)
  for (const { method, path, request_body, response_body } of rest) {
    assert.deepEqual([request_body, response_body], [null, null], `${method} ${path}`)
  }
})
