import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readFormToken, readPaymentForm } from '../../src/pages/read-payment-form.ts'

const now = new Date('2026-11-15T12:00:00Z')
const valid = { number: '4242 4242 4242 4242', expires: '04 / 29', csc: '123' }

function read(fields: Record<string, unknown>, at = now) {
  return readPaymentForm({ ...valid, ...fields }, at)
}

test('accepts the formats that users type', () => {
  const card = { number: '4242424242424242', expires: '2029-04', csc: '123' }
  assert.deepEqual(read({}).card, card)
  for (const number of [
    '4242424242424242',
    '4242-4242-4242-4242',
    ' ４２４２ 4242\u00a042424242 ',
  ]) {
    assert.deepEqual(read({ number }).card, card)
  }
  for (const expires of [
    '04/29',
    '4/29',
    '0429',
    '04/2029',
    '04 / 2029',
    '04-29',
    '０４／２９',
    '042029',
  ]) {
    assert.deepEqual(read({ expires }).card, card, expires)
  }
  assert.equal(read({ csc: '1234' }).card?.csc, '1234')
})

test('reports every invalid field at once', () => {
  assert.deepEqual(readPaymentForm({}, now).faults, {
    number: 'missing',
    expires: 'missing',
    csc: 'missing',
  })
  assert.deepEqual(read({ number: '4242', expires: '13 / 29', csc: '12' }).faults, {
    number: 'malformed',
    expires: 'malformed',
    csc: 'malformed',
  })
  for (const number of [
    '42424242424a4242',
    '4'.repeat(20),
    '4'.repeat(11),
    '4242.4242.4242.4242',
  ]) {
    assert.deepEqual(read({ number }).faults, { number: 'malformed' })
  }
  for (const expires of ['00/29', '4', '29/04/01', '04/1929', '04 29 1', '٠٤/٢٩']) {
    assert.deepEqual(read({ expires }).faults, { expires: 'malformed' }, expires)
  }
  for (const csc of ['12345', '12a', '1 2', '١٢٣']) {
    assert.deepEqual(read({ csc }).faults, { csc: 'malformed' })
  }
})

test('a card is valid until its last month has ended in every time zone', () => {
  assert.deepEqual(read({ expires: '10/26' }).faults, { expires: 'past' })
  assert.ok(read({ expires: '11/26' }).card)
  assert.ok(read({ expires: '10/26' }, new Date('2026-11-01T11:59:59Z')).card)
  assert.ok(read({ expires: '10/26' }, new Date('2026-11-01T12:00:00Z')).faults)
})

test('a test card button submits a complete card', () => {
  const { card } = readPaymentForm({ card: '4000000000000002' }, now)
  assert.deepEqual(card, { number: '4000000000000002', expires: '2026-11', csc: '000' })
  assert.deepEqual(readPaymentForm({ card: 'x' }, now).faults, { number: 'malformed' })
})

test('returns only a valid expiration date for redisplay', () => {
  assert.deepEqual(read({ csc: '' }).values, { expires: '04 / 29' })
  assert.deepEqual(read({ expires: '<b>' }).values, { expires: '' })
})

test('treats malformed bodies and oversized values as missing', () => {
  for (const body of [undefined, null, 'text', [], 7, { number: ['4242424242424242', '1'] }]) {
    assert.equal(readPaymentForm(body, now).faults?.number, 'missing')
  }
  assert.equal(read({ number: '4'.repeat(10_000) }).faults?.number, 'missing')
})

test('fault codes never contain input', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(text, text, text, (number, expires, csc) => {
      const form = readPaymentForm({ number, expires, csc }, now)
      if (form.card !== undefined) return
      const known = ['missing', 'malformed', 'past']
      assert.ok(Object.values(form.faults).every((fault) => known.includes(fault)))
      assert.match(form.values.expires, /^(\d\d \/ \d\d)?$/)
    }),
  )
})

test('readFormToken returns a string or an empty string', () => {
  assert.equal(readFormToken({ form_token: 'abc' }), 'abc')
  assert.equal(readFormToken({ form_token: ['a', 'b'] }), '')
  assert.equal(readFormToken(undefined), '')
})
