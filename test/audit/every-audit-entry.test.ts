// Every change by an admin over HTTP writes an audit entry in the same transaction: each write of
// the OpenAPI file is called once, and its Request-Id must be in the audit log.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/postgres/sql.ts'
import { png } from '../accounts/branding/images.ts'
import { DisputeFixtures } from '../disputes/dispute-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { credentials } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { bankRequests } from './bank-requests.ts'
import { payoutRequests } from './payout-requests.ts'
import { transferRequests } from './transfer-requests.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const admin = await florin.people.admin()
const shop = await florin.people.owner()
const { account_id } = shop
const header = { 'florin-account': account_id }
const { body: description } = await florin.call('GET', '/openapi.json')

/** Changes to the caller's session only are not audited. */
/** Logins, and how the caller logs in: test/identity has the audit entries of these. */
const own_login = /^\w+ \/v1\/(auth|user\/(factors|recovery_codes|identities))\b/

type AuditedRequest = { path: string; body?: object | string; headers?: Record<string, string> }

async function make(path: string, body: object, who = shop.token): Promise<string> {
  const response = await florin.call('POST', path, { token: who, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

const newEmail = () => credentials('audited').email
const new_payment = { amount: 100, currency: 'USD', customer_email: 'c@example.com' }
const item = { amount: 100, currency: 'USD', type: 'payment' }
const money = { account_id, ...item }
const transaction = () => make('/v1/transactions', money)
const payment = () => make('/v1/payments', { account_id, ...new_payment })
const subscription = () => make('/v1/subscriptions', { ...new_payment, interval: 'month' })
const disputes = new DisputeFixtures(florin, admin)
const dispute = async () => (await disputes.dispute(shop)).id
const of_shop = (path: string, body: object) => ({ path, body, headers: header })
/** Creates what a DELETE of the same path removes. */
async function removal({ path, body, headers }: ReturnType<typeof of_shop>) {
  await florin.call('POST', path, { token: admin.token, body, headers })
  return { path, headers }
}
const hook = { url: 'https://example.com/webhooks', events: ['*'] }
const endpoint = () => make('/v1/webhook_endpoints', hook)
const delivery = async () => make(`/v1/webhook_endpoints/${await endpoint()}/test`, {})
const key = () => make('/v1/api_keys', { name: 'A key', scopes: ['*'] })
const origins_path = '/v1/account/return_origins'
let origins = 0
const newOrigin = () => `https://shop${++origins}.example`
async function returnOrigin(): Promise<string> {
  const origin = newOrigin()
  await make(origins_path, { origin })
  return origin
}
const logo_path = '/v1/account/logo'
let logos = 0
const newLogo = () => png(++logos, 1).toString('base64')
const invitations_path = '/v1/account/invitations'
const newInvitation = () => ({ email: newEmail(), role: 'member' })
const new_link = { title: 'Tip', amount: 300 }
let are_disputes_on = true
const settle = { outcome: 'succeeded' }

/** In the order of the file; the last one closes an account. */
const requests: Record<string, [action: string, request: () => Promise<AuditedRequest>]> = {
  'post /v1/users': [
    'user.created',
    async () => ({
      path: '/v1/users',
      body: { email: newEmail(), password: newPassword() },
      headers: header,
    }),
  ],
  'patch /v1/users/{user_id}': [
    'user.updated',
    async () => ({
      path: `/v1/users/${(await florin.people.member(shop)).id}`,
      body: { status: 'suspended' },
    }),
  ],
  'delete /v1/users/{user_id}': [
    'user.deleted',
    async () => ({ path: `/v1/users/${(await florin.people.member(shop)).id}` }),
  ],
  'post /v1/accounts': [
    'account.created',
    async () => ({
      path: '/v1/accounts',
      body: { email: newEmail(), password: newPassword(), name: 'Acme', type: 'business' },
    }),
  ],
  'patch /v1/account': [
    'account.updated',
    async () => ({ path: '/v1/account', body: { name: newEmail() }, headers: header }),
  ],
  'patch /v1/accounts/{account_id}': [
    'account.updated',
    async () => ({
      path: `/v1/accounts/${(await florin.people.owner()).account_id}`,
      body: { status: 'suspended' },
    }),
  ],
  'post /v1/account/return_origins': [
    'account.return_origin_added',
    async () => ({ path: origins_path, body: { origin: newOrigin() }, headers: header }),
  ],
  'delete /v1/account/return_origins': [
    'account.return_origin_removed',
    async () => ({ path: `${origins_path}?origin=${await returnOrigin()}`, headers: header }),
  ],
  'patch /v1/user/notifications': [
    'user.notifications_updated',
    async () => {
      are_disputes_on = !are_disputes_on
      return { path: '/v1/user/notifications', body: { dispute: are_disputes_on } }
    },
  ],
  'patch /v1/account/branding': [
    'account.branding_updated',
    async () => ({ path: '/v1/account/branding', body: { website: newOrigin() }, headers: header }),
  ],
  'post /v1/account/logo': [
    'account.branding_updated',
    async () => of_shop(logo_path, { image: newLogo() }),
  ],
  'delete /v1/account/logo': [
    'account.branding_updated',
    () => removal(of_shop(logo_path, { image: newLogo() })),
  ],
  'post /v1/account/invitations': [
    'invitation.created',
    async () => ({ path: invitations_path, body: newInvitation(), headers: header }),
  ],
  'delete /v1/account/invitations/{invitation_id}': [
    'invitation.revoked',
    async () => ({
      path: `${invitations_path}/${await make(invitations_path, newInvitation())}`,
      headers: header,
    }),
  ],
  'patch /v1/account/users/{user_id}': [
    'user.role_changed',
    async () => ({
      path: `/v1/account/users/${(await florin.people.member(shop)).id}`,
      body: { role: 'viewer' },
      headers: header,
    }),
  ],
  'post /v1/customers/{customer_id}/erase': [
    'customer.erased',
    async () => {
      const customer_email = newEmail()
      const id = await make('/v1/payments', { account_id, ...new_payment, customer_email })
      await florin.call('POST', `/v1/payments/${id}/cancel`, { token: shop.token })
      const list = await florin.call('GET', '/v1/customers?limit=1', { token: shop.token })
      const path = `/v1/customers/${list.body.data[0].id}/erase`
      return { path, body: { confirm_email: customer_email }, headers: header }
    },
  ],
  'post /v1/api_keys': [
    'api_key.created',
    async () => ({
      path: '/v1/api_keys',
      body: { name: 'A key', scopes: ['*'] },
      headers: header,
    }),
  ],
  'delete /v1/api_keys/{key_id}': [
    'api_key.revoked',
    async () => ({ path: `/v1/api_keys/${await key()}`, headers: header }),
  ],
  'post /v1/transactions': [
    'transaction.created',
    async () => ({ path: '/v1/transactions', body: money }),
  ],
  'post /v1/transactions/bulk': [
    'transaction.created',
    async () => ({ path: '/v1/transactions/bulk', body: { account_id, transactions: [item] } }),
  ],
  'patch /v1/transactions/{transaction_id}': [
    'transaction.updated',
    async () => ({ path: `/v1/transactions/${await transaction()}`, body: { reference: 'x' } }),
  ],
  'delete /v1/transactions/{transaction_id}': [
    'transaction.canceled',
    async () => ({ path: `/v1/transactions/${await transaction()}` }),
  ],
  'post /v1/transactions/{transaction_id}/settle': [
    'transaction.settled',
    async () => ({ path: `/v1/transactions/${await transaction()}/settle`, body: settle }),
  ],
  'post /v1/payments': [
    'payment.created',
    async () => ({ path: '/v1/payments', body: { account_id, ...new_payment } }),
  ],
  'post /v1/payment_requests': [
    'payment.created',
    async () => ({ path: '/v1/payment_requests', body: { account_id, ...new_payment } }),
  ],
  'post /v1/payment_links': [
    'payment_link.created',
    async () => ({ path: '/v1/payment_links', body: new_link, headers: header }),
  ],
  'patch /v1/payment_links/{payment_link_id}': [
    'payment_link.updated',
    async () => ({
      path: `/v1/payment_links/${await make('/v1/payment_links', new_link)}`,
      body: { title: 'Another tip' },
      headers: header,
    }),
  ],
  'patch /v1/payments/{payment_id}': [
    'payment.updated',
    async () => ({
      path: `/v1/payments/${await payment()}`,
      body: { return_url: `${await returnOrigin()}/thanks` },
    }),
  ],
  'post /v1/payments/{payment_id}/cancel': [
    'payment.canceled',
    async () => ({ path: `/v1/payments/${await payment()}/cancel` }),
  ],
  'post /v1/payments/{payment_id}/send': [
    'payment.sent',
    async () => ({ path: `/v1/payments/${await payment()}/send` }),
  ],
  'post /v1/payments/{payment_id}/settle': [
    'payment.settled',
    async () => ({ path: `/v1/payments/${await payment()}/settle`, body: settle }),
  ],
  'post /v1/disputes/{dispute_id}/resolve': [
    'dispute.resolved',
    async () => ({ path: `/v1/disputes/${await dispute()}/resolve`, body: { status: 'won' } }),
  ],
  ...transferRequests(florin, admin, shop),
  ...payoutRequests(florin, admin, shop),
  ...bankRequests(florin, admin, shop),
  'post /v1/subscriptions': [
    'subscription.created',
    async () => ({
      path: '/v1/subscriptions',
      body: { ...new_payment, interval: 'month' },
      headers: header,
    }),
  ],
  'patch /v1/subscriptions/{subscription_id}': [
    'subscription.updated',
    async () => ({
      path: `/v1/subscriptions/${await subscription()}`,
      body: { status: 'paused' },
      headers: header,
    }),
  ],
  'delete /v1/subscriptions/{subscription_id}': [
    'subscription.canceled',
    async () => ({ path: `/v1/subscriptions/${await subscription()}`, headers: header }),
  ],
  'post /v1/sandbox/clock/advance': [
    'clock.advanced',
    async () => ({ path: '/v1/sandbox/clock/advance', body: { seconds: 1 } }),
  ],
  'post /v1/webhook_endpoints': [
    'webhook_endpoint.',
    async () => ({ path: '/v1/webhook_endpoints', body: hook, headers: header }),
  ],
  'patch /v1/webhook_endpoints/{endpoint_id}': [
    'webhook_endpoint.',
    async () => ({
      path: `/v1/webhook_endpoints/${await endpoint()}`,
      body: { status: 'disabled' },
      headers: header,
    }),
  ],
  'delete /v1/webhook_endpoints/{endpoint_id}': [
    'webhook_endpoint.',
    async () => ({ path: `/v1/webhook_endpoints/${await endpoint()}`, headers: header }),
  ],
  'post /v1/webhook_endpoints/{endpoint_id}/rotate': [
    'webhook_endpoint.',
    async () => ({ path: `/v1/webhook_endpoints/${await endpoint()}/rotate`, headers: header }),
  ],
  'post /v1/webhook_endpoints/{endpoint_id}/test': [
    'webhook_endpoint.',
    async () => ({ path: `/v1/webhook_endpoints/${await endpoint()}/test`, headers: header }),
  ],
  'post /v1/webhook_endpoints/{endpoint_id}/replay': [
    'webhook_endpoint.',
    async () => ({
      path: `/v1/webhook_endpoints/${await endpoint()}/replay`,
      body: { after: 0 },
      headers: header,
    }),
  ],
  'post /v1/webhook_deliveries/{delivery_id}/retry': [
    'webhook_delivery.',
    async () => ({ path: `/v1/webhook_deliveries/${await delivery()}/retry`, headers: header }),
  ],
  'delete /v1/account': [
    'account.closed',
    async () => {
      const { account_id: ending } = await florin.people.owner()
      return { path: '/v1/account', headers: { 'florin-account': ending } }
    },
  ],
}

const writes = Object.entries<Record<string, object>>(description.paths)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
  .filter((name) => /^(post|patch|put|delete) \/v1\//.test(name) && !own_login.test(name))

test('every write is in this table', () => {
  assert.deepEqual(writes.toSorted(), Object.keys(requests).toSorted())
})

/** An account can have at most twenty endpoints. */
async function clearEndpoints(): Promise<void> {
  await florin.db.count(sql`delete from webhook_deliveries`)
  await florin.db.count(sql`delete from webhook_endpoints`)
}

async function send(name: string, { path, body, headers = {} }: AuditedRequest) {
  const method = name.split(' ', 1)[0]!.toUpperCase()
  return florin.call(method, path, { token: admin.token, body, headers })
}

for (const [name, [action, request]] of Object.entries(requests)) {
  test(`${name} by an admin writes an audit entry`, async () => {
    await clearEndpoints()
    const response = await send(name, await request())
    assert.ok(
      response.status === 200 || response.status === 201,
      `${response.status} ${response.text}`,
    )
    const log = await florin.call('GET', `/v1/audit_log?action=${action}&actor=${admin.id}`, {
      token: admin.token,
    })
    const request_id = response.headers.get('request-id')
    const [written] = log.body.data.filter((entry: Entry) => entry.request_id === request_id)
    assert.ok(written, `${name}: no entry starts with ${action}: ${log.text}`)
    assert.deepEqual([written.actor_role, written.actor_id], ['admin', admin.id])
    const about = log.body.data.filter((entry: Entry) => entry.object_id === written.object_id)
    if (written.object_id !== null) {
      const query = `/v1/audit_log?object=${written.object_id}&action=${action}`
      const found = await florin.call('GET', query, { token: admin.token })
      assert.deepEqual(found.body.data, about, 'the entry is found by its object')
    }
  })
}

test('a change whose audit entry cannot be written is rolled back', async (t) => {
  const { pool } = florin.db
  await pool.query(`create function no_entry() returns trigger language plpgsql as
    'begin raise exception ''the log is full''; end'`)
  t.after(() => pool.query('drop function no_entry cascade'))
  for (const [name, [, request]] of Object.entries(requests)) {
    // Changes logs in slices before its transaction; a retry repeats everything.
    if (name.endsWith('/erase')) continue
    await clearEndpoints()
    const prepared = await request()
    await pool.query(`create trigger no_entry before insert on audit_log
      for each row execute function no_entry()`)
    try {
      const response = await assertNoChanges(pool, () => send(name, prepared))
      assert.equal(response.status, 500, `${name}: ${response.text}`)
      assert.equal(response.body.error, 'internal_error')
    } finally {
      await pool.query('drop trigger no_entry on audit_log')
    }
  }
})

type Entry = { request_id: string; object_id: string | null }

test('a rejected change writes no audit entry', async () => {
  const path = '/v1/transactions/txn_01h455vb4pex5vsknk084sn02q/settle'
  const response = await florin.call('POST', path, { token: admin.token, body: settle })
  assert.equal(response.status, 404)
  const log = await florin.call('GET', '/v1/audit_log', { token: admin.token })
  const request_id = response.headers.get('request-id')
  assert.ok(!log.body.data.some((entry: Entry) => entry.request_id === request_id))
})
