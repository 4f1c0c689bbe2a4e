// The request log reveals nothing to the users of an account that they may not read themselves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logPolicyOf } from '../../src/http/request-log-policy.ts'
import { type Permission, permissions } from '../../src/identity/permissions.ts'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { waitFor } from '../webhooks/run-dispatcher.ts'

const florin = await startFlorin()
const { call, people } = florin

/**
 * Independent of the permission table. whole: every reader of the log has the permission, so bodies
 * are logged. entry: some readers or a platform have it, so bodies are not logged. own: only
 * requests of the account's users are logged, without bodies.
 */
const expected: Record<Permission, 'whole' | 'entry' | 'own'> = {
  list_users: 'own',
  create_user: 'entry',
  // Part of create_user, which is logged.
  create_member: 'own',
  retrieve_user: 'own',
  update_user: 'own',
  update_user_status: 'own',
  delete_user: 'own',
  list_accounts: 'own',
  create_account: 'own',
  retrieve_account: 'whole',
  update_account: 'entry',
  close_account: 'entry',
  list_account_users: 'entry',
  retrieve_account_by_id: 'own',
  update_account_by_id: 'own',
  create_transaction: 'whole',
  list_transactions: 'whole',
  count_transactions: 'whole',
  retrieve_transaction: 'whole',
  update_transaction: 'whole',
  cancel_transaction: 'whole',
  settle_transaction: 'entry',
  create_payment: 'whole',
  list_payments: 'whole',
  count_payments: 'whole',
  retrieve_payment: 'whole',
  cancel_payment: 'whole',
  send_payment: 'whole',
  settle_payment: 'entry',
  create_subscription: 'whole',
  list_subscriptions: 'whole',
  retrieve_subscription: 'whole',
  update_subscription: 'whole',
  cancel_subscription: 'whole',
  read_balance: 'whole',
  read_events: 'whole',
  // Never logged, which is decided before this policy applies.
  read_request_logs: 'whole',
  manage_api_keys: 'entry',
  create_platform_key: 'own',
  manage_webhooks: 'entry',
  advance_clock: 'own',
  read_emails: 'own',
  read_audit_log: 'own',
  read_health: 'own',
  // Searches all accounts, with any header.
  search: 'own',
  manage_own_sessions: 'own',
  read_metrics: 'own',
}

test('the log policy of every operation follows from its permissions', () => {
  const found = Object.keys(permissions).map((name) => {
    const { logs_service_callers, bodies } = logPolicyOf(name as Permission)
    assert.ok(logs_service_callers || !bodies, name)
    return [name, bodies ? 'whole' : logs_service_callers ? 'entry' : 'own']
  })
  assert.deepEqual(Object.fromEntries(found), expected)
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
    'events',
    'list_counts',
    'payments',
    'subscriptions',
    'transaction_details',
    'transactions',
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
