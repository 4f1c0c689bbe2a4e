// The pool, and database transactions on it. `tx` is one atomic step; `db` opens them.

import type pg from 'pg'
import { Refusal } from '../primitives/refusal.ts'
import { ClientTx, fetchTxStatus, type TxNumber, type TxStatus, writeRecord } from './client-tx.ts'
import type { Connection } from './connect.ts'
import {
  isDatabaseFailure,
  isReadOnly,
  isRetryableConflict,
  OutcomeUnknown,
  sqlState,
  translateFailure,
} from './failure.ts'
import { disconnect, runStatement, type StatementResult, watchWarnings } from './flush.ts'
import { openPool, type PoolerCheck, type SessionOptions, settingsFor } from './pool.ts'
import { type Sql, sql } from './sql.ts'

export type { Connection } from './connect.ts'

/** Anything that runs statements: the pool for single reads, or a database transaction. */
export interface Queryable {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** The only row, or undefined. */
  row<Row>(statement: Sql): Promise<Row | undefined>
  /** How many rows the statement wrote. */
  count(statement: Sql): Promise<number>
}

export interface Tx extends Queryable {
  /**
   * Business time of this change, the same for everything it writes: real time plus the sandbox's
   * offset, which the database keeps for all processes.
   */
  readonly now: Date
  /** Writes without waiting: the statement travels with COMMIT, which fails if it fails. */
  send(statement: Sql): void
}

export interface Db extends Queryable {
  transaction<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
  /** As transaction, but `tx.now` is known only after the first statement has been awaited. */
  batch<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Reads in one database transaction, which ends with ROLLBACK: no standby is waited for. */
  readTransaction<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * The same database by clients of its own, for what all callers share: lanes and the look-up of
   * tokens. Whoever waits for a lock or reads much holds a client meanwhile, and ten such requests
   * of one account would keep the payments of all others waiting for one.
   */
  readonly reserved: Db
  /** As reserved, for the batches of accounts that somebody else has: they wait for their locks. */
  readonly waiting_pool: Db
  /** Ends when every client has been given back. */
  close(): Promise<void>
  /** For migrations, leases of their own and tests; everything else uses the calls above. */
  readonly pool: pg.Pool
}

// Ten clients serve everything but floods; a small pool keeps PostgreSQL from thrashing two cores.
const clients_max = 10
// A batch of each of three lanes, and two look-ups of tokens.
const reserved_max = 5
// Two accounts for each of three lanes can be waited for at a time; the next wait for a client.
const waiting_pool_max = 6

export interface DatabaseOptions extends SessionOptions {
  clients_max?: number
}

export function openDatabase(connection: Connection, options: DatabaseOptions = {}): Db {
  const check: PoolerCheck = {}
  const open = (max: number) => openPool(connection, options, max, check)
  return new PoolDb(open(options.clients_max ?? clients_max), open)
}

class PoolDb implements Db {
  readonly pool: pg.Pool
  readonly #open: (clients_max: number) => pg.Pool
  #reserved: PoolDb | undefined
  #waiting_pool: PoolDb | undefined
  #is_closed = false

  constructor(pool: pg.Pool, open: (clients_max: number) => pg.Pool) {
    this.pool = pool
    this.#open = open
  }

  // Both are opened when they are first asked for: most commands and workers need none.
  get reserved(): Db {
    this.#reserved ??= new PoolDb(this.#open(reserved_max), this.#open)
    return this.#reserved
  }

