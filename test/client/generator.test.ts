import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '../../client/generator/openapi.ts'
import { printDoc, printType } from '../../client/generator/print-type.ts'

const print = (schema: Schema, input = false) =>
  printType(schema, { input, rename: (name) => `My${name}` })

test('prints schemas as TypeScript types', () => {
  const cases: [Schema, string][] = [
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 'b', null] }, "'a' | 'b' | null"],
    [{ enum: ["it's"] }, "'it\\'s'"],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'array', items: { $ref: '#/components/schemas/User' } }, 'MyUser[]'],
    [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ allOf: [{ $ref: '#/x/A' }, { $ref: '#/x/B' }] }, 'MyA & MyB'],
    [{ type: 'object', required: ['2xx'], properties: { '2xx': {} } }, "{\n  '2xx': unknown\n}"],
    [{}, 'unknown'],
  ]
  for (const [schema, type] of cases) assert.equal(print(schema), type)
  assert.throws(() => print({ type: 'tuple' }), /does not support the type tuple/)
})

test('optional fields may be undefined in requests, not in responses', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: {}, b: { type: 'string' } } }
  assert.equal(print(schema, true), '{\n  a: unknown\n  b?: string | undefined\n}')
  assert.equal(print(schema, false), '{\n  a: unknown\n  b?: string\n}')
})

test('wraps doc comments and escapes their end', () => {
  assert.deepEqual(printDoc('Short.', '  '), ['  /** Short. */'])
  assert.deepEqual(printDoc('a */ b', ''), ['/** a * / b */'])
  const long = printDoc('word '.repeat(50).trim(), '    ')
  assert.ok(long.length > 3 && long.every((line) => line.length <= 100))
})
