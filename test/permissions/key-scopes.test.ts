// Every endpoint with a key of each scope, for accounts and platforms. Written by hand from the
// specification, never derived from the server's own table.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { Fixtures } from './fixtures.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

const account_scopes = [
  'accounts:read',
  'transactions:read',
  'transactions:write',
  'payments:read',
  'payments:write',
  'disputes:read',
  'disputes:write',
  'transfers:read',
  'payouts:read',
  'subscriptions:read',
  'subscriptions:write',
  'customers:read',
  'payment_links:read',
  'payment_links:write',
  'balance:read',
  'events:read',
  'request_logs:read',
]
const platform_scopes = [
  ...account_scopes,
  'accounts:write',
  'users:read',
  'users:write',
  'members:write',
  'transfers:write',
  'bank_statements:read',
  'bank_statements:write',
  'settlements:read',
]

const txn = toTypeId('transaction', newUuid(Date.now()))
const pay = toTypeId('payment', newUuid(Date.now()))
const lnk = toTypeId('payment_link', newUuid(Date.now()))
const dsp = toTypeId('dispute', newUuid(Date.now()))
const tr = toTypeId('transfer', newUuid(Date.now()))
const po = toTypeId('payout', newUuid(Date.now()))
const pex = toTypeId('payout_export', newUuid(Date.now()))
const stm = toTypeId('bank_statement', newUuid(Date.now()))
const bse = toTypeId('bank_entry', newUuid(Date.now()))
const stl = toTypeId('settlement', newUuid(Date.now()))
const sub = toTypeId('subscription', newUuid(Date.now()))
const cus = toTypeId('customer', newUuid(Date.now()))
const usr = toTypeId('user', newUuid(Date.now()))
const idn = toTypeId('identity', newUuid(Date.now()))
const evt = toTypeId('event', newUuid(Date.now()))
const we = toTypeId('webhook_endpoint', newUuid(Date.now()))
const wd = toTypeId('webhook_delivery', newUuid(Date.now()))
const acct = toTypeId('account', newUuid(Date.now()))
const bad = { nonsense: true }

/**
 * The required scope, the status without it, and the status when permitted, for each kind of key.
 * `never` means that no key may. Bodies are invalid and ids unknown on purpose: 400 or 404 shows
 * that the key passed the permission check, without changing anything.
 */
type Row = [
  call: string,
  scope: string,
  denied: 401 | 403,
  of_account: number | 'denied',
  of_platform: number | 'denied',
  body?: unknown,
]

