import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodePercent } from '../../src/primitives/percent.ts'

function byPlatform(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

test('agrees with decodeURIComponent', () => {
  const bytes = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'))
  const escapes = fc.tuple(bytes, fc.boolean()).map(([hex, upper]) => {
    return `%${upper ? hex.toUpperCase() : hex}`
  })
  const whole = fc.string({ unit: 'binary', maxLength: 3 }).map((text) => {
    return text.isWellFormed() ? encodeURIComponent(text) : text
  })
  const pieces = fc.oneof(escapes, escapes, whole, fc.constantFrom('%', '%4', 'a', 'é', '\ud800'))
  const texts = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (text) => assert.equal(decodePercent(text), byPlatform(text), text)),
    { numRuns: 50_000 },
  )
})

test('agrees with decodeURIComponent for all two-byte and boundary sequences', () => {
  const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      for (const rest of ['', '%80', '%bf', '%80%bf', '%c0']) {
        const text = hex(first) + hex(second) + rest
        assert.equal(decodePercent(text), byPlatform(text), text)
      }
    }
  }
})

test('checks a long text with an error at its end in linear time', () => {
  for (const part of ['a', '%41', '%c3%a9', '%f0%9f%92%b6', 'é']) {
    const long = part.repeat(100_000)
    assert.equal(decodePercent(`${long}%`), undefined)
    assert.equal(decodePercent(long), decodeURIComponent(long))
  }
})
