// The smallest building blocks of schemas: times, ids, enums.

import { Type } from 'typebox'

export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] })

// `x-documented` has rules for the OpenAPI document only. The server checks ids in code, because
// an id of the wrong form is unknown (404), not malformed (400).
export const id = (prefix: string, what: string) =>
  Type.String({
    description: what,
    examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
    'x-documented': { pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` },
  })

/** The OpenAPI document references this component instead of inlining the schema. */
export const documentedAs = (component: string) => ({
  $ref: `#/components/schemas/${component}`,
})

/** A string or null, as two types: a union of schemas produces poor error messages. */
export const nullable = (options: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })

/** A string enum. The explicit type saves the serializer from guessing. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  options: object = {},
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options })
}
