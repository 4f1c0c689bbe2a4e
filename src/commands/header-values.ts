// What somebody typed or set, and what goes into a header. It is judged before anything is sent:
// fetch refuses what no header can hold in the words of a connection that failed. None of these
// sentences repeats a secret.

import { UsageError } from './failures.ts'

/** By the server's own rule, to which a key of blanks alone is an empty one. */
export function requireIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '') return key
  throw new UsageError(
    '--idempotency-key must have 1 to 255 printable ASCII characters, as Invoice-114; ' +
      'nothing was sent. Write it without other letters, signs or line ends.',
  )
}

/** Without the line end that a file from Windows leaves behind it. */
export function requireApiKey(name: string, text: string): string {
  const key = text.trim()
  if (/^sk_(sandbox|live)_[A-Za-z0-9_-]{16,}$/.test(key)) return key
  const otherwise = name.startsWith('--') ? `leave ${name} out` : `run: unset ${name}`
  throw new UsageError(
    `${name} must be an API key: sk_sandbox_ or sk_live_, and at least 16 letters, digits, ` +
      '_ or - behind it. Nothing was sent. An owner makes one with POST /v1/api_keys; ' +
      `to do without, ${otherwise}`,
  )
}

/** Of a person, in place of a key. What it is worth only the server knows. */
export function requireToken(name: string, text: string): string {
  const token = text.trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new UsageError(
    `${name} must be an access token: ASCII characters without blanks. Nothing was sent. ` +
      'POST /v1/auth/login gives one; a program better takes an API key.',
  )
}
