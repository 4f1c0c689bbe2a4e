// Sends several statements in one packet with one Sync at its end. pg sends a packet, a Sync and a
// Describe for every statement: for a batch of eight, that took a fifth of this process's time, and
// PostgreSQL sent eight responses to eight packets. Here the columns of a prepared statement are
// described once per connection.
//
// After a failed statement PostgreSQL skips the others up to the Sync, including COMMIT.

import type { Writable } from 'node:stream'
import pg from 'pg'
import { parameter } from '../parameter.ts'
import type { Sql } from '../sql.ts'

export interface StatementResult {
  rows: unknown[]
  /** How many rows it read or wrote. */
  count: number
  /** The first word of the command's tag: SELECT, COMMIT, ROLLBACK. */
  command: string
}

export interface PendingStatement {
  statement: Sql
  resolve: (result: StatementResult) => void
  reject: (error: unknown) => void
}

/** Sends them together. Each gets its result; after a failed one, the rest fail with its error. */
export function flush(client: pg.PoolClient, statements: PendingStatement[]): void {
  client.query(new Flush(statements) as never)
}

/** Everything that `work` sends leaves in one packet. */
export function inOnePacket<Result>(client: pg.PoolClient, work: () => Result): Result {
  const { stream } = (client as unknown as { connection: Connection }).connection
  stream.cork()
  try {
    return work()
  } finally {
    stream.uncork()
  }
}

/** Closes the socket at once; statements in flight fail. */
export function disconnect(client: pg.PoolClient): void {
  ;(client as unknown as { connection: Connection }).connection.stream.destroy()
}

/**
 * Runs one statement and resolves when its implicit transaction has ended, which is at the end of
 * the packet. The settings apply to that transaction only.
 */
export function runStatement(
  client: pg.PoolClient,
  statement: Sql,
  settings?: Sql,
): Promise<StatementResult> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementResult>()
  const pending = { statement, resolve, reject }
  const all = settings === undefined ? [pending] : [withoutResult(settings), pending]
  client.query(new Flush(all, { until_ready: true }) as never)
  return promise
}

/**
 * Records whether the server sends a warning. During COMMIT a warning means that the wait for a
 * synchronous standby was canceled: the change is on the primary, and perhaps nowhere else.
 *
 * Warnings are recognized by SQLSTATE, because texts and severity are translated. Class 00 is a
 * notice, not a warning.
 */
export function watchWarnings(client: pg.PoolClient): { warned: boolean; stop(): void } {
  const watch = { warned: false, stop: () => client.off('notice', onNotice) }
  const onNotice = ({ code }: { code?: string | undefined }) => {
    watch.warned ||= !code?.startsWith('00')
  }
  client.on('notice', onNotice)
  return watch
}

/** Its error needs no handler: the statements after it fail with the same error. */
export function withoutResult(statement: Sql): PendingStatement {
  return { statement, resolve: () => {}, reject: () => {} }
}

/** The parts of pg's connection that are used here; its types omit them. */
interface Connection {
  stream: Writable
  parsedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: unknown[]; valueMapper: typeof parameter }): void
  describe(what: { type: 'P'; name: '' }): void
  execute(portal: Record<never, never>): void
  sync(): void
  on(event: 'parseComplete', listener: () => void): void
}

interface Field {
  name: string
  dataTypeID: number
}

type ParseValue = (text: string) => unknown

interface Shape {
  names: string[]
  parsers: ParseValue[]
}

/** Prepared statements of one connection. */
interface ConnectionState {
  /** The columns of each prepared statement that has completed once. */
  shapes: Map<string, Shape>
  /** Statements sent for preparation and not confirmed yet, in the order they were sent. */
  parsing: { name: string; by: Flush }[]
}

const states = new WeakMap<Connection, ConnectionState>()

function stateOf(connection: Connection): ConnectionState {
  let state = states.get(connection)
  if (state === undefined) {
    const created: ConnectionState = { shapes: new Map(), parsing: [] }
    connection.on('parseComplete', () => created.parsing.shift())
    states.set(connection, created)
    state = created
  }
  return state
}

const noColumns: Shape = { names: [], parsers: [] }

