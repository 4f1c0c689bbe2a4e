import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from '../../src/http/type.ts'

// Built twice, by TypeBox and by Florin's own builders.
const build = (type: typeof Type) => [
  type.Object({}),
  type.Object({ all: type.Optional(type.Boolean()) }),
  type.Object(
    {
      name: type.String({ maxLength: 3 }),
      age: type.Optional(type.Integer({ minimum: 1 })),
      rest: type.Optional(type.Unsafe<string | null>({ type: ['string', 'null'] })),
      parts: type.Array(type.Ref('Part', { description: 'One of them.' }), { maxItems: 2 }),
      none: type.Optional(type.Ref('None')),
      kind: type.Literal('a', { description: 'Its kind.' }),
      one: type.Literal(1),
      yes: type.Literal(true),
      share: type.Number({ maximum: 1 }),
      any: type.Unknown({ description: 'Anything.' }),
    },
    { additionalProperties: false, description: 'All of them.' },
  ),
]

test('builds the same schemas as TypeBox, byte for byte', () => {
  assert.equal(JSON.stringify(build(Type)), JSON.stringify(build(TypeBox)))
})

test('Optional returns a copy', () => {
  const name = Type.String()
  Type.Optional(name)
  assert.deepEqual(Type.Object({ name }).required, ['name'])
})
