// Answers kept for their Idempotency-Key, written in the same database transaction as the effect:
// either both are there or neither. Refusals are not kept; they are decided afresh each time.

import type { Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { AnswerKey, KeptAnswer } from './answer-key.ts'
import { selectKept, sendKept } from './queries.ts'

const kept_days = 30

/** The kept answers of these keys, by the text of keyText. */
export async function findKept(db: Queryable, keys: AnswerKey[]): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map()
  const rows = await selectKept(db, keys)
  return new Map(rows.map((row) => [keyText(row), row]))
}

export function keepAnswers(tx: Tx, answers: KeptAnswer[]): void {
  if (answers.length === 0) return
  const until = new Date(Date.now() + kept_days * 86_400_000)
  sendKept(tx, answers, until.toISOString().slice(0, 10))
}

/** A change outside the lanes has just used the key of one of these: the next look finds it. */
export function wasKeptMeanwhile(error: unknown): boolean {
  return (error as { constraint?: string } | undefined)?.constraint === 'idempotency_keys_pkey'
}

export function keyText(key: { scope_id: string; key_hash: Buffer }): string {
  return key.scope_id + key.key_hash.toString('latin1')
}

/** The same key may only be sent again with the same request. */
export function requireSameRequest(key: AnswerKey, kept: KeptAnswer): void {
  if (key.fingerprint.equals(kept.fingerprint)) return
  throw new Refusal(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
    { key_reused: true },
  )
}
