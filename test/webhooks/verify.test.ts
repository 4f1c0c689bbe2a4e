import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEndpoint } from '../../src/webhooks/verify-webhooks.ts'

const names = { account_id: 'a', id: 'b' }
const healthy = { ...names, status: 'enabled', event_sequence: 7, final_sequence: null, pending: 3 }
const lock = { event_sequence: 7, status: 'active' } as const

test('checkEndpoint reports inconsistent endpoints', () => {
  const rules = (fact: object, more: object = {}) =>
    checkEndpoint({ ...healthy, ...fact }, { ...lock, ...more }).map(({ rule }) => rule)
  assert.deepEqual(rules({}), [])
  assert.deepEqual(rules({ event_sequence: 8 }), ['endpoints_follow_events'])
  assert.deepEqual(rules({ status: 'disabled' }), ['disabled_endpoints_have_no_pending'])
  assert.deepEqual(rules({ status: 'disabled', pending: 0 }), [])
  assert.deepEqual(rules({}, { status: 'closed' }), ['closed_accounts_end_webhooks'])
  assert.deepEqual(rules({ final_sequence: 7 }, { status: 'closed' }), [])
  assert.deepEqual(
    checkEndpoint(healthy, undefined).map(({ rule }) => rule),
    ['endpoints_follow_events'],
  )
})
