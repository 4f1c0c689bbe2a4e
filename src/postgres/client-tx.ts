// One database transaction on one client. Statements that are asked for in one go leave in one
// packet: BEGIN with the first of them, COMMIT with those that nobody waits for.

import type pg from 'pg'
import { sqlState } from './failure.ts'
import { type Answer, type Asked, flush, together } from './flush.ts'
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
  #waiting: Asked[] = []
  #has_begun = false
  #will_flush = false
  #offset_ms: number | undefined
  #now: Date | undefined
  xid: string | undefined
  /** In which life of the server that id was given: after a crash the same one is given again. */
  life: string | undefined
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
    const life = lives.get(this.#client)
    const head = await this.row<Head>(life === undefined ? readFirstHead : readHead)
    this.xid = head!.xid
    this.life = life ?? head!.life
    lives.set(this.#client, this.life!)
    this.#offset_ms = head!.offset_ms
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#ask(statement)).rows as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.#ask(statement)).rows[0] as Row | undefined
  }

  async count(statement: Sql): Promise<number> {
    return (await this.#ask(statement)).count
  }

  #ask(statement: Sql): Promise<Answer> {
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
    together(this.#client, () => {
      if (!this.#has_begun) this.#client.query('begin').catch(this.#onError)
      this.#has_begun = true
      if (waiting.length > 0) flush(this.#client, waiting)
    })
  }

  send(statement: Sql): void {
    const reject = (error: unknown) => {
      this.#sent_failure ??= this.#reason(error)
    }
    this.#waiting.push({ statement, resolve: () => {}, reject })
  }

  async commit(): Promise<void> {
    const commit = together(this.#client, () => {
      this.#flush()
      return this.#client.query('commit')
    })
    // What was sent without waiting is answered before COMMIT is.
    const { command } = await commit.catch((error) => {
      throw this.#sent_failure ?? error
    })
    if (this.#sent_failure !== undefined) throw this.#sent_failure
    // PostgreSQL answers ROLLBACK, without an error, to COMMIT of a failed transaction.
    if (command !== 'COMMIT') throw new RolledBack()
  }

  async rollback(): Promise<void> {
    this.#waiting = []
    await this.#client.query('rollback').catch(this.#onError)
  }

  release(): void {
    this.#client.off('error', this.#onError)
    this.#client.release(this.#broken)
  }
}

interface Head {
  xid: string
  offset_ms: number
  life?: string
}

// A crash ends every connection, so each is asked only once in which life of the server it is.
const lives = new WeakMap<pg.PoolClient, string>()

/**
 * When the server's counters began. PostgreSQL throws them away after a crash, and then only: a
 * clean restart keeps them, and the postmaster's start time stays the same when a backend crashes.
 */
export const lifeOfServer = sql`(select coalesce(stats_reset::text, '') from pg_stat_bgwriter)`

const readFirstHead = sql`
  select pg_current_xact_id()::text as xid, offset_ms, ${lifeOfServer} as life
  from clock`

const readHead = sql`
  select pg_current_xact_id()::text as xid, offset_ms
  from clock`

export class RolledBack extends Error {
  override message = 'COMMIT was answered with ROLLBACK'
}
