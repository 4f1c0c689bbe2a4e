// The smallest pieces of shapes: times, ids, words.

import { Type } from './type.ts'

export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] })

export const id = (prefix: string, what: string) =>
  Type.String({ description: what, examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`] })

/** A string or null: said with two types, because a union of schemas gives poor error messages. */
export const nullable = (options: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })

/** One of a few words. Said with its type, so that the serialiser need not guess it. */
export function oneOf<const Words extends readonly string[]>(words: Words, options: object = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options })
}
