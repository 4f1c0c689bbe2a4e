// Metadata: custom key-value pairs, any JSON, within limits. Merged under the account's lock, so
// concurrent changes to different keys do not overwrite each other.

import type { AccountLock } from '../ledger/lock-row.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'

export type Metadata = Record<string, unknown>

const keys_max = 50
const key_length_max = 40
const bytes_max = 16_384
const levels_max = 8

// Metadata of up to this length is never counted: the rest of the object takes as much space, and
// ordinary payments must not depend on a quota.
const uncounted_length_max = 1_024

// Per account and day (UTC), over all its objects. Each write is stored up to four times: in the
// row, in two events and in the stored response.
const day_bytes_max = 1_073_741_824

type MetadataCount = Pick<AccountLock, 'metadata_day' | 'metadata_day_bytes'>

const day_ms = 86_400_000

/**
 * The account's count of the day after one more write of an object with this metadata. Throws when
 * the account's quota is used up. The caller stores the count once nothing else can be refused.
 */
export function countMetadata(lock: AccountLock, metadata: string | null, at: Date): MetadataCount {
  if (metadata === null || metadata.length <= uncounted_length_max) return lock
  const metadata_day = Math.floor(at.getTime() / day_ms)
  const before = metadata_day === lock.metadata_day ? lock.metadata_day_bytes : 0
  const metadata_day_bytes = before + Buffer.byteLength(metadata)
  if (metadata_day_bytes > day_bytes_max) throw quotaUsedUp(metadata)
  return { metadata_day, metadata_day_bytes }
}

export function storeCount(
  lock: AccountLock,
  { metadata_day, metadata_day_bytes }: MetadataCount,
): void {
  lock.metadata_day = metadata_day
  lock.metadata_day_bytes = metadata_day_bytes
}

function quotaUsedUp(metadata: string): Refusal {
  return new Refusal(
    'invalid_request',
    `"metadata" must be at most ${uncounted_length_max} characters of JSON until 00:00 UTC; got ` +
      `${metadata.length}. The account has used up its 1 GiB of larger metadata for today. ` +
      'Shorten it, or retry tomorrow.',
  )
}

/** JSON text, or null for none. Throws when a limit is exceeded. */
export function metadataText(metadata: Metadata | null | undefined): string | null {
  if (metadata === undefined || metadata === null) return null
  const text = wholeText(metadata)
  requireGoodParts(metadata)
  return text
}

/**
 * Checks a patch before the transaction is read, so errors in the body are reported first. Removed
 * keys do not count towards the size limits; keys that are set always do.
 */
export function requireValidChange(changes: Metadata | null | undefined): void {
  if (changes === undefined || changes === null) return
  wholeText(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)))
  requireGoodParts(changes)
}

/**
 * Top-level keys are merged; a key set to null is removed; null clears all. Checks only the limits
 * of the whole: the changes were checked before, and stored values may predate today's rules.
 */
export function mergeMetadata(stored: string | null, changes: Metadata | null): string | null {
  if (changes === null) return null
  const merged = stored === null ? {} : (JSON.parse(stored) as Metadata)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name]
    else merged[name] = value
  }
  return wholeText(merged)
}

/** The limits of all keys together. Checked first: they bound the cost of every other check. */
function wholeText(metadata: Metadata): string | null {
  const count = Object.keys(metadata).length
  if (count === 0) return null
  if (count > keys_max) {
    throw invalidMetadata(`must have at most ${keys_max} keys; got ${count}`)
  }
  const text = JSON.stringify(metadata)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytes_max) {
    throw invalidMetadata(`must be at most ${bytes_max} bytes of JSON; got ${bytes}`)
  }
  return text
}

/** The rules for each single key and value. */
function requireGoodParts(metadata: Metadata): void {
  const long = Object.keys(metadata).find((name) => [...name].length > key_length_max)
  if (long !== undefined) {
    throw invalidMetadata(
      `must have keys of at most ${key_length_max} characters; got ${quote(long)}`,
    )
  }
  const depth = depthOf(metadata)
  if (depth > levels_max) {
    throw invalidMetadata(`must be at most ${levels_max} levels deep; got ${depth}`)
  }
  for (const [name, value] of Object.entries(metadata)) {
    const fault = faultIn(name) ?? faultIn(value)
    if (fault !== undefined) throw invalidMetadata(`${fault}; got one in ${quote(name)}`)
    if (losesDigits(value)) {
      throw invalidMetadata(
        `must not contain integers beyond ${Number.MAX_SAFE_INTEGER} (2^53 − 1), which would ` +
          `lose digits; got one in ${quote(name)}. Send it as a string`,
      )
    }
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** The rule that a value violates if it cannot be stored, or not without changing. */
function faultIn(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const good = !value.includes('\0') && value.isWellFormed()
    return good ? undefined : 'must not contain NUL or a lone surrogate'
  }
  // 1e400 is valid JSON, but it is parsed as Infinity, which JSON.stringify writes as null.
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

/**
 * Numbers are parsed as doubles, which cannot represent every integer beyond 2^53: the value
 * 12345678901234567890, perhaps an external id, would be stored as 12345678901234567000. After
 * parsing it looks like an exact double such as 1e21, so all such integers are rejected.
 * Fractions may lose digits after the sixteenth.
 */
function losesDigits(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(losesDigits)
}

function invalidMetadata(rule: string): Refusal {
  return new Refusal('invalid_request', `"metadata" ${rule}.`)
}
