import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBody, toQuery } from '../../src/commands/body-fields.ts'

test('fields are texts, or JSON after :=, and dots go deeper', async () => {
  const pieces = ['a=1', 'b:=1', 'c.d=x', 'c.e:=[1,"y"]', 'f=', 'g:=null', 'h=k=v', 'i:={"j":true}']
  assert.deepEqual(await readBody(pieces), {
    a: '1',
    b: 1,
    c: { d: 'x', e: [1, 'y'] },
    f: '',
    g: null,
    h: 'k=v',
    i: { j: true },
  })
  assert.equal(await readBody([]), undefined)
})

test('JSON and fields are laid over each other in their order', async () => {
  const pieces = ['{"a": 1, "s": {"x": 1}}', 'a:=2', 's.y=z']
  assert.deepEqual(await readBody(pieces), { a: 2, s: { x: 1, y: 'z' } })
})

test('a name such as __proto__ is a field, and changes nothing else', async () => {
  const body = await readBody(['__proto__.polluted=yes'])
  assert.equal(JSON.stringify(body), '{"__proto__":{"polluted":"yes"}}')
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('what is none of these is wrong usage, and says how to write it', async () => {
  const cases: [string[], RegExp][] = [
    [['amount'], /Write a field as name=text/],
    [['=x'], /Write a field as name=text/],
    [['a..b=1'], /name is empty/],
    [['amount:=7,5'], /After := comes JSON/],
    [['{"a": }'], /^The body is not good JSON\. .* line 1, column 7: a value is expected\.$/],
    [['a=1', 'a.b=2'], /"a" has a value already/],
    [['@/no/such/file'], /cannot be read/],
  ]
  for (const [pieces, rule] of cases) {
    await assert.rejects(readBody(pieces), (error: Error) => {
      assert.equal(error.name, 'UsageError')
      assert.match(error.message, rule)
      return true
    })
  }
})

test('a key that comes twice is refused, as the server would', async () => {
  for (const piece of ['{"amount":75,"amount":7500}', 'metadata:={"amount":1,"amount":2}']) {
    await assert.rejects(readBody([piece]), (error: Error) => {
      assert.equal(error.name, 'UsageError')
      assert.match(error.message, /the key "amount" appears twice in one object\.$/)
      return true
    })
  }
})

test('a number that none can hold is refused: it would be sent as null', async () => {
  const cases: [string, string][] = [
    ['metadata.big:=1e400', 'metadata.big'],
    ['{"metadata": {"a": [1, {"b": -1e999}]}}', 'metadata.a.1.b'],
    ['amount:=1e309', 'amount'],
  ]
  for (const [piece, name] of cases) {
    await assert.rejects(readBody([piece]), {
      name: 'UsageError',
      message: `"${name}" is too large for a number. Send it as a string.`,
    })
  }
  assert.deepEqual(await readBody(['a:=1e308']), { a: 1e308 })
})

test('for GET they are a query, which has one level', () => {
  assert.equal(toQuery({ limit: 5, search: 'a&b c' }), 'limit=5&search=a%26b%20c')
  assert.throws(() => toQuery({ a: { b: 1 } }), /no fields within fields, and "a" holds some/)
  assert.throws(() => toQuery({ a: null }), /^UsageError: A query has no null: leave "a" out\.$/)
})
