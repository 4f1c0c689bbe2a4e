// A change that happens once for its Idempotency-Key, for everything that does not go through a
// lane. The key is claimed first: a second request with it waits there until the first has
// committed or failed, and then replays its answer or takes its place.

import type { Db, Tx } from '../postgres/database.ts'
import { isSealed } from '../primitives/seal.ts'
import type { AnswerKey, KeptAnswer } from './answer-key.ts'
import { findKept, keyText, requireSameRequest } from './kept-answer.ts'
import { claimKey, dropKey, fillKey } from './queries.ts'
import { openAnswer, sealAnswer } from './sealed-answer.ts'

export interface Once {
  key: AnswerKey
  /** The answer holds a secret: it is kept so that only the Idempotency-Key opens it. */
  sealed?: boolean
  /** The answer as it will be sent, so that a replay is the same to the byte. */
  render(answer: unknown): { status: number; body: string }
}

/** Thrown, because it undoes the claim: the answer that was given before is given again. */
export class Replay extends Error {
  readonly status: number
  readonly body: Buffer

  constructor(kept: { status: number; body: Buffer }) {
    super('the request was answered before')
    this.name = 'Replay'
    this.status = kept.status
    this.body = kept.body
  }
}

/** Asked before anything is looked up: what is gone because of this very request is no reason. */
export async function replayKept(db: Db, key: AnswerKey): Promise<void> {
  const kept = (await findKept(db, [key])).get(keyText(key))
  if (kept === undefined) return
  requireSameRequest(key, kept)
  throw replayOf(key, kept)
}

function replayOf(key: AnswerKey, { status, body }: KeptAnswer): Replay {
  const opened = isSealed(body) ? openAnswer(key.sealingKey(), key, body) : body
  return new Replay({ status, body: opened })
}

export interface OnceOptions {
  /** The answer holds a secret: it is kept so that only the Idempotency-Key opens it. */
  sealed?: boolean
}

export function changeOnce<Answer>(
  db: Db,
  once: Once | undefined,
  change: (tx: Tx) => Promise<Answer>,
  { sealed = false }: OnceOptions = {},
): Promise<Answer> {
  if (once === undefined) return db.transaction(change)
  return db.transaction(async (tx) => {
    await claim(tx, once.key)
    const answer = await change(tx)
    // Undefined means that nothing was done and the caller will try anew.
    if (answer === undefined) await dropKey(tx, once.key)
    else await fill(tx, once, answer, sealed || once.sealed === true)
    return answer
  })
}

async function fill(tx: Tx, once: Once, answer: unknown, sealed: boolean): Promise<void> {
  const { key } = once
  const { status, body } = once.render(answer)
  const kept = sealed ? sealAnswer(key.sealingKey(), key, body) : Buffer.from(body)
  await fillKey(tx, key, status, kept)
}

async function claim(tx: Tx, key: AnswerKey): Promise<void> {
  if (await claimKey(tx, key)) return
  const kept = (await findKept(tx, [key])).get(keyText(key))
  if (kept === undefined) throw new Error('a claimed key has no row')
  requireSameRequest(key, kept)
  throw replayOf(key, kept)
}
