// Validates user input that becomes a header value, before anything is sent: fetch reports an
// invalid header as a connection error. Messages never repeat a secret.

import { UsageError } from '../failures.ts'

/** The same rule as the server's: a key of only spaces counts as empty. */
export function requireIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '') return key
  throw new UsageError(
    '--idempotency-key must have 1 to 255 printable ASCII characters, such as Invoice-114. ' +
      'Nothing was sent.',
  )
}

/** Trims white space, such as the line ending of a Windows file. */
export function requireApiKey(name: string, text: string): string {
  const key = text.trim()
  if (/^sk_(sandbox|live)_[A-Za-z0-9_-]{16,}$/.test(key)) return key
  const remedy = name.startsWith('--') ? `omit ${name}` : `run: unset ${name}`
  throw new UsageError(
    `${name} must be an API key: sk_sandbox_ or sk_live_ and at least 16 letters, digits, ` +
      '_ or -. Nothing was sent. An owner creates one with POST /v1/api_keys. ' +
      `To continue without a key, ${remedy}`,
  )
}

/** A user's access token. Only the server can tell whether it is valid. */
export function requireToken(name: string, text: string): string {
  const token = text.trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new UsageError(
    `${name} must be an access token: ASCII characters without spaces. Nothing was sent. ` +
      'POST /v1/auth/login returns one. Programs should use an API key.',
  )
}
