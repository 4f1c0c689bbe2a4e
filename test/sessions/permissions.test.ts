// What must hold of the table of permissions as a whole, whatever its cells say.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions, scopesOf } from '../../src/sessions/permissions.ts'

const operations = Object.keys(permissions) as Permission[]
const isDenied = (reach: unknown) => reach === 401 || reach === 403

// A platform user has sessions and a box to search in; a platform key has neither.
const for_people: Permission[] = ['manage_own_sessions', 'search']

test('every operation names its scope, and one that no key may reach says never', () => {
  for (const operation of operations) {
    const { scope, account_key, platform } = permissions[operation]
    if (scope === 'never') {
      assert.ok(isDenied(account_key), operation)
      assert.ok(isDenied(platform) || for_people.includes(operation), operation)
    } else {
      assert.match(scope, /^[a-z_]+:(read|write)$/, operation)
      assert.ok(!isDenied(account_key) || !isDenied(platform), operation)
    }
  }
})

test('reading takes a read scope, and changing a write scope', () => {
  for (const operation of operations) {
    const { scope } = permissions[operation]
    if (scope === 'never') continue
    const reads = /^(list|retrieve|read|count)_/.test(operation)
    assert.ok(scope.endsWith(reads ? ':read' : ':write'), `${operation} takes ${scope}`)
  }
})

test("an account's key has no scope that a platform's could not have", () => {
  const of_platform = scopesOf('platform')
  for (const scope of scopesOf('account_key')) assert.ok(of_platform.includes(scope), scope)
  for (const scope of ['users:read', 'users:write', 'members:write', 'accounts:write']) {
    assert.ok(!scopesOf('account_key').includes(scope), scope)
  }
})
