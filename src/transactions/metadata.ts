// Metadata: a caller's own key-value pairs, any JSON, within limits. Merged under the account's
// lock, so that fifty parallel changes of one key each keep fifty keys.

import { Refusal } from '../primitives/refusal.ts'

export type Metadata = Record<string, unknown>

const keys_max = 50
const key_length_max = 40
const bytes_max = 16_384
const levels_max = 8

/** JSON text, or null for none. Refuses what is over a limit. */
export function metadataText(metadata: Metadata | null | undefined): string | null {
  if (metadata === undefined || metadata === null) return null
  const names = Object.keys(metadata)
  if (names.length === 0) return null
  if (names.length > keys_max) {
    throw tooMuch(`must have at most ${keys_max} keys; ${names.length} would be there`)
  }
  const long = names.find((name) => [...name].length > key_length_max)
  if (long !== undefined) {
    throw tooMuch(`must have keys of at most ${key_length_max} characters; one is longer`)
  }
  if (depthOf(metadata) > levels_max) throw tooMuch(`must be at most ${levels_max} levels deep`)
  const fault = faultIn(metadata)
  if (fault !== undefined) throw tooMuch(fault)
  const text = JSON.stringify(metadata)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytes_max) throw tooMuch(`must be at most 16 KiB of JSON; ${bytes} bytes would be`)
  return text
}

/** Judged by itself before anything is looked up: a fault in the body comes first. */
export function requireGoodMetadata(metadata: Metadata | null | undefined): void {
  metadataText(metadata)
}

/** Top-level keys are merged; a key set to null is removed; null clears all. */
export function mergeMetadata(stored: string | null, changes: Metadata | null): string | null {
  if (changes === null) return null
  const merged = stored === null ? {} : (JSON.parse(stored) as Metadata)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name]
    else merged[name] = value
  }
  return metadataText(merged)
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** What cannot be stored, or would come back as something else. */
function faultIn(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const good = !value.includes('\0') && value.isWellFormed()
    return good ? undefined : 'must not contain NUL or a lone surrogate'
  }
  // 1e400 is JSON, and read as Infinity, which JSON would write as null.
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'must not contain numbers beyond 1.8e308'
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const fault = faultIn(name) ?? faultIn(inner)
    if (fault !== undefined) return fault
  }
  return undefined
}

function tooMuch(rule: string): Refusal {
  return new Refusal('invalid_request', `metadata ${rule}.`)
}
