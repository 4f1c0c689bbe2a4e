// How often a password may be guessed. Kept in the database, so that every process counts together,
// with emails and addresses only as hashes. Three keys count at once:
//   an email from one address: 10 failures in 15 minutes;
//   an email from anywhere: 100 an hour, but for addresses it logged in from within 30 days, so
//     that a stranger cannot lock the owner out;
//   an address: 300 an hour.

import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import {
  addFailure,
  deleteFailures,
  isKnownAddress,
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

/** Refuses with 429, before any hashing, when one of the keys is used up. */
export async function requireNotThrottled(db: Queryable, guess: LoginAttempt): Promise<void> {
  const at = new Date()
  const keys = await keysOf(db, guess, at)
  for (const found of await selectFailureCounts(db, keys, at)) {
    const key = keys.find((candidate) => candidate.key_hash.equals(found.key_hash))!
    if (found.failures < key.failures_max) continue
    throw throttled((found.oldest?.getTime() ?? at.getTime()) + key.window_ms - at.getTime())
  }
}

/** Remembers a wrong password. When parallel guesses have used the limit up meanwhile: 429. */
export async function recordFailure(db: Db, guess: LoginAttempt): Promise<void> {
  const at = new Date()
  await db.transaction(async (tx) => {
    const keys = await keysOf(tx, guess, at)
    const admitted = await addFailure(tx, keys, at)
    if (admitted < keys.length) throw throttled(keys[0]!.window_ms)
  })
}

export async function recordSuccess(tx: Tx, guess: LoginAttempt): Promise<void> {
  await deleteFailures(tx, pairKey(guess))
  await upsertKnownAddress(tx, knownKey(guess), new Date(Date.now() + address_lifetime_ms))
}

async function keysOf(db: Queryable, guess: LoginAttempt, at: Date): Promise<ThrottleKey[]> {
  const pair = { key_hash: pairKey(guess), failures_max: 10, window_ms: 15 * minute_ms }
  const address = {
    key_hash: sha256(`address\n${guess.address}`),
    failures_max: 300,
    window_ms: 60 * minute_ms,
  }
  if (await isKnownAddress(db, knownKey(guess), at)) return [pair, address]
  const email = {
    key_hash: sha256(`email\n${guess.email_canonical}`),
    failures_max: 100,
    window_ms: 60 * minute_ms,
  }
  return [pair, address, email]
}

function pairKey(guess: LoginAttempt): Buffer {
  return sha256(`pair\n${guess.email_canonical}\n${guess.address}`)
}

function knownKey(guess: LoginAttempt): Buffer {
  return sha256(`known\n${guess.email_canonical}\n${guess.address}`)
}

function throttled(wait_ms: number): Refusal {
  const retry_after_s = Math.max(1, Math.ceil(wait_ms / 1_000))
  return new Refusal(
    'rate_limited',
    `Too many failed log-ins. Try again in ${Math.ceil(retry_after_s / 60)} min.`,
    { retry_after_s },
  )
}
