// If a request has several errors, the order of checks decides which is reported: authentication,
// permission, path id, body and query, existence, state.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { Fixtures } from './fixtures.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

const [member_id] = await fixtures.userIds('member')
const [unknown_user] = await fixtures.userIds('unknown')
const [unknown_account] = await fixtures.accountIds('unknown')
const [closed_account] = await fixtures.accountIds('closed')

type FaultyRequest = [
  caller: string,
  method: string,
  path: string,
  body: unknown,
  expected: string,
  /** The Florin-Account header. */
  account?: string | undefined,
]

const malformedJson = '{"name": '
const unknownField = { nme: 'x' }
const weak = { email: 'new@example.com', password: 'short' }
const internalUrl = { url: 'https://10.0.0.1/', events: ['*'] }
const unknownScope = { name: 'Shop', scopes: ['money:make'] }
const hooks = '/v1/webhook_endpoints'
const unknown_hook = `${hooks}/we_01h455vb4pex5vsknk084sn02q`

const cases: Record<string, FaultyRequest[]> = {
  'reports an invalid token before an invalid body or query': [
    ['bad_token', 'POST', '/v1/users', malformedJson, '401 unauthorized'],
    ['bad_token', 'POST', '/v1/accounts', unknownField, '401 unauthorized'],
    ['bad_token', 'PATCH', '/v1/account', malformedJson, '401 unauthorized'],
    ['bad_token', 'PATCH', '/v1/users/x', unknownField, '401 unauthorized'],
    ['bad_token', 'DELETE', '/v1/auth/session', unknownField, '401 unauthorized'],
    ['no_token', 'GET', '/v1/users?page=0', undefined, '401 unauthorized'],
    ['no_token', 'GET', '/v1/account/users?limit=x', undefined, '401 unauthorized'],
  ],
  'reports a missing permission before an invalid id, body or query': [
    ['member', 'POST', '/v1/users', malformedJson, '401 unauthorized'],
    ['owner', 'POST', '/v1/accounts', unknownField, '401 unauthorized'],
    ['member', 'PATCH', '/v1/account', malformedJson, '401 unauthorized'],
    ['member', 'DELETE', '/v1/account', unknownField, '403 forbidden'],
    ['admin', 'PATCH', '/v1/account', unknownField, '403 forbidden'],
    ['admin', 'POST', '/v1/api_keys', unknownScope, '403 forbidden'],
    ['owner', 'POST', '/v1/api_keys', { ...unknownScope, role: 'platform' }, '401 unauthorized'],
    ['platform', 'PATCH', '/v1/users/x', malformedJson, '401 unauthorized'],
    ['platform', 'DELETE', '/v1/users/x', unknownField, '403 forbidden'],
    ['owner', 'PATCH', '/v1/accounts/x', malformedJson, '401 unauthorized'],
    ['lone', 'GET', '/v1/users?page=0', undefined, '403 forbidden'],
    ['lone', 'GET', '/v1/accounts?type=none', undefined, '403 forbidden'],
    ['lone', 'GET', '/v1/account/users?limit=x', undefined, '403 forbidden'],
  ],
  'reports a malformed id before an invalid body': [
    ['admin', 'PATCH', '/v1/users/x', unknownField, '404 not_found'],
    ['admin', 'PATCH', '/v1/users/x', malformedJson, '404 not_found'],
    ['owner', 'PATCH', `/v1/users/${member_id!.toUpperCase()}`, unknownField, '404 not_found'],
    ['admin', 'DELETE', '/v1/users/x', unknownField, '404 not_found'],
    ['owner', 'DELETE', '/v1/users/x', unknownField, '403 forbidden'],
    ['admin', 'PATCH', '/v1/accounts/x', malformedJson, '404 not_found'],
    ['owner', 'DELETE', `${hooks}/x`, malformedJson, '404 not_found'],
  ],
  'reports an invalid body before an object that is unknown, foreign or in the wrong state': [
    ['admin', 'PATCH', `/v1/users/${unknown_user}`, unknownField, '400 invalid_request'],
    ['owner2', 'PATCH', `/v1/users/${member_id}`, { name: 1 }, '400 invalid_request'],
    ['owner2', 'PATCH', `/v1/users/${member_id}`, { password: 'short' }, '400 invalid_request'],
    ['admin', 'DELETE', `/v1/users/${unknown_user}`, unknownField, '400 invalid_request'],
    ['admin', 'PATCH', `/v1/accounts/${unknown_account}`, {}, '400 invalid_request'],
    ['admin', 'PATCH', `/v1/accounts/${closed_account}`, {}, '400 invalid_request'],
    ['owner', 'DELETE', unknown_hook, unknownField, '400 invalid_request'],
  ],
  'reports an invalid body or query before an unknown account in the header': [
    ['admin', 'POST', '/v1/users', weak, '400 invalid_request', 'acct_x'],
    ['admin', 'POST', '/v1/users', weak, '400 invalid_request', closed_account],
    ['owner', 'POST', '/v1/users', weak, '400 invalid_request', unknown_account],
    ['admin', 'POST', '/v1/api_keys', unknownScope, '400 invalid_request', 'acct_x'],
    ['admin', 'POST', '/v1/api_keys', unknownScope, '400 invalid_request', closed_account],
    ['owner', 'POST', hooks, internalUrl, '400 invalid_request', 'acct_x'],
    ['admin', 'POST', hooks, internalUrl, '400 invalid_request', closed_account],
    ['admin', 'PATCH', unknown_hook, internalUrl, '400 invalid_request', closed_account],
    ['admin', 'PATCH', unknown_hook, { events: ['x'] }, '400 invalid_request', 'acct_x'],
    ['admin', 'POST', `${unknown_hook}/replay`, {}, '400 invalid_request', closed_account],
    ['admin', 'GET', '/v1/events?type=x', undefined, '400 invalid_request', unknown_account],
    [
      'owner',
      'GET',
      '/v1/webhook_deliveries?event_id=x',
      undefined,
      '400 invalid_request',
      'acct_x',
    ],
  ],
  'reports a forbidden change before a conflicting state': [
    ['member', 'PATCH', `/v1/users/${member_id}`, { status: 'active' }, '401 unauthorized'],
    ['owner', 'PATCH', `/v1/accounts/${closed_account}`, { status: 'active' }, '401 unauthorized'],
  ],
}

for (const [name, requests] of Object.entries(cases)) {
  test(name, async () => {
    for (const [caller, method, path, body, expected, account] of requests) {
      const authorization = await fixtures.authorization(caller)
      const response = await assertNoChanges(florin.db.pool, () =>
        florin.call(method, path, {
          body,
          headers: {
            ...(authorization && { authorization }),
            ...(account && { 'florin-account': account }),
          },
        }),
      )
      const where = `${caller} ${method} ${path} ${JSON.stringify(body)}: ${response.text}`
      assert.equal(`${response.status} ${response.body.error}`, expected, where)
    }
  })
}
