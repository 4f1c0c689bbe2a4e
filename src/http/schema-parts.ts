// The smallest pieces of shapes: times, ids, words.

import { Type } from './type.ts'

export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] })

// `x-documented` holds rules for the OpenAPI file alone, where the server itself checks a value in
// code: an id of the wrong form is unknown (404), and not a malformed request (400).
export const id = (prefix: string, what: string) =>
  Type.String({
    description: what,
    examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
    'x-documented': { pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` },
  })

/** In the OpenAPI file a component stands for the schema. */
export const documentedAs = (component: string) => ({
  $ref: `#/components/schemas/${component}`,
})

/** A string or null: said with two types, because a union of schemas gives poor error messages. */
export const nullable = (options: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })

/** One of a few words. Said with its type, so that the serialiser need not guess it. */
export function oneOf<const Words extends readonly string[]>(words: Words, options: object = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options })
}
