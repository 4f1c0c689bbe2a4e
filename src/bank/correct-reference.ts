// What a payer may have meant by a creditor reference with a typing error. The check digits exclude
// all but about one in a hundred, so a few references remain.

import { isCreditorReference } from './creditor-reference.ts'

const digits = '0123456789'
// Crockford's alphabet, which our references use.
const characters = `${digits}ABCDEFGHJKMNPQRSTVWXYZ`

/** The valid references with one character replaced, added, left out, or swapped with the next. */
export function correctionsOf(reference: string): string[] {
  const corrected = new Set<string>()
  // `RF` was found, so it is right.
  for (let at = 2; at <= reference.length; at++) {
    const [before, after] = [reference.slice(0, at), reference.slice(at)]
    const [first = '', second = ''] = after
    corrected.add(`${before}${second}${first}${after.slice(2)}`)
    corrected.add(`${before}${after.slice(1)}`)
    for (const character of at < 4 ? digits : characters) {
      corrected.add(`${before}${character}${after.slice(1)}`)
      corrected.add(`${before}${character}${after}`)
    }
  }
  corrected.delete(reference)
  return [...corrected].filter(isCreditorReference)
}
