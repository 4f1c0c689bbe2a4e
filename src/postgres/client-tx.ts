// One database transaction on one client. Statements that are issued in the same tick leave in one
// packet: BEGIN travels with the first of them, COMMIT with those that were sent without waiting.

import type pg from 'pg'
import { type Evidence, newEvidenceRow } from './commit-evidence.ts'
import {
  flush,
  inOnePacket,
  type PendingStatement,
  type StatementResult,
  watchWarnings,
  withoutResult,
} from './driver/flush.ts'
import { OutcomeUnknown, sqlState } from './failure.ts'
import { settingsFor } from './pool.ts'
import { Shards } from './shards.ts'
import { type Sql, sql } from './sql.ts'
import { StatementRunner } from './statement-runner.ts'

/** Implements Tx; database.ts opens it. */
export class ClientTx extends StatementRunner {
  readonly #client: pg.PoolClient
  readonly #onError = (error: Error) => {
    this.#broken = error
  }
  #broken: Error | undefined
  #failure: unknown
  /** The first error of a statement that was passed to `send`. */
  #sent_failure: unknown
  /** Issued and not sent yet. */
  #waiting: PendingStatement[] = []
  #has_begun = false
  #is_released = false
  #has_written = false
  /** Statements without a result yet. One that a change does not await may write, too. */
  #in_flight = 0
  /** Set if the change needs an evidence row, whatever else it has written. */
  #row_account_id: string | undefined
  #will_flush = false
  #offset_ms: number | undefined
  #now: Date | undefined
  /** The server sent a warning during COMMIT: a standby may not have the change. */
  is_unconfirmed = false
  /** Known once COMMIT has been sent; undefined if nothing was written. */
  evidence: Evidence | undefined
  /** Batches do not await this: BEGIN travels with their first statement. */
  readonly begun: Promise<void>
  readonly shards: Shards
  readonly known_balances = new Set<string>()

  constructor(client: pg.PoolClient, shards = new Shards()) {
    super()
    this.#client = client
    this.shards = shards
    client.on('error', this.#onError)
    this.begun = this.#readHead()
    this.begun.catch(() => {})
  }

  get now(): Date {
    if (this.#offset_ms === undefined) {
      throw new Error('tx.now was read before the first statement completed')
    }
    // Taken at the first read, which is after the locks. A change that waited for a lock is not
    // backdated, and its rows become visible soon after their timestamp.
    this.#now ??= new Date(Date.now() + this.#offset_ms)
    return this.#now
  }

  async #readHead(): Promise<void> {
    this.#offset_ms = (await this.row<{ offset_ms: number }>(readHead))!.offset_ms
  }

  protected runStatement(statement: Sql): Promise<StatementResult> {
    if (!this.#will_flush) {
      this.#will_flush = true
      queueMicrotask(() => this.#flush())
    }
    this.#in_flight += 1
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        statement,
        resolve: (result) => {
          this.#in_flight -= 1
          this.#has_written ||= mayHaveWritten(statement, result)
          resolve(result)
        },
        reject: (error) => {
          this.#in_flight -= 1
          reject(this.#reason(error))
        },
      })
    })
  }

  // After a failed statement all later ones fail with 25P02; only the first error has the reason.
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
    this.#has_written = true
    this.#waiting.push({ statement, resolve: () => {}, reject })
  }

  async commit(): Promise<void> {
    this.#sendEvidence()
    const watch = watchWarnings(this.#client)
    try {
      await this.#commit()
    } finally {
      watch.stop()
      this.is_unconfirmed = watch.warned
    }
    if (this.is_unconfirmed) throw new OutcomeUnknown()
  }

  // Sent with COMMIT, so it costs no round trip. A change that wrote nothing can be made again.
  #sendEvidence(): void {
    // COMMIT will roll back.
    if (this.#failure !== undefined) return
    if (!this.#has_written && this.#in_flight === 0) this.evidence = undefined
    else if (this.#row_account_id !== undefined || this.evidence === undefined) {
      const { insert, evidence } = newEvidenceRow(this.#row_account_id)
      this.send(insert)
      this.evidence = evidence
    }
  }

  async #commit(): Promise<void> {
    const commit = inOnePacket(this.#client, () => {
      this.#flush()
      return this.#client.query('commit')
    })
    // Results of statements that were sent without waiting arrive before that of COMMIT.
    const { command } = await commit.catch((error) => {
      throw this.#sent_failure ?? error
    })
    if (this.#sent_failure !== undefined) throw this.#sent_failure
    // For COMMIT of a failed transaction, PostgreSQL returns ROLLBACK without an error.
    if (command !== 'COMMIT') throw new RolledBackError()
  }

  async rollback(): Promise<void> {
    if (this.#is_released) return
    this.#waiting = []
    await this.#client.query('rollback').catch(this.#onError)
  }

  proveBy(evidence: Evidence): void {
    this.evidence = evidence
  }

  proveByRow(account_id: string): void {
    this.#row_account_id ??= account_id
  }

  /** Marks the connection as unusable, so that the pool replaces it. */
  discard(reason: unknown): void {
    this.#broken ??= reason as Error
  }

  /** Releases a client that has lost its connection, before the outcome is known. */
  abandon(reason: unknown): void {
    this.discard(reason)
    this.release()
  }

  release(): void {
    if (this.#is_released) return
    this.#is_released = true
    this.#client.off('error', this.#onError)
    this.#client.release(this.#broken)
  }
}

const reads = ['SELECT', 'SET']
const counts_rows = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

// With a CTE, neither the command nor its count shows whether another part of it writes.
function mayHaveWritten({ text }: Sql, { command, count }: StatementResult): boolean {
  if (/^\s*with\b/i.test(text)) return true
  return !reads.includes(command) && (count > 0 || !counts_rows.includes(command))
}

// Sent in one packet with the first statement: a separate round trip would wake this process once
// more. If BEGIN fails, the statements after it fail with the same error.
const beginning = withoutResult(sql`begin`)

// Not composed of fragments, so it is prepared and planned once.
//
// With a synchronous standby every change writes a WAL record of a few bytes: PostgreSQL waits for
// the standby only if a transaction has written something. Otherwise a stored response could be
// replayed while only the primary has it.
const readHead = sql`
  select offset_ms,
    case when current_setting('synchronous_standby_names') <> ''
      then pg_logical_emit_message(true, 'florin', '') end as written
  from clock`

class RolledBackError extends Error {
  override message = 'COMMIT returned ROLLBACK'
}
