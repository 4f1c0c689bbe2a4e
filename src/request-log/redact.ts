// Takes secrets out of what is kept of a request. Two walls: fields whose name says that they hold
// one, and texts that look like one wherever they stand.

import { decodePercent } from '../primitives/percent.ts'

export const redacted = '[redacted]'

/** As much as a person reads of one request; the rest would only fill the disc. */
const logged_body_max_bytes = 4_096

/** What is longer is not even looked at: to parse it would take longer than to answer it did. */
export const scanned_length_max = 16_384

const exact_names = new Set([
  'authorization',
  'card',
  'cookie',
  'csc',
  'cvc',
  'cvv',
  'key',
  'number',
  'pan',
  'secret',
])

const name_parts = /password|passphrase|token|secret|api_?key|card_?number/i

function isSecretName(name: string): boolean {
  return exact_names.has(name.toLowerCase()) || name_parts.test(name)
}

// Our own tokens, keys and webhook secrets; the secret part of links; bearer tokens of anybody.
const secret_texts = [
  /\b(fat|frt|sk_sandbox|sk_live|whsec)_[A-Za-z0-9_+/=-]{8,}/g,
  /(?<=\/(?:pay|setup|confirm-email)\/)[A-Za-z0-9_-]{16,}/g,
  /\bbearer +\S+/gi,
]

// 13 to 19 digits, perhaps in groups. Most such numbers are no cards; nobody misses them here.
const card_number = /(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)/g

export function redactText(text: string): string {
  let clean = text
  for (const pattern of secret_texts) clean = clean.replace(pattern, redacted)
  return clean.replace(card_number, redacted)
}

export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  // A card number may come as a number too.
  if (typeof value === 'number') return redactText(String(value)) === redacted ? redacted : value
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    redactText(name),
    isSecretName(name) && inner !== null ? redacted : redactValue(inner),
  ])
  return Object.fromEntries(entries)
}

/** What is kept of a body: JSON without its secrets, cut where it gets long. */
export function redactBody(body: unknown): string | null {
  if (body === undefined || body === null) return null
  return cut(escapeControls(JSON.stringify(redactValue(body))))
}

/** The same from the text of an answer. What is no JSON is not kept at all. */
export function redactResponse(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return redactBody(JSON.parse(text))
  } catch {
    return null
  }
}

// JSON escapes all below a space and half pairs itself, and leaves DEL and C1 as they are.
function escapeControls(json: string): string {
  return json.replace(
    /\p{Cc}/gu,
    (one) => `\\u00${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

const path_length_max = 1_000

// What is cut off behind it would not be kept, whatever is taken out before.
const path_scanned_max = 2 * path_length_max

/** Path and query. A parameter whose name says so loses its value. */
export function redactPath(whole: string): string {
  const url = whole.slice(0, path_scanned_max)
  const at = url.indexOf('?')
  if (at === -1) return storable(redactText(decoded(url)))
  const query = url
    .slice(at + 1)
    .split('&')
    .map(redactParameter)
    .join('&')
  return storable(`${redactText(decoded(url.slice(0, at)))}?${query}`)
}

// What was decoded to look for secrets may hold NUL, which PostgreSQL refuses: it is escaped again.
function storable(path: string): string {
  const escaped = path.toWellFormed().replace(/\p{Cc}/gu, encodeURIComponent)
  // A cut through a pair leaves half of it.
  return escaped.slice(0, path_length_max).replace(/\p{Cs}$/u, '')
}

function redactParameter(part: string): string {
  const at = part.indexOf('=')
  if (at === -1) return redactText(decoded(part))
  const name = decoded(part.slice(0, at))
  const value = decoded(part.slice(at + 1))
  const clean = redactText(value)
  // Written as it came unless something was taken out, so that it can be copied and sent again.
  if (isSecretName(name)) return `${part.slice(0, at)}=${redacted}`
  return clean === value ? part : `${part.slice(0, at)}=${clean}`
}

// A secret with an escaped character in it is a secret still.
function decoded(text: string): string {
  const plain = decodePercent(text)
  return plain === undefined || redactText(plain) === plain ? text : plain
}

/** Cut between characters, and marked. */
function cut(text: string): string {
  if (Buffer.byteLength(text) <= logged_body_max_bytes) return text
  const bytes = Buffer.from(text).subarray(0, logged_body_max_bytes - 3)
  return `${bytes.toString('utf8').replace(/\ufffd$/, '')}…`
}