  get waiting_pool(): Db {
    // A batch that comes late, while the server stops, opens nothing that nobody would close.
    if (this.#is_closed) return this
    this.#waiting_pool ??= new PoolDb(this.#open(waiting_pool_max), this.#open)
    return this.#waiting_pool
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#runStatement(statement)).rows as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.#runStatement(statement)).rows[0] as Row | undefined
  }

  async count(statement: Sql): Promise<number> {
    return (await this.#runStatement(statement)).count
  }

  async #runStatement(statement: Sql): Promise<StatementResult> {
    try {
      const client = await this.pool.connect()
      const watch = watchWarnings(client)
      let failure: unknown
      try {
        const response = await runStatement(client, statement, settingsFor(client))
        if (watch.warned) throw new OutcomeUnknown()
        return response
      } catch (error) {
        failure = error
        throw error
      } finally {
        watch.stop()
        // The pool drops a client that has lost its connection.
        client.release(isReadOnly(failure))
      }
    } catch (error) {
      throw translateFailure(error)
    }
  }

  transaction<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#retry(async (tx) => {
      await tx.begun
      return change(tx)
    })
  }

  batch<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#retry(change)
  }

  readTransaction<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result> {
    const begin = async (tx: ClientTx) => {
      await tx.begun
      return read(tx)
    }
    return this.#retry(begin, (tx) => tx.rollback())
  }

  // A deadlock, a serialisation failure, or a COMMIT that was lost and did not happen is nobody's
  // fault and seldom comes twice.
  async #retry<Result>(
    change: (tx: ClientTx) => Promise<Result>,
    end = (tx: ClientTx) => this.#commit(tx),
  ): Promise<Result> {
    for (let attempts_left = 3; ; attempts_left--) {
      try {
        return await this.#attempt(change, end)
      } catch (error) {
        const again = isRetryableConflict(error) || error instanceof LostCommit
        if (attempts_left === 0 || !again) throw translateFailure(error)
      }
    }
  }

  async #attempt<Result>(
    change: (tx: ClientTx) => Promise<Result>,
    end: (tx: ClientTx) => Promise<void>,
  ): Promise<Result> {
    const client = await this.pool.connect()
    const tx = new ClientTx(client)
    try {
      const result = await change(tx)
      await end(tx)
      return result
    } catch (error) {
      await tx.rollback()
      if (isReadOnly(error)) tx.discard(error)
      throw error
    } finally {
      tx.release()
    }
  }

  // With the connection lost while COMMIT was under way, only the database knows what happened.
  async #commit(tx: ClientTx): Promise<void> {
    try {
      await tx.commit()
    } catch (error) {
      if (!isLost(error)) throw error
      if (tx.is_unconfirmed) throw new OutcomeUnknown()
      if (tx.number !== undefined && (await hasCommitted(this.pool, tx.number))) return
      // A server that said why it left is not asked again at once; a silent network is.
      throw toldState(error) === undefined ? new LostCommit() : error
    }
  }

  async close(): Promise<void> {
    this.#is_closed = true
    await Promise.all([this.pool.end(), this.#reserved?.close(), this.#waiting_pool?.close()])
  }
}

/** What the database itself said, also when it has been translated for the caller since. */
function toldState(error: unknown): string | undefined {
  return sqlState(told(error))
}

function told(error: unknown): unknown {
  return error instanceof Refusal ? error.details.cause : error
}

// An error that the server tells is its word that the change was rolled back, unless it may end the
// server with it: a PANIC for want of room (53), of its disk (58) or of its own making (XX), or the
// end of the session (08, 57P), may come after COMMIT was written. A fault of ours is not lost.
function isLost(error: unknown): boolean {
  const state = toldState(error)
  if (state === undefined) return isDatabaseFailure(told(error))
  return /^(08|53|57P|58|XX)/.test(state)
}

class LostCommit extends Error {
  override message = 'the connection was lost, and the change did not happen'
}

// Longer than any statement may take, and short enough to answer the caller within ten seconds.
const ask_for_ms = 5_000

async function hasCommitted(pool: pg.Pool, { xid, server_run }: TxNumber): Promise<boolean> {
  const until = performance.now() + ask_for_ms
  for (;;) {
    const found = await fetchTxStatus(pool, xid).catch(readStatusFailure)
    // After a crash the numbers of what had not reached the disk are given again. This one may by
    // now be another's: that it has committed says nothing about us. What had reached the disk
    // keeps its number, so that it has not is true of us too.
    if (found.status === 'committed' && found.server_run !== server_run) throw new OutcomeUnknown()
    if (found.status === 'committed') return confirm(pool, server_run, until)
    if (found.status === 'aborted') return false
    if (performance.now() > until) throw new OutcomeUnknown()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * A change that has committed may be on the primary only, where its wait for a synchronous standby
 * was canceled. The standby receives changes in their order: once a later one is confirmed, so is
 * this one.
 */
async function confirm(pool: pg.Pool, server_run: string, until: number): Promise<true> {
  const client = await pool.connect().catch(() => {
    throw new OutcomeUnknown()
  })
  const deadline = setTimeout(() => disconnect(client), Math.max(0, until - performance.now()))
  const tx = new ClientTx(client)
  try {
    const later = await tx.row<{ server_run: string }>(writeRecord)
    if (later!.server_run !== server_run) throw new OutcomeUnknown()
    await tx.commit()
    return true
  } catch {
    await tx.rollback()
    throw new OutcomeUnknown()
  } finally {
    clearTimeout(deadline)
    tx.release()
  }
}

/** A number that has not been given yet was ours before a crash, and nothing is left of it. */
function readStatusFailure(error: unknown): TxStatus {
  return { status: sqlState(error) === '22023' ? 'aborted' : 'unknown' }
}

/** A single read that must not run long: over the limit it is refused, and says what to do. */
export async function withTimeout<Result>(
  db: Db,
  limit_ms: number,
  advice: string,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.readTransaction(async (tx) => {
      await tx.rows({
        text: `set local statement_timeout = ${limit_ms}`,
        values: [],
      } as unknown as Sql)
      // What may run long depends on its values: a rare name wants another plan than a common one.
      await tx.rows(sql`set local plan_cache_mode = force_custom_plan`)
      return read(tx)
    })
  } catch (error) {
    const cause = error instanceof Refusal ? error.details.cause : undefined
    if (sqlState(cause) !== '57014') throw error
    throw new Refusal('unavailable', advice, { retry_after_s: 1, cause })
  }
}
