import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalEmail, isEmail } from '../../src/primitives/email-address.ts'

test('accepts what browsers accept', () => {
  const good = [
    'a@b',
    'ada@example.com',
    'Ada.Lovelace+florin@mail.example.co.uk',
    "!#$%&'*+/=?^_`{|}~-.@example.com",
    '.dots..anywhere.@example.com',
    'root@localhost',
    '1@2.3',
    `a@${'b'.repeat(63)}.com`,
    'a@xn--bcher-kva.example',
    `${'a'.repeat(242)}@example.com`,
  ]
  for (const text of good) assert.ok(isEmail(text), text)
})

test('rejects anything else', () => {
  const bad = [
    '',
    '@',
    'a',
    'a@',
    '@b',
    'a@b@c',
    'a b@example.com',
    ' a@example.com',
    'a@example.com ',
    'a@example.com\n',
    'a@.com',
    'a@example.',
    'a@example..com',
    'a@-example.com',
    'a@example-.com',
    'a@exa_mple.com',
    `a@${'b'.repeat(64)}.com`,
    '"quoted"@example.com',
    'a(comment)@example.com',
    'a@[127.0.0.1]',
    'a,b@example.com',
    'Ada <ada@example.com>',
    'jürgen@example.com',
    'a@bücher.example',
    'a\u0000@example.com',
    `${'a'.repeat(243)}@example.com`,
  ]
  for (const text of bad) assert.ok(!isEmail(text), text)
})

test('checks a hostile text in linear time', () => {
  const started = process.threadCpuUsage()
  for (const text of [`a@${'b'.repeat(60)}${'.b'.repeat(90)}!`, `${'a'.repeat(1e6)}@`]) {
    assert.ok(!isEmail(text))
  }
  // A backtracking pattern would take years.
  assert.ok(process.threadCpuUsage(started).user < 2_000_000)
})

test('addresses that differ only in ASCII case are equal', () => {
  assert.equal(canonicalEmail('Ada.LOVELACE@Example.COM'), 'ada.lovelace@example.com')
  assert.equal(canonicalEmail('ada@example.com'), 'ada@example.com')
})

test('canonicalEmail does not change characters outside of ASCII', () => {
  // U+212A is the Kelvin sign; toLowerCase makes it an ASCII k.
  assert.equal(canonicalEmail('\u212aÄİ@Example.com'), '\u212aÄİ@example.com')
})

test('canonicalEmail is idempotent and its result is a valid address', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (text) => {
      const canonical = canonicalEmail(text)
      assert.equal(canonicalEmail(canonical), canonical)
      assert.equal(isEmail(canonical), isEmail(text))
    }),
  )
})
