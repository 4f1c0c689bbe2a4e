// Removes secrets from logged requests in two ways: by the name of a field, and by texts anywhere
// that look like a secret.

import { decodePercent } from '../primitives/text.ts'

const redacted = '[redacted]'

/** Enough for debugging. More would only fill the disk. */
const logged_body_max_bytes = 4_096

/** Longer bodies are not logged: parsing them would take longer than handling the request. */
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

// Tokens, API keys and webhook secrets of Florin and Stripe; the secret part of links; any bearer
// tokens.
const secret_texts = [
  /\b(fat|frt|sk_sandbox|[rs]k_live|[rs]k_test|whsec)_[A-Za-z0-9_+/=-]{8,}/g,
  /(?<=\/(?:pay|setup|confirm-email|reset|verify|join)\/)[A-Za-z0-9_-]{16,}/g,
  /\bbearer +\S+/gi,
]

// 13 to 19 digits, optionally in groups. False positives are acceptable in a log.
const card_number = /(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)/g

export function redactText(text: string): string {
  let result = text
  for (const pattern of secret_texts) result = result.replace(pattern, redacted)
  return result.replace(card_number, redacted)
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  // A card number may also be a JSON number.
  if (typeof value === 'number') return redactText(String(value)) === redacted ? redacted : value
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    redactText(name),
    isSecretName(name) && inner !== null ? redacted : redactValue(inner),
  ])
  return Object.fromEntries(entries)
}

/** The logged form of a body: JSON without secrets, truncated. */
export function redactBody(body: unknown): string | null {
  if (body === undefined || body === null) return null
  return truncate(escapeControls(JSON.stringify(redactValue(body))))
}

/** The same for the text of a response. A text that is not JSON is not logged. */
export function redactResponse(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return redactBody(JSON.parse(text))
  } catch {
    return null
  }
}

// JSON.stringify escapes C0 and lone surrogates, but not DEL and C1.
function escapeControls(json: string): string {
  return json.replace(
    /\p{Cc}/gu,
    (control) => `\\u00${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

const path_length_max = 1_000

// The rest would be truncated even if redaction shortened the path.
const path_scanned_max = 2 * path_length_max

/** Path and query. The value of a parameter with a secret name is replaced. */
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

// Decoding may have produced control characters. PostgreSQL rejects NUL, so they are escaped again.
function storable(path: string): string {
  const escaped = path.toWellFormed().replace(/\p{Cc}/gu, encodeURIComponent)
  // Truncation may leave half of a surrogate pair.
  return escaped.slice(0, path_length_max).replace(/\p{Cs}$/u, '')
}

function redactParameter(part: string): string {
  const at = part.indexOf('=')
  if (at === -1) return redactText(decoded(part))
  const name = decoded(part.slice(0, at))
  const value = decoded(part.slice(at + 1))
  const redacted_value = redactText(value)
  if (isSecretName(name)) return `${part.slice(0, at)}=${redacted}`
  // Left encoded if there was nothing to redact, so that the request can be repeated.
  return redacted_value === value ? part : `${part.slice(0, at)}=${redacted_value}`
}

// Secrets are also found if some of their characters are percent-encoded.
function decoded(text: string): string {
  const plain = decodePercent(text)
  return plain === undefined || redactText(plain) === plain ? text : plain
}

/** Truncates between characters and appends an ellipsis. */
function truncate(text: string): string {
  if (Buffer.byteLength(text) <= logged_body_max_bytes) return text
  const bytes = Buffer.from(text).subarray(0, logged_body_max_bytes - 3)
  return `${bytes.toString('utf8').replace(/\ufffd$/, '')}…`
}