// Extends pg.Query because pg accepts nothing else into its pipeline.
class Flush extends pg.Query {
  readonly #statements: PendingStatement[]
  /** The last result waits for the end of the packet, which is the end of its transaction. */
  readonly #until_ready: boolean
  #last: StatementResult | undefined
  #at = 0
  #rows: unknown[] = []
  #shape = noColumns
  #connection: Connection | undefined
  /** A serialization error. It must not be hidden by the lost connection that it causes. */
  #fault: unknown
  /** Set here, and wrapped by pg with its timeout. */
  callback: (error?: unknown) => void

  constructor(statements: PendingStatement[], { until_ready = false } = {}) {
    super('')
    this.#statements = statements
    this.#until_ready = until_ready
    this.callback = (error) => this.#end(error)
  }

  override submit = (given: unknown): void => {
    const connection = given as Connection
    this.#connection = connection
    const { stream } = connection
    stream.cork()
    try {
      for (const { statement } of this.#statements) this.#send(connection, statement)
      connection.sync()
    } catch (error) {
      // A value that cannot be serialized. The statements before it must not be committed alone, so
      // the connection is closed and the server rolls back. The caller gets the error only when it
      // is closed: otherwise the pool could hand the client to another caller first.
      this.#fault = error
      stream.destroy()
    } finally {
      stream.uncork()
    }
    this.#begin()
  }

  #begin(): void {
    const name = this.#statements[this.#at]?.statement.name
    this.#rows = []
    this.#shape = (name && stateOf(this.#connection!).shapes.get(name)) || noColumns
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const types = (this as unknown as { _result: { _types: typeof pg.types } })._result._types
    this.#shape = {
      names: fields.map((field) => field.name),
      parsers: fields.map((field) => types.getTypeParser(field.dataTypeID, 'text') as ParseValue),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, parsers } = this.#shape
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) {
      const text = fields[at]!
      row[names[at]!] = text === null ? null : parsers[at]!(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const pending = this.#statements[this.#at]
    // It timed out before its result arrived.
    if (pending === undefined) return
    const { statement, resolve } = pending
    if (statement.name) stateOf(this.#connection!).shapes.set(statement.name, this.#shape)
    const rows = this.#rows
    const waits = this.#until_ready && this.#at === this.#statements.length - 1
    if (!waits) {
      this.#at += 1
      this.#begin()
    }
    const space = text.indexOf(' ')
    const command = space === -1 ? text : text.slice(0, space)
    const count = space === -1 ? 0 : Number(text.slice(text.lastIndexOf(' ') + 1))
    if (waits) this.#last = { rows, count, command }
    else resolve({ rows, count, command })
  }

  handleReadyForQuery(): void {
    this.callback()
  }

  handleError(error: unknown): void {
    this.callback(error)
  }

  #end(error: unknown): void {
    const left = this.#statements.slice(this.#at)
    this.#at = this.#statements.length
    if (left.length === 0) return
    const last = this.#last
    if (last !== undefined && !error && this.#fault === undefined) {
      left[0]!.resolve(last)
      return
    }
    this.#forgetUnprepared()
    const reason = this.#fault ?? error ?? new Error('the database returned too few results')
    for (const { reject } of left) reject(reason)
  }

  // Statements that were skipped after an error were never prepared.
  #forgetUnprepared(): void {
    const connection = this.#connection
    if (connection === undefined) return
    const state = stateOf(connection)
    for (const { name, by } of state.parsing) {
      if (by === this) delete connection.parsedStatements[name]
    }
    state.parsing = state.parsing.filter(({ by }) => by !== this)
  }

  #send(connection: Connection, statement: Sql): void {
    const { name = '', text, values } = statement
    const { shapes, parsing } = stateOf(connection)
    if (name === '' || connection.parsedStatements[name] === undefined) {
      connection.parse({ name, text })
      parsing.push({ name, by: this })
      if (name !== '') connection.parsedStatements[name] = text
    }
    connection.bind({ statement: name, values, valueMapper: parameter })
    if (name === '' || !shapes.has(name)) connection.describe({ type: 'P', name: '' })
    connection.execute({})
  }
}
