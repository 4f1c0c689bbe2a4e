// Text: validation, case folding, language tags, suggestions, percent-decoding and CSV.

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

/** The beginning of a text, in UTF-16 code units. Half a character at the end is dropped. */
export function cutText(text: string, length_max: number): string {
  return text.slice(0, length_max).replace(/\p{Cs}$/u, '')
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

/**
 * For "Did you mean …?": the known name with the smallest edit distance, ignoring case; the first
 * of several. Undefined if half of the characters or more differ: a poor suggestion is worse than
 * none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = countEdits(name.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest && edits * 2 < Math.max(name.length, candidate.length)) {
      nearest = candidate
      fewest = edits
    }
  }
  return nearest
}

// The time is proportional to the product of both lengths, and the name may be user input.
const compared_max = 64

/**
 * The Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of adjacent
 * characters. Each row has the distances from one prefix of `from` to all prefixes of `to`.
 */
export function countEdits(from: string, to: string): number {
  if (from.length > compared_max || to.length > compared_max) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (i > 1 && j > 1 && swapped) edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}

const continuation = '%[89ab][0-9a-f]'

// A literal character, or the escapes of one character in valid UTF-8.
const decodable = /* @__PURE__ */ new RegExp(
  '^(?:[^%]|%[0-7][0-9a-f]' +
    `|%(?:c[2-9a-f]|d[0-9a-f])${continuation}` +
    `|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]${continuation}|ed%[89][0-9a-f])${continuation}` +
    `|%(?:f0%[9ab][0-9a-f]|f[1-3]${continuation}|f4%8[0-9a-f])${continuation}${continuation})*$`,
  'i',
)

/**
 * Percent-decoding for URLs and forms. Undefined if an escape is invalid. decodeURIComponent throws
 * for such an escape, and an error with its stack is slow: 65,000 of them in one form block the
 * event loop for a third of a second. So escapes are validated first.
 */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  return decodable.test(text) ? decodeURIComponent(text) : undefined
}

// The length that RFC 5646 requires implementations to support. Private-use subtags have no limit.
const language_length_max = 35

/**
 * A well-formed BCP 47 tag, in any case, whose language, script and region exist: a well-formed but
 * unknown code such as `xx` would only be noticed on a statement. Rejects tags that
 * do not identify one language (`und`, `mul`, `zxx`), private-use tags (`x-…`) and the
 * grandfathered `i-…` tags, which `Intl` does not support. `eng` is accepted as `en`.
 */
export function isLanguage(tag: string): boolean {
  if (tag.length > language_length_max) return false
  const locale = findLocale(tag)
  if (locale === undefined) return false
  const { language, script, region } = locale
  return (
    isKnownLanguage(language) &&
    (script === undefined || isKnown('script', script, specialScripts)) &&
    (region === undefined || isKnown('region', region, specialRegions))
  )
}

/** The parsed tag in canonical form, which replaces retired codes. */
function findLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isKnownLanguage(language: string): boolean {
  return iso639Languages.has(language) || isKnown('language', language, specialLanguages)
}

// ISO 639-1, unchanged since 2003. It is listed here so that common languages do not depend on the
// ICU data of this Node build. Longer codes are accepted if `Intl` has a name for them (about 500).
// Pure, so that a bundle without isLanguage omits the list.
const iso639Languages = /* @__PURE__ */ setOf(
  `aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
   dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
   id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
   lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
   ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
   tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`,
)

function setOf(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}

// `Intl` has names for these codes, but they do not identify a language, script or region.
const specialLanguages = new Set(['und', 'mul', 'zxx', 'mis'])
const specialScripts = new Set(['Zzzz', 'Zyyy', 'Zxxx', 'Zinh'])
const specialRegions = new Set(['ZZ', 'XA', 'XB'])

type SubtagKind = 'language' | 'script' | 'region'

const names: Partial<Record<SubtagKind, Intl.DisplayNames>> = {}

function isKnown(kind: SubtagKind, subtag: string, special: ReadonlySet<string>): boolean {
  names[kind] ??= new Intl.DisplayNames('en', { type: kind, fallback: 'none' })
  return !special.has(subtag) && names[kind].of(subtag) !== undefined
}

/** A formatted number, such as 336.00. It is neither quoted nor escaped. */
export interface CsvNumber {
  number_text: string
}

type CsvValue = string | number | CsvNumber | null

/** One CSV record (RFC 4180) with its line end. null becomes an empty field. */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return value.number_text
  const text = escapeFormulas(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A spreadsheet evaluates a text that starts like this as a formula. Some also accept the
// full-width forms. A leading apostrophe prevents that.
const formula = /^[=+\-@\t\r\n＝＋－＠]/

// Where the comma is the decimal separator, spreadsheets split at semicolons and honor quotes only
// at the start of a cell. A semicolon or line end within a field then starts a new cell, quoted or
// not. A comma never does, because a field that contains one is quoted.
const inner_formula = /[;\t\r\n](?="*[=+\-@\t＝＋－＠])/g

function escapeFormulas(text: string): string {
  const inside = text.replace(inner_formula, "$&'")
  return formula.test(inside) ? `'${inside}` : inside
}
