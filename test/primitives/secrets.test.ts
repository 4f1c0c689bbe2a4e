import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newSecret, sha256 } from '../../src/primitives/secrets.ts'

test('a secret has its prefix and 43 characters of base64url', () => {
  for (const prefix of ['fat_', 'frt_', '']) {
    const secret = newSecret(prefix)
    assert.ok(secret.startsWith(prefix))
    const body = secret.slice(prefix.length)
    assert.match(body, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(Buffer.from(body, 'base64url').length, 32)
  }
})

test('secrets are unique across refills of the pool', () => {
  const secrets = new Set(Array.from({ length: 1000 }, () => newSecret('')))
  assert.equal(secrets.size, 1000)
  assert.ok(!secrets.has('A'.repeat(43)))
})

test('every bit of a secret varies', () => {
  const ones = Buffer.alloc(32)
  const zeros = Buffer.alloc(32)
  for (let n = 0; n < 200; n++) {
    const bytes = Buffer.from(newSecret(''), 'base64url')
    for (let at = 0; at < 32; at++) {
      ones[at]! |= bytes[at]!
      zeros[at]! |= ~bytes[at]!
    }
  }
  assert.deepEqual(ones, Buffer.alloc(32, 0xff))
  assert.deepEqual(zeros, Buffer.alloc(32, 0xff))
})

test('sha256 is SHA-256 of the UTF-8 text', () => {
  assert.equal(
    sha256('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.deepEqual(sha256(text), createHash('sha256').update(text).digest())
    }),
  )
})

test('a hash is not overwritten by later ones', () => {
  const texts = Array.from({ length: 2000 }, (_, n) => `text ${n}`)
  const hashes = texts.map(sha256)
  for (const [n, text] of texts.entries()) assert.deepEqual(hashes[n], sha256(text))
})
