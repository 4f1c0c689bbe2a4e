// Limits failed logins. The counts are in the database, so all processes share them; emails and IP
// addresses are stored only as hashes. Three limits apply:
//   an email from one IP address: 10 failures in 15 minutes;
//   an email from all IP addresses: 100 per hour, except for addresses from which it has logged in
//     within 30 days, so that an attacker cannot lock the user out;
//   an IP address: 300 per hour.
// A wrong code of a second factor counts in these limits too, and in a fourth: 10 per hour for a
// user from all addresses. Only a client with the right password reaches it.

import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import { type Sweep, sweepRows } from '../../postgres/sweep.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { sha256 } from '../../primitives/secrets.ts'
import {
  addFailure,
  deleteFailures,
  isKnownAddress,
  old_addresses,
  old_failures,
  selectFailureCounts,
  type ThrottleKey,
  upsertKnownAddress,
} from './queries.ts'

const minute_ms = 60_000
const address_lifetime_ms = 30 * 24 * 60 * minute_ms

export interface LoginAttempt {
  email_canonical: string
  address: string
}

/** Throws a 429, before any hashing, if a limit is reached. */
export async function requireNotThrottled(db: Queryable, attempt: LoginAttempt): Promise<void> {
  const at = new Date()
  await requireBelowLimits(db, await keysOf(db, attempt, at), at)
}

/** Throws a 429 if too many codes of this user were wrong. Requires the user's lock. */
export async function requireCodesNotThrottled(tx: Tx, user_id: string): Promise<void> {
  await requireBelowLimits(tx, [codeKey(user_id)], new Date())
}

async function requireBelowLimits(db: Queryable, keys: ThrottleKey[], at: Date): Promise<void> {
  for (const found of await selectFailureCounts(db, keys, at)) {
    const key = keys.find((candidate) => candidate.key_hash.equals(found.key_hash))!
    if (found.failures < key.failures_max) continue
    throw throttled((found.oldest?.getTime() ?? at.getTime()) + key.window_ms - at.getTime())
  }
}

/** Records a wrong password. Throws a 429 if concurrent attempts have reached the limit. */
export async function recordFailure(db: Db, attempt: LoginAttempt): Promise<void> {
  const at = new Date()
  await db.transaction(async (tx) => addFailures(tx, await keysOf(tx, attempt, at), at))
}

export async function recordWrongCode(
  tx: Tx,
  attempt: LoginAttempt,
  user_id: string,
): Promise<void> {
  const at = new Date()
  await addFailures(tx, [...(await keysOf(tx, attempt, at)), codeKey(user_id)], at)
}

async function addFailures(tx: Tx, keys: ThrottleKey[], at: Date): Promise<void> {
  const admitted = await addFailure(tx, keys, at)
  if (admitted < keys.length) throw throttled(keys[0]!.window_ms)
}

export async function recordSuccess(tx: Tx, attempt: LoginAttempt): Promise<void> {
  await deleteFailures(tx, pairKey(attempt))
  await upsertKnownAddress(tx, knownKey(attempt), new Date(Date.now() + address_lifetime_ms))
}

/** Deletes failures and known addresses that no longer count. */
export const sweepThrottle: Sweep = (db, signal) =>
  sweepRows(db, [old_failures, old_addresses], signal)

async function keysOf(db: Queryable, attempt: LoginAttempt, at: Date): Promise<ThrottleKey[]> {
  const pair = { key_hash: pairKey(attempt), failures_max: 10, window_ms: 15 * minute_ms }
  const address = {
    key_hash: sha256(`address\n${attempt.address}`),
    failures_max: 300,
    window_ms: 60 * minute_ms,
  }
  if (await isKnownAddress(db, knownKey(attempt), at)) return [pair, address]
  const email = {
    key_hash: sha256(`email\n${attempt.email_canonical}`),
    failures_max: 100,
    window_ms: 60 * minute_ms,
  }
  return [pair, address, email]
}

function codeKey(user_id: string): ThrottleKey {
  const key_hash = sha256(`code\n${user_id}`)
  return { key_hash, failures_max: 10, window_ms: 60 * minute_ms }
}

function pairKey(attempt: LoginAttempt): Buffer {
  return sha256(`pair\n${attempt.email_canonical}\n${attempt.address}`)
}

function knownKey(attempt: LoginAttempt): Buffer {
  return sha256(`known\n${attempt.email_canonical}\n${attempt.address}`)
}

function throttled(wait_ms: number): Refusal {
  const retry_after_s = Math.max(1, Math.ceil(wait_ms / 1_000))
  return new Refusal(
    'rate_limited',
    `Too many failed logins. Try again in ${Math.ceil(retry_after_s / 60)} min.`,
    { retry_after_s },
  )
}
