// The connection pool and its database transactions. `tx` is one atomic step; `db` opens them.

import type pg from 'pg'
import { Refusal } from '../primitives/refusal.ts'
import { ClientTx } from './client-tx.ts'
import type { Evidence } from './commit-evidence.ts'
import type { Connection } from './connect.ts'
import { runStatement, type StatementResult, watchWarnings } from './driver/flush.ts'
import {
  isDatabaseFailure,
  isReadOnly,
  isRetryableConflict,
  OutcomeUnknown,
  sqlState,
  translateFailure,
} from './failure.ts'
import { wasCommitted } from './lost-commit.ts'
import { openPool, type SessionOptions, settingsFor } from './pool.ts'
import { Shards } from './shards.ts'
import { type Sql, sql } from './sql.ts'
import { type Queryable, StatementRunner } from './statement-runner.ts'

export type { Connection } from './connect.ts'
export type { Queryable } from './statement-runner.ts'

export interface Tx extends Queryable {
  /** Those of the database. */
  readonly shards: Shards
  /** Accounts whose balance rows this transaction has locked, written or found. */
  readonly known_balances: Set<string>
  /**
   * Business time of this change, the same for everything it writes: real time plus the sandbox
   * offset, which the database stores for all processes.
   */
  readonly now: Date
  /** Writes without waiting: the statement is sent with COMMIT, which fails if it fails. */
  send(statement: Sql): void
  /** If the response to COMMIT is lost, this evidence shows whether the change was committed. */
  proveBy(evidence: Evidence): void
  /**
   * An evidence row is written, even if `proveBy` is called: for a change without an event, and for
   * a new account, whose lock no other transaction can wait for.
   */
  proveByRow(account_id: string): void
}

export interface Db extends Queryable {
  transaction<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Like transaction, but `tx.now` is known only after the first statement has been awaited. */
  batch<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Reads in one database transaction. It ends with ROLLBACK, which waits for no standby. */
  readTransaction<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * A separate pool for what all callers share: lanes and token lookups. A request that waits for a
   * lock or reads many rows occupies a client. Without this pool, ten such requests of one account
   * would block the payments of all other accounts.
   */
  readonly reserved: Db
  /** Shared by all pools of the database. */
  readonly shards: Shards
  /** A separate pool for waiting lanes, whose batches wait for the locks of their accounts. */
  readonly waiting_pool: Db
  /** Resolves when every client has been released. */
  close(): Promise<void>
  /** For migrations, dedicated connections and tests; everything else uses the calls above. */
  readonly pool: pg.Pool
}

// Ten clients are enough for any normal load; a small pool avoids overloading PostgreSQL on two
// cores.
const clients_max = 10
// One batch for each lane, which are three per shard, and two token lookups. On Citus with many
// shards, lanes wait for a client: each of them needs a connection to a worker node, too.
const reservedMax = (shards: number) => Math.min(3 * shards, 24) + 2
// Two locked accounts for each lane; others wait for a client.
const waitingPoolMax = (shards: number) => Math.min(6 * shards, 12)

export interface DatabaseOptions extends SessionOptions {
  clients_max?: number
}

export function openDatabase(connection: Connection, options: DatabaseOptions = {}): Db {
  const state = { check: {}, shards: new Shards() }
  const open = (max: number) => openPool(connection, options, max, state)
  return new PoolDb(open(options.clients_max ?? clients_max), open, state.shards)
}

class PoolDb extends StatementRunner implements Db {
  readonly pool: pg.Pool
  readonly shards: Shards
  readonly #open: (clients_max: number) => pg.Pool
  #reserved: PoolDb | undefined
  #waiting_pool: PoolDb | undefined
  #is_closed = false

  constructor(pool: pg.Pool, open: (clients_max: number) => pg.Pool, shards: Shards) {
    super()
    this.pool = pool
    this.shards = shards
    this.#open = open
  }

