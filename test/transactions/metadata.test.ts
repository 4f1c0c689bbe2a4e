import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeMetadata, metadataText, requireValidChange } from '../../src/transactions/metadata.ts'

const rejects = (work: () => unknown, rule: RegExp) =>
  assert.throws(work, (error: { code?: string; message: string }) => {
    assert.equal(error.code, 'invalid_request')
    assert.match(error.message, rule)
    return true
  })

test('undefined, null and an empty object are stored as null', () => {
  for (const none of [undefined, null, {}]) assert.equal(metadataText(none), null)
})

test('stored metadata parses to the metadata that was sent', () => {
  // Within the depth limit.
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

test('each error names the rule', () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, 0]))
  rejects(() => metadataText(many), /at most 50 keys; got 51/)
  rejects(() => metadataText({ ['💶'.repeat(41)]: 1 }), /40 characters; got "💶.*…"/)
  rejects(() => metadataText({ a: [[[[[[[[]]]]]]]] }), /8 levels/)
  rejects(() => metadataText({ a: 'x'.repeat(16_384) }), /16384 bytes of JSON; got 16392/)
  rejects(() => metadataText({ order: { '\0': 1 } }), /NUL .*; got one in "order"/)
  rejects(() => metadataText({ a: ['\ud800'] }), /surrogate/)
  rejects(() => metadataText({ a: Number.POSITIVE_INFINITY }), /numbers/)
})

test('integers that would lose digits are rejected with advice to send a string', () => {
  const lossy = ['9007199254740992', '-9007199254740993', '12345678901234567890', '1e21', '6e23']
  for (const number of lossy) {
    const rule = /beyond 9007199254740991 .* "deep".* as a string/
    rejects(() => metadataText(JSON.parse(`{"n":1,"deep":[{"n":${number}}]}`)), rule)
  }
  const exact = '{"n":[9007199254740991,-9007199254740991,0.1,-1.5e-7,0,1e-300,123456.789]}'
  assert.deepEqual(JSON.parse(metadataText(JSON.parse(exact))!), JSON.parse(exact))
  assert.equal(metadataText({ n: -0, m: 7.5e3 }), '{"n":0,"m":7500}')
})

test('stored integers that predate that rule do not block other changes', () => {
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

test('changes to different keys commute', () => {
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
      const one_way = mergeMetadata(mergeMetadata(start, first), second)
      const other_way = mergeMetadata(mergeMetadata(start, second), first)
      assert.deepEqual(read(one_way), read(other_way))
    }),
  )
})

test('limits apply to the merged metadata', () => {
  const stored = JSON.stringify(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 0])),
  )
  rejects(() => mergeMetadata(stored, { more: 1 }), /50 keys/)
  assert.ok(mergeMetadata(stored, { more: 1, k0: null })?.includes('more'))
})

test('limits of a change ignore the keys it removes', () => {
  const nulls = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, null]))
  const sets = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`new${at}`, at]))
  requireValidChange({ ...nulls, ...sets(50) })
  requireValidChange(null)
  requireValidChange(undefined)
  rejects(() => requireValidChange({ ...nulls, ...sets(51) }), /at most 50 keys; got 51/)
  rejects(() => requireValidChange({ a: null, b: 'x'.repeat(16_384) }), /16384 bytes/)
  rejects(() => requireValidChange({ ['k'.repeat(41)]: null }), /40 characters/)
  rejects(() => requireValidChange({ a: { b: ['\0'] } }), /NUL/)
  rejects(() => requireValidChange({ a: [2 ** 53] }), /as a string/)
})
