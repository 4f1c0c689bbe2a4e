// Invariants of the permission table.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../../src/identity/caller.ts'
import {
  type Permission,
  permissions,
  requirePermission,
  scopesOf,
} from '../../../src/identity/permissions.ts'

const operations = Object.keys(permissions) as Permission[]
const isDenied = (reach: unknown) => reach === 401 || reach === 403

// A platform user has these permissions; a platform key does not.
const for_users: Permission[] = [
  'manage_own_sessions',
  'manage_own_factors',
  'manage_own_identities',
  'manage_own_notifications',
  'search',
  'read_overview',
  'read_processor',
  'create_payout',
  'cancel_payout',
  'approve_payout',
  'resolve_payout',
  'export_payouts',
]

test('a role of the next version has no permission', () => {
  const caller = { role: 'auditor' } as unknown as Caller
  for (const operation of operations) {
    assert.throws(() => requirePermission(caller, operation), {
      code: 'forbidden',
      message: /^A user with an unknown role may not /,
    })
  }
})

test('the scope is never exactly for operations that API keys cannot use', () => {
  for (const operation of operations) {
    const { scope, account_key, platform } = permissions[operation]
    if (scope === 'never') {
      assert.ok(isDenied(account_key), operation)
      assert.ok(isDenied(platform) || for_users.includes(operation), operation)
    } else {
      assert.match(scope, /^[a-z_]+:(read|write)$/, operation)
      assert.ok(!isDenied(account_key) || !isDenied(platform), operation)
    }
  }
})

test('reads need a read scope, and changes a write scope', () => {
  for (const operation of operations) {
    const { scope } = permissions[operation]
    if (scope === 'never') continue
    const reads = /^(list|retrieve|read|count)_/.test(operation)
    assert.ok(scope.endsWith(reads ? ':read' : ':write'), `${operation} needs ${scope}`)
  }
})

test('the scopes of account keys are a subset of those of platform keys', () => {
  const of_platform = scopesOf('platform')
  for (const scope of scopesOf('account_key')) assert.ok(of_platform.includes(scope), scope)
  for (const scope of ['users:read', 'users:write', 'members:write', 'accounts:write']) {
    assert.ok(!scopesOf('account_key').includes(scope), scope)
  }
})
