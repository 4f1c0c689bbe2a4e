// A change that happens once for its Idempotency-Key, for everything that does not go through a
// lane. The answer is kept last: a second request with the key waits there until the first has
// committed or failed, and then undoes its change and replays, or takes its place.
//
// Last, because lanes keep theirs under the accounts' locks. Claimed first, a key and an account
// were locked in both orders, and two requests of anybody with one key were a deadlock that held up
// the lane of all accounts for a second.

import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { isSealed } from '../primitives/seal.ts'
import type { IdempotencyKey, StoredResponse } from './idempotency-key.ts'
import { insertStoredResponse } from './queries.ts'
import { sealResponse, unsealResponse } from './sealed-response.ts'
import { findStoredResponses, keyText, requireSameRequest } from './stored-responses.ts'

export interface IdempotencyContext {
  key: IdempotencyKey
  /** The answer holds a secret: it is kept so that only the Idempotency-Key opens it. */
  sealed?: boolean
  /** The answer as it will be sent, so that a replay is the same to the byte. */
  render(answer: unknown): { status: number; body: string }
}

/** Thrown, because nothing is done then: the answer that was given before is given again. */
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
export async function replayStoredResponse(db: Db, key: IdempotencyKey): Promise<void> {
  if ((await findReplay(db, key)) === undefined) return
  // A replay is an acknowledgment too, which a failover must not take back: it is read again in a
  // database transaction, whose COMMIT waits until a synchronous standby has what was read.
  const replay = await db.transaction((tx) => findReplay(tx, key))
  if (replay !== undefined) throw replay
}

async function findReplay(db: Queryable, key: IdempotencyKey): Promise<Replay | undefined> {
  const kept = (await findStoredResponses(db, [key])).get(keyText(key))
  if (kept === undefined) return undefined
  requireSameRequest(key, kept)
  return replayOf(key, kept)
}

function replayOf(key: IdempotencyKey, { status, body }: StoredResponse): Replay {
  const opened = isSealed(body) ? unsealResponse(key.sealingKey(), key, body) : body
  return new Replay({ status, body: opened })
}

export interface ChangeOnceOptions {
  /** The answer holds a secret: it is kept so that only the Idempotency-Key opens it. */
  sealed?: boolean
}

export async function changeOnce<Result>(
  db: Db,
  once: IdempotencyContext | undefined,
  change: (tx: Tx) => Promise<Result>,
  { sealed = false }: ChangeOnceOptions = {},
): Promise<Result> {
  if (once === undefined) return db.transaction(change)
  try {
    const done = await db.transaction(async (tx) => {
      // Returned, so that it is committed as well.
      const replay = await findReplay(tx, once.key)
      if (replay !== undefined) return { replay }
      const answer = await change(tx)
      // Undefined means that nothing was done and the caller will try anew.
      if (answer !== undefined) await keep(tx, once, answer, sealed || once.sealed === true)
      return { answer }
    })
    if (done.replay !== undefined) throw done.replay
    return done.answer
  } catch (error) {
    // Refused, perhaps, for what the first request with this key has done meanwhile.
    if (error instanceof ConcurrentResponseError || isDecided(error))
      await replayStoredResponse(db, once.key)
    throw error
  }
}

async function keep(
  tx: Tx,
  once: IdempotencyContext,
  answer: unknown,
  sealed: boolean,
): Promise<void> {
  const { key } = once
  const { status, body } = once.render(answer)
  const kept = sealed ? sealResponse(key.sealingKey(), key, body) : Buffer.from(body)
  if (!(await insertStoredResponse(tx, { ...key, status, body: kept })))
    throw new ConcurrentResponseError()
}

/** Thrown, because it undoes the change: another request with the key was faster. */
class ConcurrentResponseError extends Error {
  override message = 'the request was answered meanwhile'
}

/** A database that is away has decided nothing, and would not answer another question either. */
function isDecided(error: unknown): boolean {
  return error instanceof Refusal && error.code !== 'unavailable'
}
