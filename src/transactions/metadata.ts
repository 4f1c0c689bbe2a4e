// Metadata: a caller's own key-value pairs, any JSON, within limits. Merged under the account's
// lock, so that fifty parallel changes of one key each keep fifty keys.

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

/** JSON text, or null for none. Refuses what is over a limit. */
export function metadataText(metadata: Metadata | null | undefined): string | null {
  if (metadata === undefined || metadata === null) return null
  const text = wholeText(metadata)
  requireGoodParts(metadata)
  return text
}

/**
 * Judged by itself before anything is looked up: a fault in the body comes first. What it removes
 * takes no room in the merged whole; what it sets is there whatever else is.
 */
export function requireGoodChange(changes: Metadata | null | undefined): void {
  if (changes === undefined || changes === null) return
  wholeText(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)))
  requireGoodParts(changes)
}

/**
 * Top-level keys are merged; a key set to null is removed; null clears all. The changes have been
 * judged, and what is stored was when it came: by the rules of its day, which a change of another
 * key has nothing to do with. So only the whole is measured here.
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

/** The limits that all keys share. Checked first: they bound the work of every other check. */
function wholeText(metadata: Metadata): string | null {
  const count = Object.keys(metadata).length
  if (count === 0) return null
  if (count > keys_max) {
    throw tooMuch(`must have at most ${keys_max} keys; ${count} would be there`)
  }
  const text = JSON.stringify(metadata)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytes_max) throw tooMuch(`must be at most 16 KiB of JSON; ${bytes} bytes would be`)
  return text
}

/** The rules for each key and value alone. */
function requireGoodParts(metadata: Metadata): void {
  const long = Object.keys(metadata).find((name) => [...name].length > key_length_max)
  if (long !== undefined) {
    throw tooMuch(
      `must have keys of at most ${key_length_max} characters; ${quote(long)} is longer`,
    )
  }
  if (depthOf(metadata) > levels_max) throw tooMuch(`must be at most ${levels_max} levels deep`)
  for (const [name, value] of Object.entries(metadata)) {
    const fault = faultIn(name) ?? faultIn(value)
    if (fault !== undefined) throw tooMuch(`${fault}, as ${quote(name)} does`)
    if (losesDigits(value)) {
      throw tooMuch(
        `must not contain whole numbers beyond ${Number.MAX_SAFE_INTEGER} (2^53 − 1), as ` +
          `${quote(name)} does: they would lose digits. Send such a number as text`,
      )
    }
  }
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

/**
 * Numbers are read as doubles, and beyond 2^53 not every whole number is one: what was sent as
 * 12345678901234567890, an id from elsewhere perhaps, would be kept as 12345678901234567000. Once
 * it is read nobody can tell it from 1e21, which is a double, so that is refused as well. Digits
 * after the point are taken for a measure, of which sixteen are plenty.
 */
function losesDigits(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(losesDigits)
}

function tooMuch(rule: string): Refusal {
  return new Refusal('invalid_request', `metadata ${rule}.`)
}
