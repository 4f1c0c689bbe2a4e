// What counts as text, and how texts are compared when someone searches.

// C0, DEL and C1. PostgreSQL refuses NUL, and the others break logs, CSV files and mail headers.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/** Well-formed Unicode, so that PostgreSQL can store it, without control characters. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !controlCharacter.test(text)
}

// Besides white space: characters that are shown as nothing (zero-width joiners, Hangul fillers,
// variation selectors, annotation marks) and the Braille pattern without dots.
const nothingVisible =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]*$/u

/** Nothing that a reader could see: a name must not be this. */
export function isBlank(text: string): boolean {
  return nothingVisible.test(text)
}

/**
 * Without embeddings, overrides and isolates. Letters have a direction by themselves; with these a
 * name could turn the words around it, and an amount with them.
 */
export function stripBidiControls(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

const quoted_max = 60

/** What came, so that whoever sent it recognises it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > quoted_max ? `${text.slice(0, quoted_max - 3)}…` : text)
}

/** Limits count what people call characters, nearer than UTF-16 units do: an emoji is one. */
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

/** Takes the meaning from `\`, `%` and `_`, so that LIKE finds them literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

const ascii = /^[\u0000-\u007f]*$/

/**
 * The one folding for search: applied to what is stored and to what is searched for, so that a
 * substring is found whatever its case. The way through upper case makes `STRASSE` find `Straße`;
 * the capital `ẞ` gets there only from lower case. `ς` is made `σ`, since lower-casing chooses
 * between them by what follows, which a substring lacks. `i` with a dot above, which comes of
 * lower-casing `İ`, is made `i`: so `istanbul` finds `İstanbul`. Folding twice changes nothing.
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
