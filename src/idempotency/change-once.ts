// Runs a change once per Idempotency-Key, for changes that do not go through a lane. The response
// is stored last. A second request with the key waits there until the first has committed or
// failed; then it rolls back and replays the stored response, or commits.
//
// The key is locked last because lanes store responses under the account locks. Locked first, two
// requests with one key could deadlock with a lane and block it for a second.

import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { isSealed } from '../primitives/secrets.ts'
import type { IdempotencyKey, StoredResponse } from './idempotency-key.ts'
import { insertStoredResponse } from './queries.ts'
import { sealResponse, unsealResponse } from './sealed-response.ts'
import { findStoredResponses, keyText, requireSameRequest } from './stored-responses.ts'

export interface IdempotencyContext {
  key: IdempotencyKey
  /** The response contains a secret: it is encrypted with a key from the Idempotency-Key. */
  sealed?: boolean
  /** Renders the response exactly as it is sent, so that a replay has the same bytes. */
  render(result: unknown): { status: number; body: string }
}

/** Thrown to skip the change: the stored response is sent again. */
export class Replay extends Error {
  readonly status: number
  readonly body: Buffer

  constructor(stored: { status: number; body: Buffer }) {
    super('the request has a stored response')
    this.name = 'Replay'
    this.status = stored.status
    this.body = stored.body
  }
}

/** Called before any lookup: the first request may have deleted what the lookup would find. */
export async function replayStoredResponse(db: Db, key: IdempotencyKey): Promise<void> {
  if ((await findReplay(db, key)) === undefined) return
  // A replay is an acknowledgment, which a failover must not undo. So the response is read again in
  // a database transaction, whose COMMIT waits until a synchronous standby has that data.
  const replay = await db.transaction((tx) => findReplay(tx, key))
  if (replay !== undefined) throw replay
}

async function findReplay(db: Queryable, key: IdempotencyKey): Promise<Replay | undefined> {
  const stored = (await findStoredResponses(db, [key])).get(keyText(key))
  if (stored === undefined) return undefined
  requireSameRequest(key, stored)
  return replayOf(key, stored)
}

function replayOf(key: IdempotencyKey, { status, body }: StoredResponse): Replay {
  const opened = isSealed(body) ? unsealResponse(key.sealingKey(), key, body) : body
  return new Replay({ status, body: opened })
}

interface ChangeOnceOptions {
  /** The response contains a secret: it is encrypted with a key from the Idempotency-Key. */
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
    const outcome = await db.transaction(async (tx) => {
      // Returned, not thrown, so that the transaction commits (see replayStoredResponse).
      const replay = await findReplay(tx, once.key)
      if (replay !== undefined) return { replay }
      const result = await change(tx)
      // Undefined means that nothing was changed and the caller will retry.
      if (result !== undefined) await storeResult(tx, once, result, sealed || once.sealed === true)
      return { result }
    })
    if (outcome.replay !== undefined) throw outcome.replay
    return outcome.result
  } catch (error) {
    // A refusal may be caused by the concurrent first request with this key.
    if (error instanceof ConcurrentResponseError || isFinalRefusal(error))
      await replayStoredResponse(db, once.key)
    throw error
  }
}

async function storeResult(
  tx: Tx,
  once: IdempotencyContext,
  result: unknown,
  sealed: boolean,
): Promise<void> {
  const { key } = once
  const { status, body } = once.render(result)
  const stored = sealed ? sealResponse(key.sealingKey(), key, body) : Buffer.from(body)
  if (!(await insertStoredResponse(tx, { ...key, status, body: stored })))
    throw new ConcurrentResponseError()
}

/** Thrown to roll back: a concurrent request with the key has committed first. */
class ConcurrentResponseError extends Error {
  override message = 'a concurrent request stored a response for this key'
}

/** Not if the database is unavailable: then another query would fail too. */
function isFinalRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.code !== 'unavailable'
}
