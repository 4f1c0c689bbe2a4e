// One database transaction on one client. Statements that are asked for in one go leave in one
// packet: BEGIN with the first of them, COMMIT with those that nobody waits for.

import type pg from 'pg'
import { OutcomeUnknown, sqlState } from './failure.ts'
import {
  flush,
  inOnePacket,
  type PendingStatement,
  type StatementResult,
  watchWarnings,
  withoutResult,
} from './flush.ts'
import { settingsFor } from './pool.ts'
import { type Sql, sql } from './sql.ts'

/** A Tx: see database.ts, which opens them. */
export class ClientTx {
  readonly #client: pg.PoolClient
  readonly #onError = (error: Error) => {
    this.#broken = error
  }
  #broken: Error | undefined
  #failure: unknown
  /** Why one of those that nobody waits for failed. */
  #sent_failure: unknown
  /** Asked for and not sent yet. */
  #waiting: PendingStatement[] = []
  #has_begun = false
  #will_flush = false
  #offset_ms: number | undefined
  #now: Date | undefined
  /** The server sent a warning while it committed: a standby may not have the change. */
  is_unconfirmed = false
  /** Its number, and the run of the server that gave it. */
  number: TxNumber | undefined
  /** Not awaited by batches: it travels with the first statement. */
  readonly begun: Promise<void>

  constructor(client: pg.PoolClient) {
    this.#client = client
    client.on('error', this.#onError)
    this.begun = this.#readHead()
    this.begun.catch(() => {})
  }

  get now(): Date {
    if (this.#offset_ms === undefined) {
      throw new Error('tx.now was read before the first statement ended')
    }
    // Taken when it is first asked for, which is after the locks: a change that waited for one is
    // not dated back, and what it writes is seen soon after its time.
    this.#now ??= new Date(Date.now() + this.#offset_ms)
    return this.#now
  }

  async #readHead(): Promise<void> {
    const known = server_runs.get(this.#client)
    const head = await this.row<TxNumber & { offset_ms: number }>(known ? readHead : readFirstHead)
    const server_run = known ?? head!.server_run
    server_runs.set(this.#client, server_run)
    this.number = { xid: head!.xid, server_run }
    this.#offset_ms = head!.offset_ms
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

  #runStatement(statement: Sql): Promise<StatementResult> {
    if (!this.#will_flush) {
      this.#will_flush = true
      queueMicrotask(() => this.#flush())
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject: (error) => reject(this.#reason(error)) })
    })
  }

  // Behind a statement that failed all others fail as well; only the first says why.
  #reason(error: unknown): unknown {
    this.#failure ??= error
    return sqlState(error) === '25P02' ? this.#failure : error
  }

  #flush(): void {
    this.#will_flush = false
    const waiting = this.#waiting
    this.#waiting = []
    if (!this.#has_begun) waiting.unshift(...this.#beginning())
    this.#has_begun = true
    if (waiting.length > 0) flush(this.#client, waiting)
  }

  #beginning(): PendingStatement[] {
    const settings = settingsFor(this.#client)
    return settings === undefined ? [beginning] : [beginning, withoutResult(settings)]
  }

  send(statement: Sql): void {
    const reject = (error: unknown) => {
      this.#sent_failure ??= this.#reason(error)
    }
    this.#waiting.push({ statement, resolve: () => {}, reject })
  }

  async commit(): Promise<void> {
    const watch = watchWarnings(this.#client)
    try {
      await this.#commit()
    } finally {
      watch.stop()
      this.is_unconfirmed = watch.warned
    }
    if (this.is_unconfirmed) throw new OutcomeUnknown()
  }

  async #commit(): Promise<void> {
    const commit = inOnePacket(this.#client, () => {
      this.#flush()
      return this.#client.query('commit')
    })
    // What was sent without waiting is answered before COMMIT is.
    const { command } = await commit.catch((error) => {
      throw this.#sent_failure ?? error
    })
    if (this.#sent_failure !== undefined) throw this.#sent_failure
    // PostgreSQL answers ROLLBACK, without an error, to COMMIT of a failed transaction.
    if (command !== 'COMMIT') throw new RolledBackError()
  }

  async rollback(): Promise<void> {
    this.#waiting = []
    await this.#client.query('rollback').catch(this.#onError)
  }

  /** The connection is of no more use, and the pool opens another one. */
  discard(reason: unknown): void {
    this.#broken ??= reason as Error
  }

  release(): void {
    this.#client.off('error', this.#onError)
    this.#client.release(this.#broken)
  }
}

// Answered with what it begins: an answer of its own would wake this process up once more. Without
// it nothing behind it is run, and whoever asked for that is told why.
const beginning = withoutResult(sql`begin`)

export interface TxNumber {
  xid: string
  /** Another one after every crash: then numbers that had not reached the disk are given again. */
  server_run: string
}

// A crash ends every connection, so each is asked only once which run of the server it is in.
const server_runs = new WeakMap<pg.PoolClient, string>()

// In one piece, so that it is planned once.
//
// With a synchronous standby every change writes a record of a few bytes: PostgreSQL waits for the
// standby only when a transaction has written something. A stored response that is replayed would
// otherwise be returned while only the primary has it.
const readHead = sql`
  select pg_current_xact_id()::text as xid, offset_ms,
    case when current_setting('synchronous_standby_names') <> ''
      then pg_logical_emit_message(true, 'florin', '') end as written
  from clock`

// A crash of one of PostgreSQL's processes leaves the start of the server as it was, but never its
// statistics.
const readFirstHead = sql`
  select pg_current_xact_id()::text as xid, offset_ms,
    case when current_setting('synchronous_standby_names') <> ''
      then pg_logical_emit_message(true, 'florin', '') end as written,
    concat_ws(' ', pg_postmaster_start_time(),
      (select stats_reset from pg_stat_bgwriter)) as server_run
  from clock`

export interface TxStatus {
  status: string
  server_run?: string
}

export async function fetchTxStatus(pool: pg.Pool, xid: string): Promise<TxStatus> {
  const text = `
    select pg_xact_status($1::xid8) as status, concat_ws(' ', pg_postmaster_start_time(),
      (select stats_reset from pg_stat_bgwriter)) as server_run`
  return (await pool.query(text, [xid])).rows[0]
}

/** Writes a WAL record, so that COMMIT waits for the standby, and reads the run of the server. */
export const writeRecord = sql`
  select pg_logical_emit_message(true, 'florin', '') as written,
    concat_ws(' ', pg_postmaster_start_time(),
      (select stats_reset from pg_stat_bgwriter)) as server_run`

export class RolledBackError extends Error {
  override message = 'COMMIT was answered with ROLLBACK'
}