const table: Row[] = [
  ['GET /v1/users', 'users:read', 403, 'denied', 200],
  [`GET /v1/user_details?user_ids=${usr}`, 'users:read', 403, 'denied', 200],
  // All platform key requests here have Florin-Account, so this creates a member of that account.
  ['POST /v1/users', 'members:write', 401, 'denied', 400, bad],
  [`GET /v1/users/${usr}`, 'users:read', 401, 'denied', 404],
  [`PATCH /v1/users/${usr}`, 'never', 401, 'denied', 'denied', bad],
  [`DELETE /v1/users/${usr}`, 'never', 403, 'denied', 'denied'],
  ['GET /v1/user/identities', 'never', 401, 'denied', 'denied'],
  [`DELETE /v1/user/identities/${idn}`, 'never', 401, 'denied', 'denied'],
  ['GET /v1/accounts', 'accounts:read', 403, 'denied', 200],
  ['POST /v1/accounts', 'accounts:write', 401, 'denied', 400, bad],
  ['GET /v1/account', 'accounts:read', 403, 200, 200],
  ['PATCH /v1/account', 'never', 401, 'denied', 'denied', bad],
  ['DELETE /v1/account', 'never', 403, 'denied', 'denied'],
  ['GET /v1/account/users', 'users:read', 401, 'denied', 200],
  [`PATCH /v1/account/users/${usr}`, 'never', 401, 'denied', 'denied', bad],
  [`GET /v1/accounts/${acct}`, 'accounts:read', 401, 'denied', 404],
  [`PATCH /v1/accounts/${acct}`, 'never', 401, 'denied', 'denied', bad],
  ['POST /v1/transactions', 'transactions:write', 401, 400, 400, bad],
  ['POST /v1/transactions/bulk', 'transactions:write', 401, 400, 400, bad],
  ['GET /v1/transactions', 'transactions:read', 401, 200, 200],
  [`GET /v1/transactions/${txn}`, 'transactions:read', 401, 404, 404],
  [`PATCH /v1/transactions/${txn}`, 'transactions:write', 401, 400, 400, bad],
  [`DELETE /v1/transactions/${txn}`, 'transactions:write', 401, 404, 404],
  [`GET /v1/transactions/${txn}/postings`, 'transactions:read', 401, 404, 404],
  ['GET /v1/list_counts/transactions', 'transactions:read', 401, 200, 200],
  ['GET /v1/list_counts/payments', 'payments:read', 401, 200, 200],
  ['GET /v1/list_counts/subscriptions', 'subscriptions:read', 401, 200, 200],
  ['GET /v1/list_counts/events', 'events:read', 401, 200, 200],
  ['GET /v1/list_counts/webhook_deliveries', 'never', 401, 'denied', 'denied'],
  [`GET /v1/transactions/${txn}/refunds`, 'transactions:read', 401, 404, 404],
  [`GET /v1/transactions/${txn}/charge`, 'transactions:read', 401, 404, 404],
  [`GET /v1/transaction_details?transaction_ids=${txn}`, 'transactions:read', 401, 200, 200],
  [`POST /v1/transactions/${txn}/settle`, 'transactions:write', 401, 'denied', 400, bad],
  ['POST /v1/payments', 'payments:write', 401, 400, 400, bad],
  ['GET /v1/payments', 'payments:read', 401, 200, 200],
  [`GET /v1/payments/${pay}`, 'payments:read', 401, 404, 404],
  [`GET /v1/payments/${pay}/status`, 'payments:read', 401, 404, 404],
  [`GET /v1/payments/${pay}/attempts`, 'payments:read', 401, 404, 404],
  [`PATCH /v1/payments/${pay}`, 'payments:write', 401, 400, 400, bad],
  [`GET /v1/payments/${pay}/return_urls`, 'payments:read', 401, 404, 404],
  ['GET /v1/user/notifications', 'never', 401, 'denied', 'denied'],
  ['PATCH /v1/user/notifications', 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/account/branding', 'accounts:read', 403, 200, 200],
  ['PATCH /v1/account/branding', 'never', 401, 'denied', 'denied', bad],
  ['POST /v1/account/logo', 'never', 401, 'denied', 'denied', bad],
  ['DELETE /v1/account/logo', 'never', 401, 'denied', 'denied'],
  ['GET /v1/account/bank_details', 'accounts:read', 403, 200, 200],
  ['POST /v1/account/bank_details', 'never', 401, 'denied', 'denied', bad],
  ['DELETE /v1/account/bank_details', 'never', 401, 'denied', 'denied'],
  ['GET /v1/account/invitations', 'never', 401, 'denied', 'denied'],
  ['POST /v1/account/invitations', 'never', 401, 'denied', 'denied', bad],
  [
    `DELETE /v1/account/invitations/${toTypeId('invitation', newUuid(1))}`,
    'never',
    401,
    'denied',
    'denied',
  ],
  ['GET /v1/account/return_origins', 'never', 401, 'denied', 'denied'],
  ['POST /v1/account/return_origins', 'never', 401, 'denied', 'denied', bad],
  ['DELETE /v1/account/return_origins?origin=https://a.example', 'never', 401, 'denied', 'denied'],
  [`POST /v1/payments/${pay}/cancel`, 'payments:write', 401, 404, 404],
  ['POST /v1/payment_requests', 'payments:write', 401, 400, 400, bad],
  [`GET /v1/payment_requests/${pay}`, 'payments:read', 401, 404, 404],
  [`GET /v1/payments/${pay}/emails`, 'payments:read', 401, 404, 404],
  ['POST /v1/payment_links', 'payment_links:write', 401, 400, 400, bad],
  ['GET /v1/payment_links', 'payment_links:read', 401, 200, 200],
  [`GET /v1/payment_links/${lnk}`, 'payment_links:read', 401, 404, 404],
  [`PATCH /v1/payment_links/${lnk}`, 'payment_links:write', 401, 400, 400, bad],
  ['GET /v1/documents', 'payments:read', 401, 200, 200],
  [`GET /v1/documents/${toTypeId('document', newUuid(1))}`, 'payments:read', 401, 404, 404],
  [`GET /v1/payments/${pay}/receipt`, 'payments:read', 401, 404, 404],
  [`GET /v1/transactions/${txn}/credit_note`, 'payments:read', 401, 404, 404],
  [`POST /v1/payments/${pay}/send`, 'payments:write', 401, 404, 404],
  [`POST /v1/payments/${pay}/settle`, 'payments:write', 401, 'denied', 400, bad],
  ['GET /v1/disputes', 'disputes:read', 401, 200, 200],
  [`GET /v1/disputes/${dsp}`, 'disputes:read', 401, 404, 404],
  [`POST /v1/disputes/${dsp}/resolve`, 'disputes:write', 401, 400, 400, bad],
  ['POST /v1/transfers', 'transfers:write', 401, 'denied', 400, bad],
  ['GET /v1/transfers', 'transfers:read', 401, 200, 200],
  [`GET /v1/transfers/${tr}`, 'transfers:read', 401, 404, 404],
  ['GET /v1/account/transfer_fee', 'transfers:read', 401, 200, 200],
  ['POST /v1/account/transfer_fee', 'transfers:write', 401, 'denied', 400, bad],
  ['DELETE /v1/account/transfer_fee', 'transfers:write', 401, 'denied', 200],
  ['POST /v1/payouts', 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/payouts', 'payouts:read', 401, 200, 200],
  [`GET /v1/payouts/${po}`, 'payouts:read', 401, 404, 404],
  [`POST /v1/payouts/${po}/approve`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/payouts/${po}/cancel`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/payouts/${po}/resolve`, 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/account/payout_settings', 'payouts:read', 401, 200, 200],
  ['PATCH /v1/account/payout_destination', 'never', 401, 'denied', 'denied', bad],
  ['PATCH /v1/account/payout_limit', 'never', 401, 'denied', 'denied', bad],
  ['POST /v1/payout_exports', 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/payout_exports', 'never', 401, 'denied', 'denied'],
  [`GET /v1/payout_exports/${pex}`, 'never', 401, 'denied', 'denied'],
  [`GET /v1/payout_exports/${pex}/file`, 'never', 401, 'denied', 'denied'],
  ['POST /v1/bank_statements', 'bank_statements:write', 401, 'denied', 400],
  ['GET /v1/bank_statements', 'bank_statements:read', 401, 'denied', 200],
  [`GET /v1/bank_statements/${stm}`, 'bank_statements:read', 401, 'denied', 404],
  ['GET /v1/bank_entries', 'bank_statements:read', 401, 'denied', 200],
  [`GET /v1/bank_entries/${bse}`, 'bank_statements:read', 401, 'denied', 404],
  [`POST /v1/bank_entries/${bse}/match`, 'bank_statements:write', 401, 'denied', 400, bad],
  [`POST /v1/bank_entries/${bse}/ignore`, 'bank_statements:write', 401, 'denied', 400, bad],
  [`POST /v1/bank_entries/${bse}/reopen`, 'bank_statements:write', 401, 'denied', 404],
  ['GET /v1/bank_column_maps', 'bank_statements:read', 401, 'denied', 200],
  ['POST /v1/bank_column_maps', 'bank_statements:write', 401, 'denied', 400, bad],
  ['DELETE /v1/bank_column_maps/x', 'bank_statements:write', 401, 'denied', 404],
  ['GET /v1/settlements', 'settlements:read', 401, 'denied', 200],
  [`GET /v1/settlements/${stl}`, 'settlements:read', 401, 'denied', 404],
  [`GET /v1/settlements/${stl}/entries`, 'settlements:read', 401, 'denied', 404],
  ['GET /v1/reconciliation', 'settlements:read', 401, 'denied', 200],
  ['POST /v1/subscriptions', 'subscriptions:write', 401, 400, 400, bad],
  ['GET /v1/subscriptions', 'subscriptions:read', 401, 200, 200],
  [`GET /v1/subscriptions/${sub}`, 'subscriptions:read', 401, 404, 404],
  [`PATCH /v1/subscriptions/${sub}`, 'subscriptions:write', 401, 400, 400, bad],
  [`DELETE /v1/subscriptions/${sub}`, 'subscriptions:write', 401, 404, 404],
  ['GET /v1/customers', 'customers:read', 401, 200, 200],
  [`GET /v1/customers/${cus}`, 'customers:read', 401, 404, 404],
  [`GET /v1/customers/${cus}/export`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/customers/${cus}/erase`, 'never', 401, 'denied', 'denied', bad],
  [`GET /v1/customers/${cus}/payments`, 'payments:read', 401, 404, 404],
  [`GET /v1/customers/${cus}/subscriptions`, 'subscriptions:read', 401, 404, 404],
  ['GET /v1/account/balance', 'balance:read', 401, 200, 200],
  ['GET /v1/account/statement', 'balance:read', 401, 200, 200],
  ['GET /v1/account/journal?format=csv', 'balance:read', 401, 200, 200],
  ['GET /v1/account/volume', 'balance:read', 401, 200, 200],
  ['GET /v1/account/attention', 'balance:read', 401, 200, 200],
  ['GET /v1/events', 'events:read', 401, 200, 200],
  [`GET /v1/events/${evt}`, 'events:read', 401, 404, 404],
  ['GET /v1/events/stream?after=999', 'events:read', 401, 400, 400],
  ['GET /v1/request_logs', 'request_logs:read', 401, 200, 200],
  ['POST /v1/api_keys', 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/api_keys', 'never', 401, 'denied', 'denied'],
  [`DELETE /v1/api_keys/${toTypeId('api_key', newUuid(1))}`, 'never', 401, 'denied', 'denied'],
  ['POST /v1/webhook_endpoints', 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/webhook_endpoints', 'never', 401, 'denied', 'denied'],
  [`GET /v1/webhook_endpoints/${we}`, 'never', 401, 'denied', 'denied'],
  [`PATCH /v1/webhook_endpoints/${we}`, 'never', 401, 'denied', 'denied', bad],
  [`DELETE /v1/webhook_endpoints/${we}`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/webhook_endpoints/${we}/rotate`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/webhook_endpoints/${we}/test`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/webhook_endpoints/${we}/replay`, 'never', 401, 'denied', 'denied', bad],
  ['GET /v1/webhook_deliveries', 'never', 401, 'denied', 'denied'],
  [`GET /v1/webhook_deliveries/${wd}`, 'never', 401, 'denied', 'denied'],
  [`POST /v1/webhook_deliveries/${wd}/retry`, 'never', 401, 'denied', 'denied'],
  ['POST /v1/sandbox/clock/advance', 'never', 401, 'denied', 'denied', bad],
  [`GET /v1/search?q=${txn}`, 'never', 401, 'denied', 'denied'],
  ['GET /v1/audit_log', 'never', 401, 'denied', 'denied'],
  ['GET /v1/health', 'never', 401, 'denied', 'denied'],
  ['GET /v1/processor', 'never', 401, 'denied', 'denied'],
  ['GET /v1/overview', 'never', 401, 'denied', 'denied'],
  ['GET /v1/emails', 'never', 401, 'denied', 'denied'],
  ['GET /v1/emails/eml_x', 'never', 401, 'denied', 'denied'],
  ['GET /v1/user/factors', 'never', 401, 'denied', 'denied'],
  ['POST /v1/user/factors/totp', 'never', 401, 'denied', 'denied', bad],
  ['POST /v1/user/factors/totp/confirm', 'never', 401, 'denied', 'denied', bad],
  ['DELETE /v1/user/factors/fac_x', 'never', 401, 'denied', 'denied'],
  ['POST /v1/user/factors/passkeys/options', 'never', 401, 'denied', 'denied'],
  ['POST /v1/user/factors/passkeys', 'never', 401, 'denied', 'denied', bad],
  ['POST /v1/user/recovery_codes', 'never', 401, 'denied', 'denied'],
  ['GET /v1/auth/sessions', 'never', 401, 'denied', 'denied'],
  ['DELETE /v1/auth/session', 'never', 401, 'denied', 'denied'],
]

async function expectCell(caller: string, row: Row, allowed: boolean): Promise<void> {
  const [call, , denied, of_account, of_platform, body] = row
  const [method, path] = call.split(' ') as [string, string]
  const is_platform = caller.startsWith('platform_')
  const outcome = is_platform ? of_platform : of_account
  const headers: Record<string, string> = {
    authorization: (await fixtures.authorization(caller))!,
    ...(is_platform && { 'florin-account': (await fixtures.owner('owner')).account_id }),
  }
  const response = await florin.call(method, path, { body, headers })
  const where = `${caller}: ${call} ${response.text}`
  if (allowed && outcome !== 'denied') return assert.equal(response.status, outcome, where)
  assert.equal(response.status, denied, where)
  const challenge = denied === 401 ? 'Bearer error="insufficient_scope"' : null
  assert.equal(response.headers.get('www-authenticate'), challenge, where)
}

for (const [kind, scopes] of [
  ['key', account_scopes],
  ['platform_key', platform_scopes],
] as const) {
  for (const [at, scope] of [...scopes, '*'].entries()) {
    test(`a ${kind} with ${scope} may do only what the scope permits`, async () => {
      const caller = `${kind}:${scope}`
      await fixtures.authorization(caller)
      await fixtures.owner('owner')
      // Bodies are invalid and ids unknown, so permitted requests change nothing either.
      await assertNoChanges(florin.db.pool, async () => {
        for (const row of table.filter((_, row_at) => isSent(row_at, at, scopes.length))) {
          const allowed = row[1] !== 'never' && (scope === '*' || scope === row[1])
          await expectCell(caller, row, allowed)
        }
      })
    })
  }
}

// What no key may do is requested with `*`, which permits the most, and once with another scope.
// With FLORIN_LONG it is requested with every scope.
function isSent(row_at: number, scope_at: number, scopes: number): boolean {
  const is_shared = table[row_at]![1] === 'never' && !process.env.FLORIN_LONG
  return !is_shared || scope_at === scopes || row_at % scopes === scope_at
}

test('without Florin-Account a platform key needs users:write to create users', async () => {
  for (const [scope, status] of Object.entries({ 'users:write': 400, 'members:write': 401 })) {
    const authorization = (await fixtures.authorization(`platform_key:${scope}`))!
    const response = await florin.call('POST', '/v1/users', {
      body: bad,
      headers: { authorization },
    })
    assert.equal(response.status, status, `${scope}: ${response.text}`)
  }
})

test('the table has every endpoint that takes a token', async () => {
  const { body: description } = await florin.call('GET', '/openapi.json')
  const open = /^\/v1\/auth\/(login|refresh|password_reset|passkeys\/\w+)$/
  const pattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`)
  const missing = Object.entries<Record<string, object>>(description.paths)
    .filter(([path]) => path.startsWith('/v1/') && !open.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods)
        .map((method) => method.toUpperCase())
        .filter((method) => !table.some(([call]) => matches(call, method, pattern(path))))
        .map((method) => `${method} ${path}`),
    )
  assert.deepEqual(missing, [])
})

function matches(call: string, method: string, path: RegExp): boolean {
  const [call_method, at] = call.split(' ') as [string, string]
  return call_method === method && path.test(at)
}

test('a key can neither log in nor refresh a session', async () => {
  const { email, password, refresh_token } = await fixtures.person('owner')
  const authorization = (await fixtures.authorization('key:*'))!
  for (const [path, body] of [
    ['/v1/auth/login', { email, password }],
    ['/v1/auth/refresh', { refresh_token }],
    ['/v1/auth/refresh', {}],
  ] as const) {
    const response = await florin.call('POST', path, { body, headers: { authorization } })
    assert.deepEqual([response.status, response.body.error], [401, 'unauthorized'], path)
  }
})
