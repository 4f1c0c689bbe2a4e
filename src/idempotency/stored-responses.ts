// Responses stored for their Idempotency-Key in the same database transaction as the change. Errors
// are not stored: a retry is decided again.

import type { Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { IdempotencyKey, StoredResponse } from './idempotency-key.ts'
import { selectStoredResponses, sendStoredResponses } from './queries.ts'

const stored_response_days = 30

/** The stored responses of these keys, by `keyText`. */
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

/** A change outside of the lanes has used one of the keys concurrently. A retry finds it. */
export function isStoredResponseConflict(error: unknown): boolean {
  return (error as { constraint?: string } | undefined)?.constraint === 'idempotency_keys_pkey'
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
