// The subset of TypeBox's schema builders that the routes use, with TypeBox's types. TypeBox
// itself is a compile-time dependency only: loading it took 370 of the 1 000 files and a fifth
// of the time of a startup.

import type { Type as TypeBox } from 'typebox'

type Schema = Record<string, unknown>

// TypeBox uses the same mark. It is non-enumerable, so copying or serializing a schema drops it.
const optional = '~optional'

function objectOf(properties: Record<string, Schema>, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !(optional in properties[name]!))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function optionalOf(schema: Schema): Schema {
  return Object.defineProperty({ ...schema }, optional, { value: true })
}

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object: objectOf,
  Optional: optionalOf,
  Ref: ($ref: string, options?: Schema) => ({ $ref, ...options }),
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
}

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
