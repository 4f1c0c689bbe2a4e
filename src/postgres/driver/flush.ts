// Sends several statements in one packet with one Sync at its end. pg sends a packet, a Sync and a
// Describe for every statement: for a batch of eight, that took a fifth of this process's time, and
// PostgreSQL sent eight responses to eight packets. Here the columns of a prepared statement are
// described once per connection.
//
// After a failed statement PostgreSQL skips the others up to the Sync, including COMMIT.

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
  client.query(new Flush(client, statements))
}

/** Everything that `work` sends leaves in one packet. */
export function inOnePacket<Result>(client: pg.PoolClient, work: () => Result): Result {
  const { stream } = client.connection
  stream.cork()
  try {
    return work()
  } finally {
    stream.uncork()
  }
}

/** Closes the socket at once; statements in flight fail. */
export function disconnect(client: pg.PoolClient): void {
  client.connection.stream.destroy()
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
  client.query(new Flush(client, all, { until_ready: true }))
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

interface Field {
  name: string
  dataTypeID: number
}

type ParseValue = (text: string) => unknown

interface Shape {
  names: string[]
  parsers: ParseValue[]
}

/** The named statements of one connection. */
interface ConnectionState {
  /** Sent for preparation. `unsure`: an error may have skipped it. */
  prepared: Map<string, 'sent' | 'unsure'>
  /** The columns of each statement that has completed once. */
  shapes: Map<string, Shape>
}

const states = new WeakMap<pg.Client, ConnectionState>()

function stateOf(client: pg.Client): ConnectionState {
  let state = states.get(client)
  if (state === undefined) {
    state = { prepared: new Map(), shapes: new Map() }
    states.set(client, state)
  }
  return state
}

const noColumns: Shape = { names: [], parsers: [] }

// Extends pg.Query because pg accepts nothing else into its pipeline.
class Flush extends pg.Query {
  readonly #client: pg.Client
  readonly #state: ConnectionState
  readonly #statements: PendingStatement[]
  /** The last result waits for the end of the packet, which is the end of its transaction. */
  readonly #until_ready: boolean
  #last: StatementResult | undefined
  #at = 0
  #rows: unknown[] = []
  #shape = noColumns
  /** The named statements that this packet prepares, and the position of each. */
  #preparing: [name: string, at: number][] = []
  /** A serialization error. It must not be hidden by the lost connection that it causes. */
  #fault: unknown
  /** Set here, and wrapped by pg with its timeout. */
  callback: (error?: unknown) => void

  constructor(client: pg.Client, statements: PendingStatement[], { until_ready = false } = {}) {
    super('')
    this.#client = client
    this.#state = stateOf(client)
    this.#statements = statements
    this.#until_ready = until_ready
    this.callback = (error) => this.#end(error)
  }

  override submit = (connection: pg.Connection): void => {
    const { stream } = connection
    stream.cork()
    try {
      for (let at = 0; at < this.#statements.length; at++) this.#send(connection, at)
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
    this.#shape = (name && this.#state.shapes.get(name)) || noColumns
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const parserOf = ({ dataTypeID }: Field) => this.#client.getTypeParser(dataTypeID, 'text')
    this.#shape = {
      names: fields.map((field) => field.name),
      parsers: fields.map(parserOf) as ParseValue[],
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
    if (statement.name) this.#state.shapes.set(statement.name, this.#shape)
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
    const failed_at = this.#at
    const left = this.#statements.slice(failed_at)
    this.#at = this.#statements.length
    if (left.length === 0) return
    const last = this.#last
    if (last !== undefined && !error && this.#fault === undefined) {
      left[0]!.resolve(last)
      return
    }
    // PostgreSQL may have skipped these. Preparing one again fails if it has not.
    for (const [name, at] of this.#preparing) {
      if (at >= failed_at) this.#state.prepared.set(name, 'unsure')
    }
    const reason = this.#fault ?? error ?? new Error('the database returned too few results')
    for (const { reject } of left) reject(reason)
  }

  #send(connection: pg.Connection, at: number): void {
    const { name = '', text, values } = this.#statements[at]!.statement
    const { prepared, shapes } = this.#state
    const known = name === '' ? undefined : prepared.get(name)
    // Closing a statement that does not exist is not an error.
    if (known === 'unsure') connection.close({ type: 'S', name }, true)
    if (known !== 'sent') {
      connection.parse({ name, text, types: [] }, true)
      if (name !== '') {
        prepared.set(name, 'sent')
        this.#preparing.push([name, at])
      }
    }
    connection.bind({ statement: name, values: values as string[], valueMapper: parameter }, true)
    if (name === '' || !shapes.has(name)) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({}, true)
  }
}
