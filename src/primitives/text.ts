// Validation of text, and case folding for search.

// C0, DEL and C1. PostgreSQL rejects NUL, and the others break logs, CSV files and email headers.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/** Well-formed Unicode, so that PostgreSQL can store it, without control characters. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !controlCharacter.test(text)
}

// White space, invisible characters (zero-width joiners, Hangul fillers, variation selectors,
// annotation marks) and the Braille pattern without dots.
const onlyInvisible =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]*$/u

/** Whether the text has no visible character. A name must have one. */
export function isBlank(text: string): boolean {
  return onlyInvisible.test(text)
}

/**
 * Removes embeddings, overrides and isolates. With these, a name could reorder the text around it,
 * for example an amount.
 */
export function stripBidiControls(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

const quoted_max = 60

/** A received value for an error message, in quotes and shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > quoted_max ? `${text.slice(0, quoted_max - 3)}…` : text)
}

/** Length limits count code points, so that an emoji counts as one. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let at = 1; at < text.length; at++) {
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) length -= 1
  }
  return length
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** Escapes `\`, `%` and `_`, so that LIKE matches them literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

const ascii = /^[\u0000-\u007f]*$/

/**
 * Case folding for search, applied to the stored text and to the search term. Idempotent.
 *
 * Upper case maps `ß` to `SS`, so `STRASSE` finds `Straße`; `ẞ` must be lowercased first.
 * `ς` becomes `σ`: lowercasing chooses between them by the next character, which a substring lacks.
 * `i` with a dot above, the lower case of `İ`, becomes `i`, so `istanbul` finds `İstanbul`.
 */
export function foldForSearch(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/i\u0307+/g, 'i')
    .normalize('NFC')
}
