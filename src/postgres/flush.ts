// Several statements in one packet with one Sync at its end, answered in one go. pg sends a packet,
// a Sync and a question for the columns with every statement: in a batch of eight statements that
// took a fifth of this process's time, and PostgreSQL wrote eight answers to eight packets. Here
// the columns of a prepared statement are asked for once in the life of a connection.
//
// After a statement that fails PostgreSQL skips the others up to the Sync, COMMIT included.

import type { Writable } from 'node:stream'
import pg from 'pg'
import { parameter } from './parameter.ts'
import type { Sql } from './sql.ts'

export interface StatementResult {
  rows: unknown[]
  /** How many rows it read or wrote. */
  count: number
  /** The first word of the command's tag: SELECT, COMMIT, ROLLBACK. */
  command: string
}

export interface PendingStatement {
  statement: Sql
  resolve: (response: StatementResult) => void
  reject: (error: unknown) => void
}

/** Sends them together. Each is answered by itself; behind one that fails all fail with it. */
export function flush(client: pg.PoolClient, asked: PendingStatement[]): void {
  client.query(new Flush(asked) as never)
}

/** What is sent meanwhile leaves in one packet. */
export function inOnePacket<Result>(client: pg.PoolClient, work: () => Result): Result {
  const { stream } = (client as unknown as { connection: Connection }).connection
  stream.cork()
  try {
    return work()
  } finally {
    stream.uncork()
  }
}

/** Closes the socket at once; whatever waits for an answer on it fails. */
export function disconnect(client: pg.PoolClient): void {
  ;(client as unknown as { connection: Connection }).connection.stream.destroy()
}

/**
 * One statement, and its answer once its transaction has ended, which is at the end of the packet.
 * Settings end with it.
 */
export function runStatement(
  client: pg.PoolClient,
  statement: Sql,
  settings?: Sql,
): Promise<StatementResult> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementResult>()
  const asked = { statement, resolve, reject }
  const all = settings === undefined ? [asked] : [withoutResult(settings), asked]
  client.query(new Flush(all, { until_ready: true }) as never)
  return promise
}

/**
 * Whether the server has sent a warning since. While it commits, a warning means that its wait for
 * a synchronous standby was canceled: the change is on the primary, and perhaps nowhere else.
 *
 * By SQLSTATE: the texts and the severity are translated. Class 00 is a notice, not a warning.
 */
export function watchWarnings(client: pg.PoolClient): { warned: boolean; stop(): void } {
  const watch = { warned: false, stop: () => client.off('notice', onNotice) }
  const onNotice = ({ code }: { code?: string | undefined }) => {
    watch.warned ||= !code?.startsWith('00')
  }
  client.on('notice', onNotice)
  return watch
}

/** What fails with it says why: nothing behind it is run. */
export function withoutResult(statement: Sql): PendingStatement {
  return { statement, resolve: () => {}, reject: () => {} }
}

/** What is used of pg's connection; its types leave these out. */
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

/** What is known of one connection. */
interface Known {
  /** The columns of each prepared statement that has been answered once. */
  shapes: Map<string, Shape>
  /** Statements sent for preparation and not confirmed yet, in the order they were sent. */
  parsing: { name: string; by: Flush }[]
}

const known = new WeakMap<Connection, Known>()

function knownOf(connection: Connection): Known {
  let of_connection = known.get(connection)
  if (of_connection === undefined) {
    const made: Known = { shapes: new Map(), parsing: [] }
    connection.on('parseComplete', () => made.parsing.shift())
    known.set(connection, made)
    of_connection = made
  }
  return of_connection
}

const noColumns: Shape = { names: [], parsers: [] }

// pg takes into its pipeline only what is one of its own queries.
class Flush extends pg.Query {
  readonly #asked: PendingStatement[]
  /** The last answer waits for the end of the packet, which is the end of its transaction. */
  readonly #until_ready: boolean
  #last: StatementResult | undefined
  #at = 0
  #rows: unknown[] = []
  #shape = noColumns
  #connection: Connection | undefined
  /** Of our own, which the end of the connection that it causes must not hide. */
  #fault: unknown
  /** Set here, and wrapped by pg with its time-out. */
  callback: (error?: unknown) => void

  constructor(asked: PendingStatement[], { until_ready = false } = {}) {
    super('')
    this.#asked = asked
    this.#until_ready = until_ready
    this.callback = (error) => this.#end(error)
  }

  override submit = (given: unknown): void => {
    const connection = given as Connection
    this.#connection = connection
    const { stream } = connection
    stream.cork()
    try {
      for (const { statement } of this.#asked) this.#send(connection, statement)
      connection.sync()
    } catch (error) {
      // A value that cannot be written. What stands before it must not be committed by itself, so
      // the connection ends with it, and the server undoes what it has of the change. Who asked is
      // told when it has ended, and not before: the pool would give the client to the next.
      this.#fault = error
      stream.destroy()
    } finally {
      stream.uncork()
    }
    this.#begin()
  }

  #begin(): void {
    const name = this.#asked[this.#at]?.statement.name
    this.#rows = []
    this.#shape = (name && knownOf(this.#connection!).shapes.get(name)) || noColumns
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
    const asked = this.#asked[this.#at]
    // It was given up before it was answered.
    if (asked === undefined) return
    const { statement, resolve } = asked
    if (statement.name) knownOf(this.#connection!).shapes.set(statement.name, this.#shape)
    const rows = this.#rows
    const waits = this.#until_ready && this.#at === this.#asked.length - 1
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
    const left = this.#asked.slice(this.#at)
    this.#at = this.#asked.length
    if (left.length === 0) return
    const last = this.#last
    if (last !== undefined && !error && this.#fault === undefined) {
      left[0]!.resolve(last)
      return
    }
    this.#forgetUnprepared()
    const reason = this.#fault ?? error ?? new Error('the database left out an response')
    for (const { reject } of left) reject(reason)
  }

  // What was skipped behind an error was never prepared.
  #forgetUnprepared(): void {
    const connection = this.#connection
    if (connection === undefined) return
    const of_connection = knownOf(connection)
    for (const { name, by } of of_connection.parsing) {
      if (by === this) delete connection.parsedStatements[name]
    }
    of_connection.parsing = of_connection.parsing.filter(({ by }) => by !== this)
  }

  #send(connection: Connection, statement: Sql): void {
    const { name = '', text, values } = statement
    const { shapes, parsing } = knownOf(connection)
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
