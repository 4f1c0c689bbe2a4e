// Metadata as pure text in, text out.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeMetadata, metadataText, requireGoodChange } from '../../src/transactions/metadata.ts'

const refused = (work: () => unknown, rule: RegExp) =>
  assert.throws(work, (error: { code?: string; message: string }) => {
    assert.equal(error.code, 'invalid_request')
    assert.match(error.message, rule)
    return true
  })

test('no metadata, null and an empty object are the same: none', () => {
  for (const none of [undefined, null, {}]) assert.equal(metadataText(none), null)
})

test('what is kept reads back as what was sent', () => {
  // Deep enough for the limit, never over it.
  const values = fc.jsonValue({ depthSize: 'small', maxDepth: 6 })
  const names = fc.string({ maxLength: 10, unit: 'binary' })
  const metadata = fc.dictionary(names, values, { maxKeys: 20, noNullPrototype: true })
  fc.assert(
    fc.property(metadata, (sent) => {
      const text = textOrRefusal(sent)
      if (text === undefined) return
      // -0 is written as 0.
      assert.deepEqual(JSON.parse(text ?? '{}'), JSON.parse(JSON.stringify(sent)))
    }),
  )
})

function textOrRefusal(sent: Record<string, unknown>): string | null | undefined {
  try {
    return metadataText(sent)
  } catch (error) {
    assert.equal((error as { code: string }).code, 'invalid_request')
    return undefined
  }
}

test('each limit is told by its rule', () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, 0]))
  refused(() => metadataText(many), /at most 50 keys; 51/)
  refused(() => metadataText({ ['💶'.repeat(41)]: 1 }), /40 characters; "💶.*…" is longer/)
  refused(() => metadataText({ a: [[[[[[[[]]]]]]]] }), /8 levels/)
  refused(() => metadataText({ a: 'x'.repeat(16_384) }), /16 KiB of JSON; 16392 bytes/)
  refused(() => metadataText({ order: { '\0': 1 } }), /NUL .*, as "order" does/)
  refused(() => metadataText({ a: ['\ud800'] }), /surrogate/)
  refused(() => metadataText({ a: Number.POSITIVE_INFINITY }), /numbers/)
})

test('a whole number that a double does not hold is refused, and told to come as text', () => {
  const lossy = ['9007199254740992', '-9007199254740993', '12345678901234567890', '1e21', '6e23']
  for (const number of lossy) {
    const rule = /beyond 9007199254740991 .* "deep" .* as text/
    refused(() => metadataText(JSON.parse(`{"n":1,"deep":[{"n":${number}}]}`)), rule)
  }
  const kept = '{"n":[9007199254740991,-9007199254740991,0.1,-1.5e-7,0,1e-300,123456.789]}'
  assert.deepEqual(JSON.parse(metadataText(JSON.parse(kept))!), JSON.parse(kept))
  assert.equal(metadataText({ n: -0, m: 7.5e3 }), '{"n":0,"m":7500}')
})

test('what was kept before that rule stays, and does not keep others from changing', () => {
  const stored = '{"n":12345678901234567000}'
  assert.equal(mergeMetadata(stored, { a: 1 }), '{"n":12345678901234567000,"a":1}')
})

test('merging adds, replaces and removes top-level keys, and clears all with null', () => {
  const stored = JSON.stringify({ a: 1, b: { c: 2 } })
  assert.equal(mergeMetadata(stored, null), null)
  assert.equal(mergeMetadata(null, null), null)
  assert.equal(mergeMetadata(stored, {}), stored)
  assert.equal(mergeMetadata(stored, { a: null, b: null }), null)
  assert.equal(mergeMetadata(null, { a: null }), null)
  assert.equal(mergeMetadata(stored, { d: 3 }), '{"a":1,"b":{"c":2},"d":3}')
  assert.equal(mergeMetadata(stored, { b: { e: null } }), '{"a":1,"b":{"e":null}}')
})

test('changes of different keys may come in any order', () => {
  const one = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(1, 2, null), {
    noNullPrototype: true,
  })
  const two = fc.dictionary(fc.constantFrom('c', 'd'), fc.constantFrom(1, 2, null), {
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(one, two, (first, second) => {
      const start = '{"a":0,"c":0}'
      const read = (text: string | null) => JSON.parse(text ?? '{}')
      const forth = mergeMetadata(mergeMetadata(start, first), second)
      const back = mergeMetadata(mergeMetadata(start, second), first)
      assert.deepEqual(read(forth), read(back))
    }),
  )
})

test('the limits are those of the merged whole', () => {
  const stored = JSON.stringify(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 0])),
  )
  refused(() => mergeMetadata(stored, { more: 1 }), /50 keys/)
  assert.ok(mergeMetadata(stored, { more: 1, k0: null })?.includes('more'))
})

test('a change is judged by what it sets: what it removes takes no room', () => {
  const nulls = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, null]))
  const sets = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`new${at}`, at]))
  requireGoodChange({ ...nulls, ...sets(50) })
  requireGoodChange(null)
  requireGoodChange(undefined)
  refused(() => requireGoodChange({ ...nulls, ...sets(51) }), /at most 50 keys; 51 would be/)
  refused(() => requireGoodChange({ a: null, b: 'x'.repeat(16_384) }), /16 KiB/)
  refused(() => requireGoodChange({ ['k'.repeat(41)]: null }), /40 characters/)
  refused(() => requireGoodChange({ a: { b: ['\0'] } }), /NUL/)
  refused(() => requireGoodChange({ a: [2 ** 53] }), /as text/)
})
