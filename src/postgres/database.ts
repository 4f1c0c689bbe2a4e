// The pool, and database transactions on it. `tx` is one atomic step; `db` opens them.

import pg from 'pg'
import { Refusal } from '../primitives/refusal.ts'
import { isWorthAnotherTry, sqlState, translateFailure } from './failure.ts'
import type { Sql } from './sql.ts'

/** Anything that runs statements: the pool for single reads, or a database transaction. */
export interface Queryable {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** The only row, or undefined. */
  row<Row>(statement: Sql): Promise<Row | undefined>
  /** How many rows the statement wrote. */
  count(statement: Sql): Promise<number>
}

export interface Tx extends Queryable {
  /** The time of this change. Fixed at its start, so that everything it writes agrees. */
  readonly now: Date
}

export interface Db extends Queryable {
  now(): Date
  transaction<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Ends when every client has been given back. */
  close(): Promise<void>
  /** For migrations, leases of their own and tests; everything else uses the calls above. */
  readonly pool: pg.Pool
}

export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  database?: string
  ssl?: false
}

// bigint comes back as text by default; every bigint of ours is at most 2^53 − 1 by its CHECKs.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

// Ten clients serve everything but floods; a small pool keeps PostgreSQL from thrashing two cores.
const clients_max = 10

export function openDatabase(connection: Connection, options: { clients_max?: number } = {}): Db {
  const pool = new pg.Pool({
    ...connection,
    max: options.clients_max ?? clients_max,
    types: types as pg.CustomTypesConfig,
    application_name: 'florin',
    keepAlive: true,
    // A request waits at most this long for a client, then it is 503: callers are answered in 10 s.
    connectionTimeoutMillis: 3_000,
    lock_timeout: 3_000,
    statement_timeout: 5_000,
    idle_in_transaction_session_timeout: 5_000,
    // The server's time-outs cannot fire over a black-holed network, so the client has its own.
    query_timeout: 6_000,
    pipeline: true,
  } as pg.PoolConfig)
  // An idle client that loses its connection emits an error; the pool replaces it by itself.
  pool.on('error', () => {})
  // While a client changes hands nobody listens to it. A server that greets and ends a connection
  // in one breath, as one that shuts down does, would end this process by an unheard error.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PoolDb(pool)
}

class PoolDb implements Db {
  readonly pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  now(): Date {
    return new Date()
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await run(this.pool, statement)).rows as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await run(this.pool, statement)).rows[0] as Row | undefined
  }

  async count(statement: Sql): Promise<number> {
    return (await run(this.pool, statement)).rowCount ?? 0
  }

  async transaction<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result> {
    // A deadlock or a serialisation failure is nobody's fault and seldom comes twice.
    for (let tries_left = 3; ; tries_left--) {
      try {
        return await this.#attempt(change)
      } catch (error) {
        if (tries_left === 0 || !isWorthAnotherTry(error)) throw translateFailure(error)
      }
    }
  }

  async #attempt<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      // Not awaited: with a pipelining client BEGIN travels with the first statement.
      const begun = client.query('begin')
      begun.catch(onError)
      const result = await change(new ClientTx(client, this.now()))
      await begun
      const committed = await client.query('commit')
      // PostgreSQL answers ROLLBACK, without an error, to COMMIT of a failed transaction.
      if (committed.command !== 'COMMIT') throw new Error('COMMIT was answered with a rollback')
      return result
    } catch (error) {
      await client.query('rollback').catch(onError)
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}

class ClientTx implements Tx {
  readonly #client: pg.PoolClient
  readonly now: Date

  constructor(client: pg.PoolClient, now: Date) {
    this.#client = client
    this.now = now
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await run(this.#client, statement)).rows as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await run(this.#client, statement)).rows[0] as Row | undefined
  }

  async count(statement: Sql): Promise<number> {
    return (await run(this.#client, statement)).rowCount ?? 0
  }
}

async function run(on: pg.Pool | pg.PoolClient, statement: Sql): Promise<pg.QueryResult> {
  try {
    return await on.query(statement as pg.QueryConfig)
  } catch (error) {
    // Inside a database transaction all of it is tried again, so there the cause must show.
    if (!(on instanceof pg.Pool) && isWorthAnotherTry(error)) throw error
    throw translateFailure(error)
  }
}

/** A single read that must not run long: over the limit it is refused, and says what to do. */
export async function withinTime<Result>(
  db: Db,
  limit_ms: number,
  advice: string,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      await tx.rows({
        text: `set local statement_timeout = ${limit_ms}`,
        values: [],
      } as unknown as Sql)
      return read(tx)
    })
  } catch (error) {
    const cause = error instanceof Refusal ? error.details.cause : undefined
    if (sqlState(cause) !== '57014') throw error
    throw new Refusal('unavailable', advice, { retry_after_s: 1, cause })
  }
}
