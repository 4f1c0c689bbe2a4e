import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenApi, operationsOf, type Schema } from '../../client/generator/openapi.ts'
import { printPythonType } from '../../client/generator/print-python-types.ts'
import { printResources } from '../../client/generator/print-resources.ts'
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

test('marks the methods of deprecated operations', () => {
  const operation = (operationId: string, deprecated: boolean) => ({
    ...{ operationId, deprecated, summary: 'Get it', description: 'Returns it.', tags: [] },
    security: [],
    responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
  })
  const paths = {
    '/v1/user': { get: operation('getUser', true) },
    '/v1/account': { get: operation('getAccount', false) },
  }
  const api = { components: { schemas: {} }, paths } as unknown as OpenApi
  const [users, account] = printResources(operationsOf(api)).split('export class AccountCalls')
  assert.match(users!, / \* Returns it\.\n {3}\*\n {3}\* @deprecated\n {3}\*\/\n {2}get\(/)
  assert.doesNotMatch(account!, /@deprecated/)
})

test('prints schemas as Python types, and declares the objects in them', () => {
  const declared: string[] = []
  const declare = (text: string) => declared.push(text)
  const print = (schema: Schema, input = false) =>
    printPythonType(schema, { input, module: 't.', name: 'Things', declare })
  const cases: [Schema, string][] = [
    [{ type: 'integer' }, 'int'],
    [{ type: ['string', 'null'] }, 'str | None'],
    [{ enum: ['a', 'b', null] }, 'Literal["a", "b"] | None'],
    [{ enum: [true] }, 'Literal[True]'],
    [{ type: 'array', items: { $ref: '#/components/schemas/User' } }, 'list[t.User]'],
    [{ $ref: '#/components/schemas/Currency' }, 'str'],
    [{ type: 'object', additionalProperties: true }, 'dict[str, Any]'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'str | float'],
    [{}, 'Any'],
  ]
  for (const [schema, type] of cases) assert.equal(print(schema), type)
  assert.deepEqual(declared, [])
  const fields = { id: { type: 'string' }, made: { type: 'string', readOnly: true } }
  const list = { type: 'array', items: { type: 'object', required: ['id'], properties: fields } }
  assert.equal(print(list, true), 'Sequence[t.Thing]')
  assert.deepEqual(declared.splice(0), ['class Thing(TypedDict):\n    id: str\n'])
  print({ type: 'object', properties: { from: { type: 'string' } } })
  assert.match(declared[0]!, /^Things = TypedDict\(\n.*\n.*\n {8}"from": "NotRequired\[str\]",/)
})
