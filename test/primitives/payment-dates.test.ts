import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reminderTime } from '../../src/primitives/payment-dates.ts'

test('the reminder is due three days before expiry', () => {
  const at = reminderTime(new Date('2026-12-14T08:00:00.000Z'))
  assert.equal(at.toISOString(), '2026-12-11T08:00:00.000Z')
})
