// RF creditor references (ISO 11649): what a payer types into a bank transfer. `RF`, two check
// digits and up to 21 characters. Ours have eight: RF64 K3M9 TXPQ.

import { findUuidEnd, toTypeId } from '../primitives/ids.ts'
import { checkDigits, remainder97 } from './iban.ts'

// Crockford's alphabet has no I, L, O and U: a payer who types one of I, L and O means 1 or 0.
const body_length = 8

const reference_length = 4 + body_length

/**
 * The reference of a payment request, in electronic form: the last eight characters of its id. They
 * are 40 random bits, so nothing has to be stored. With ten million requests, one in 110,000 shares
 * its reference with another one, which makes a match ambiguous and never wrong.
 */
export function referenceOfPayment(id: string): string {
  return creditorReference(toTypeId('payment', id).slice(-body_length).toUpperCase())
}

/** The last ten digits of the UUIDs with this reference. Undefined if it cannot be one of ours. */
export function uuidDigitsOf(reference: string): string | undefined {
  if (reference.length !== reference_length || !isCreditorReference(reference)) return undefined
  const end = findUuidEnd(reference.slice(4).toLowerCase())
  return end?.value.toString(16).padStart(10, '0')
}

/** The reference with this body: 1 to 21 letters and digits, in upper case. */
export function creditorReference(body: string): string {
  if (!/^[A-Z0-9]{1,21}$/.test(body)) {
    throw new RangeError(`a creditor reference has 1 to 21 letters and digits, got ${body}`)
  }
  return `RF${checkDigits('RF', body)}${body}`
}

/** Whether the check digits are right. For references in electronic form. */
export function isCreditorReference(text: string): boolean {
  return /^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(text) && remainder97(text) === 1
}

// Between any two characters. Payers type spaces and dashes, and banks wrap lines anywhere.
const separators = /[^\p{L}\p{N}]/u

/**
 * All references in a text of a payer, in electronic form and in order: in any case, with any
 * separators, and next to other words. A reference of the length of ours may be followed by more
 * characters; any other ends where a separator or the text ends.
 */
export function findCreditorReferences(text: string): string[] {
  const { characters, ends } = withoutSeparators(text)
  const found = new Set<string>()
  for (let at = characters.indexOf('RF'); at !== -1; at = characters.indexOf('RF', at + 1)) {
    const run = runAt(characters, at)
    for (let length = 5; length <= run.length; length++) {
      if (length !== reference_length && !ends.has(at + length)) continue
      const reference = run.slice(0, length)
      const readings = length === reference_length ? [reference, asOurs(reference)] : [reference]
      for (const reading of readings) if (isCreditorReference(reading)) found.add(reading)
    }
  }
  return [...found]
}

/**
 * Parts of a text that have the length and the shape of our references, but wrong check digits. A
 * payer mistyped one of them; the matching proposes similar references.
 */
export function findMistypedReferences(text: string): string[] {
  const { characters } = withoutSeparators(text)
  const found = new Set<string>()
  for (let at = characters.indexOf('RF'); at !== -1; at = characters.indexOf('RF', at + 1)) {
    const reference = asOurs(runAt(characters, at).slice(0, reference_length))
    if (reference.length < reference_length - 1 || !/^RF[0-9]/.test(reference)) continue
    if (!isCreditorReference(reference)) found.add(reference)
  }
  return [...found]
}

/** Upper case without separators, and the positions in it that a separator or the end follows. */
function withoutSeparators(text: string): { characters: string; ends: Set<number> } {
  const ends = new Set<number>()
  let characters = ''
  for (const character of text) {
    if (separators.test(character)) ends.add(characters.length)
    else characters += character.toUpperCase()
  }
  ends.add(characters.length)
  return { characters, ends }
}

/** Up to 25 characters from `RF` on. Check digits are digits, so O is a zero and I, L a one. */
function runAt(characters: string, at: number): string {
  const run = /^[A-Z0-9]*/.exec(characters.slice(at, at + 25))![0]
  return `RF${withDigits(run.slice(2, 4))}${run.slice(4)}`
}

/** Our references have no O, I and L. */
function asOurs(reference: string): string {
  return `RF${withDigits(reference.slice(2))}`
}

function withDigits(text: string): string {
  return text.replaceAll('O', '0').replace(/[IL]/g, '1')
}
