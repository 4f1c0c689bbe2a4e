import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from '../../src/primitives/nearest-name.ts'

const fields = ['amount', 'currency', 'type', 'reference', 'metadata', 'account_id']
const settings = [
  'FLORIN_MODE',
  'FLORIN_DATA',
  'FLORIN_PUBLIC_URL',
  'FLORIN_SMTP_URL',
  'FLORIN_LOG',
]

test('suggests a field for a typo', () => {
  const slips = {
    amuont: 'amount',
    amoun: 'amount',
    amountt: 'amount',
    ammount: 'amount',
    currancy: 'currency',
    Currency: 'currency',
    tpye: 'type',
    accountId: 'account_id',
    refrence: 'reference',
    meta_data: 'metadata',
  }
  for (const [slip, field] of Object.entries(slips)) assert.equal(nearestName(slip, fields), field)
})

test('suggests a setting for an unknown name', () => {
  assert.equal(nearestName('FLORIN_MOD', settings), 'FLORIN_MODE')
  assert.equal(nearestName('FLORIN_DATABASE', settings), 'FLORIN_DATA')
  assert.equal(nearestName('FLORIN_LOG_LEVEL', settings), 'FLORIN_LOG')
  assert.equal(nearestName('FLORIN_SMPT_URL', settings), 'FLORIN_SMTP_URL')
})

test('counts two swapped characters as one edit', () => {
  assert.equal(nearestName('ab', ['bax', 'b']), undefined)
  assert.equal(nearestName('abc', ['bac']), 'bac')
})

test('returns a known name itself', () => {
  for (const field of fields) assert.equal(nearestName(field, fields), field)
})

test('returns the first of two equally near names', () => {
  assert.equal(nearestName('cat', ['bat', 'hat']), 'bat')
})

test('returns undefined if no name is near', () => {
  assert.equal(nearestName('shipping', fields), undefined)
  assert.equal(nearestName('x', fields), undefined)
  assert.equal(nearestName('', fields), undefined)
  assert.equal(nearestName('amount', []), undefined)
})

test('does not compare names of more than 64 characters', () => {
  assert.equal(nearestName('x'.repeat(1_000_000), fields), undefined)
  assert.equal(nearestName('x'.repeat(66), ['x'.repeat(64)]), undefined)
  assert.equal(nearestName('x'.repeat(64), ['x'.repeat(66)]), undefined)
  assert.equal(nearestName('x'.repeat(62), ['x'.repeat(64)]), 'x'.repeat(64))
})
