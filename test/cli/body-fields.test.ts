import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBody, toQuery } from '../../src/cli/client/body-fields.ts'

test('= sets a string, := sets JSON, and dots set nested fields', async () => {
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

test('later arguments override earlier ones', async () => {
  const pieces = ['{"a": 1, "s": {"x": 1}}', 'a:=2', 's.y=z']
  assert.deepEqual(await readBody(pieces), { a: 2, s: { x: 1, y: 'z' } })
})

test('__proto__ is an ordinary field and does not pollute prototypes', async () => {
  const body = await readBody(['__proto__.polluted=yes'])
  assert.equal(JSON.stringify(body), '{"__proto__":{"polluted":"yes"}}')
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('rejects malformed fields with a usage error', async () => {
  const cases: [string[], RegExp][] = [
    [['amount'], /A field must be name=text, .*; got "amount"\.$/],
    [['=x'], /A field must be name=text/],
    [['a..b=1'], /name must not be empty/],
    [['amount:=7,5'], /The value after := must be JSON, .*; got "amount:=7,5"\./],
    [['{"a": }'], /is not valid JSON\. .* line 1, column 7: a value is expected\.$/],
    [['a=1', 'a.b=2'], /"a" already has a value/],
    [['@/no/such/file'], /^Cannot read the request body/],
  ]
  for (const [pieces, rule] of cases) {
    await assert.rejects(readBody(pieces), (error: Error) => {
      assert.equal(error.name, 'UsageError')
      assert.match(error.message, rule)
      return true
    })
  }
})

test('rejects duplicate keys in JSON, as the server does', async () => {
  for (const piece of ['{"amount":75,"amount":7500}', 'metadata:={"amount":1,"amount":2}']) {
    await assert.rejects(readBody([piece]), (error: Error) => {
      assert.equal(error.name, 'UsageError')
      assert.match(error.message, /the key "amount" appears twice in one object\.$/)
      return true
    })
  }
})

test('rejects a number out of range, which would be sent as null', async () => {
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

test('toQuery encodes fields and rejects null and nested fields', () => {
  assert.equal(toQuery({ limit: 5, search: 'a&b c' }), 'limit=5&search=a%26b%20c')
  assert.throws(() => toQuery({ a: { b: 1 } }), /cannot have nested fields; "a" has some/)
  assert.throws(
    () => toQuery({ a: null }),
    /^UsageError: A query parameter cannot be null\. Omit "a"\.$/,
  )
})