  // Both pools are opened on first use: most commands and workers need neither.
  get reserved(): Db {
    this.#reserved ??= this.#openPool(reservedMax(this.shards.count))
    return this.#reserved
  }

  get waiting_pool(): Db {
    // A late batch during shutdown must not open a pool that would never be closed.
    if (this.#is_closed) return this
    this.#waiting_pool ??= this.#openPool(waitingPoolMax(this.shards.count))
    return this.#waiting_pool
  }

  #openPool(max: number): PoolDb {
    return new PoolDb(this.#open(max), this.#open, this.shards)
  }

  protected async runStatement(statement: Sql): Promise<StatementResult> {
    try {
      const client = await this.pool.connect()
      const watch = watchWarnings(client)
      let failure: unknown
      try {
        const result = await runStatement(client, statement, settingsFor(client))
        if (watch.warned) throw new OutcomeUnknown()
        return result
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

  // Deadlocks, serialization failures and lost COMMITs that were not applied are transient, so the
  // change is retried.
  async #retry<Result>(
    change: (tx: ClientTx) => Promise<Result>,
    end = (tx: ClientTx) => this.#commit(tx),
  ): Promise<Result> {
    for (let attempts_left = 3; ; attempts_left--) {
      try {
        return await this.#attempt(change, end)
      } catch (error) {
        const retries = isRetryableConflict(error) || error instanceof LostCommit
        if (attempts_left === 0 || !retries) throw translateFailure(error)
      }
    }
  }

  async #attempt<Result>(
    change: (tx: ClientTx) => Promise<Result>,
    end: (tx: ClientTx) => Promise<void>,
  ): Promise<Result> {
    const client = await this.pool.connect()
    const tx = new ClientTx(client, this.shards)
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

  // When the connection is lost during COMMIT, only the database knows the outcome.
  async #commit(tx: ClientTx): Promise<void> {
    try {
      await tx.commit()
    } catch (error) {
      if (!isLost(error)) throw error
      if (tx.is_unconfirmed) throw new OutcomeUnknown()
      // The check needs a client of this pool, and all of them may have been lost.
      tx.abandon(error)
      if (tx.evidence !== undefined && (await wasCommitted(this.pool, tx.evidence))) return
      // Retry at once only after a network failure, not when the server reported why it closed.
      throw serverState(error) === undefined ? new LostCommit() : error
    }
  }

  async close(): Promise<void> {
    this.#is_closed = true
    await Promise.all([this.pool.end(), this.#reserved?.close(), this.#waiting_pool?.close()])
  }
}

/** The SQLSTATE that the server reported, also if the error has been translated since. */
function serverState(error: unknown): string | undefined {
  return sqlState(originalError(error))
}

function originalError(error: unknown): unknown {
  return error instanceof Refusal ? error.details.cause : error
}

// An error from the server means that the change was rolled back, unless the server or the session
// may have ended after COMMIT was written: a PANIC because of a full disk (53), an I/O error (58)
// or an internal error (XX), or the end of the session (08, 57P). A bug in Florin is not a lost
// commit.
function isLost(error: unknown): boolean {
  const state = serverState(error)
  if (state === undefined) return isDatabaseFailure(originalError(error))
  return /^(08|53|57P|58|XX)/.test(state)
}

class LostCommit extends Error {
  override message = 'the connection was lost during COMMIT and the change was not applied'
}

/** A read with a time limit. Beyond it, the read is canceled and `advice` is the error message. */
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
      // Slow reads depend on their values: a rare name needs another plan than a common one.
      await tx.rows(sql`set local plan_cache_mode = force_custom_plan`)
      return read(tx)
    })
  } catch (error) {
    const cause = error instanceof Refusal ? error.details.cause : undefined
    if (sqlState(cause) !== '57014') throw error
    throw new Refusal('unavailable', advice, { retry_after_s: 1, cause })
  }
}
