// Responses stored for their Idempotency-Key in the same database transaction as the change. Errors
// are not stored: a retry is decided again.

import type { Queryable, Tx } from '../postgres/database.ts'
import { inSlices, type Sweep } from '../postgres/sweep.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { IdempotencyKey, StoredResponse } from './idempotency-key.ts'
import {
  deleteExpiredResponses,
  selectExpiredResponses,
  selectStoredResponses,
  sendStoredResponses,
} from './queries.ts'

const stored_response_days = 30

/** The stored responses of these keys, by `keyText`. */
export { erased_responses } from './queries.ts'

export async function findStoredResponses(
  db: Queryable,
  keys: IdempotencyKey[],
): Promise<Map<string, StoredResponse>> {
  if (keys.length === 0) return new Map()
  const rows = await selectStoredResponses(db, keys)
  return new Map(rows.map((row) => [keyText(row), row]))
}

export function storeResponses(tx: Tx, responses: StoredResponse[]): void {
  if (responses.length === 0) return
  const until = new Date(Date.now() + stored_response_days * 86_400_000)
  sendStoredResponses(tx, responses, until.toISOString().slice(0, 10))
}

// All responses of a day expire at the same time, and a busy day has millions. Under load on two
// cores, 1,000 rows took at most 130 ms and 10,000 rows 740 ms, so larger slices gain nothing.
const expired_max = 1_000

export const sweepStoredResponses: Sweep = (db, signal) => {
  const today = new Date().toISOString().slice(0, 10)
  return inSlices(expired_max, signal, async (limit) => {
    const old = await selectExpiredResponses(db, today, limit)
    return old.length === 0 ? 0 : deleteExpiredResponses(db, old, today)
  })
}

/** A change outside of the lanes has used one of the keys concurrently. A retry finds it. */
export function isStoredResponseConflict(error: unknown): boolean {
  const { constraint = '' } = (error ?? {}) as { constraint?: string }
  // On Citus, the constraint of a shard ends with the number of the shard.
  return /^idempotency_keys_pkey(_\d+)?$/.test(constraint)
}

export function keyText(key: { scope_id: string; key_hash: Buffer }): string {
  return key.scope_id + key.key_hash.toString('latin1')
}

/** A key can be sent again only with the same request. */
export function requireSameRequest(key: IdempotencyKey, stored: StoredResponse): void {
  if (key.fingerprint.equals(stored.fingerprint)) return
  throw new Refusal(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
    { key_reused: true },
  )
}
