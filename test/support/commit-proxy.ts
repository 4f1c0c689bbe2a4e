// A proxy that parses just enough of the PostgreSQL protocol to recognize COMMIT. It can drop the
// COMMIT, drop its response, delay it, or disconnect the client while the server keeps the session.

import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Connection } from '../../src/postgres/database.ts'
import { sql } from '../../src/postgres/sql.ts'
import { takeMessage } from './client-message.ts'

/**
 * lose_commit_response: the server commits, but the connection fails before its response arrives.
 * lose_all_responses: the same, and the responses to the preceding writes are lost too.
 * panic: the server commits, but crashes with a full disk before it can respond.
 * cut_before: the connection fails before COMMIT arrives, so the server rolls back.
 * strand: the client loses the connection unnoticed by the server: the transaction stays open.
 * roll_back: the server receives ROLLBACK instead, as after a failed statement.
 * hold: COMMIT is delayed until released, and the locks are held meanwhile.
 */
type CommitFault =
  | 'lose_commit_response'
  | 'lose_all_responses'
  | 'panic'
  | 'cut_before'
  | 'strand'
  | 'roll_back'
  | 'hold'
  | 'pass'

interface InterceptedCommit {
  /** Resolves when COMMIT has reached the proxy. */
  seen: Promise<void>
  /** Lets a held COMMIT continue. A stranded transaction commits, or its connection ends. */
  release(how?: 'commit' | 'end'): Promise<void>
}

interface CommitProxy {
  connection: Connection
  /** Sets the fault for the next COMMIT. Later ones pass unchanged. */
  next(act: CommitFault): InterceptedCommit
  /** For each database transaction, the number of round trips up to COMMIT. */
  flushes: number[]
}

/** Call it at the top of a test file. It registers its own cleanup. */
export async function startCommitProxy(to: Connection): Promise<CommitProxy> {
  const planned: Plan[] = []
  const flushes: number[] = []
  const pairs = new Set<Pair>()
  const server = createServer((client) => {
    const pair = new Pair(client, createConnection(targetOf(to) as never), planned, flushes)
    pairs.add(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const pair of pairs) pair.end()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { connection: through(to, port), flushes, next: (act) => plan(planned, act) }
}

function targetOf(to: Connection): object {
  if (to.connectionString === undefined) {
    return { path: join(to.host!, `.s.PGSQL.${to.port ?? 5432}`) }
  }
  const url = new URL(to.connectionString)
  return { host: url.hostname, port: Number(url.port || 5432) }
}

function through(to: Connection, port: number): Connection {
  if (to.connectionString === undefined) return { ...to, host: '127.0.0.1', port }
  const url = new URL(to.connectionString)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { connectionString: url.href }
}

interface Plan {
  act: CommitFault
  seen(): void
  released: Promise<'commit' | 'end'>
  done(): void
}

function plan(planned: Plan[], act: CommitFault): InterceptedCommit {
  const seen = Promise.withResolvers<void>()
  const released = Promise.withResolvers<'commit' | 'end'>()
  const done = Promise.withResolvers<void>()
  planned.push({ act, seen: seen.resolve, released: released.promise, done: done.resolve })
  return {
    seen: seen.promise,
    release(how = 'commit') {
      released.resolve(how)
      return done.promise
    },
  }
}

const begin = sql`begin`.name!
const commit = query('commit')
const committed = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')
const panic_fields = 'SPANIC\0VPANIC\0C53100\0MNo space left on device\0\0'
const panic = Buffer.concat([
  Buffer.from(['E'.charCodeAt(0), 0, 0, 0, panic_fields.length + 4]),
  Buffer.from(panic_fields, 'latin1'),
])

/** Whether the message is a Bind for this prepared statement. */
function bindsTo(message: Buffer, name: string): boolean {
  return message[0] === 'B'.charCodeAt(0) && message.toString('latin1', 5).split('\0')[1] === name
}

function query(text: string): Buffer {
  const message = Buffer.alloc(text.length + 6)
  message.write('Q', 0)
  message.writeInt32BE(text.length + 5, 1)
  message.write(text, 5)
  return message
}

/** A client connection and the corresponding server connection. */
class Pair {
  readonly #client: Socket
  readonly #server: Socket
  readonly #planned: Plan[]
  readonly #flushes: number[]
  #unread: Buffer = Buffer.alloc(0)
  #started = false
  #holding: Promise<void> | undefined
  #losing: 'lose_commit_response' | 'lose_all_responses' | 'panic' | undefined
  #stranded: Plan | undefined
  #round_trips = 0
  #last: 'client' | 'server' = 'server'

  constructor(client: Socket, server: Socket, planned: Plan[], flushes: number[]) {
    this.#client = client
    this.#server = server
    this.#planned = planned
    this.#flushes = flushes
    client.on('data', (data) => this.#fromClient(data as Buffer))
    server.on('data', (data) => this.#fromServer(data as Buffer))
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('close', () => this.#stranded === undefined && server.destroy())
    server.on('close', () => client.destroy())
  }

  end(): void {
    this.#client.destroy()
    this.#server.destroy()
  }

  async #fromClient(data: Buffer): Promise<void> {
    if (this.#last === 'server') this.#round_trips += 1
    this.#last = 'client'
    this.#unread = Buffer.concat([this.#unread, data])
    // While a message is held, #read continues by itself on release.
    if (this.#holding === undefined) await this.#read()
  }

  async #read(): Promise<void> {
    for (;;) {
      const next = takeMessage(this.#unread, this.#started)
      if (next === undefined) return
      const { message } = next
      this.#unread = next.rest
      this.#started = true
      if (bindsTo(message, begin)) this.#round_trips = 1
      if (!message.equals(commit)) this.#server.write(message)
      else if (!(await this.#commit())) return
    }
  }

  /** Returns false if nothing more may be forwarded. */
  async #commit(): Promise<boolean> {
    this.#flushes.push(this.#round_trips)
    const plan = this.#planned.shift()
    plan?.seen()
    switch (plan?.act) {
      case 'cut_before':
        this.end()
        return false
      case 'strand':
        return this.#strand(plan)
      case 'roll_back':
        this.#server.write(query('rollback'))
        return true
      case 'hold':
        this.#holding = plan.released.then(() => {})
        await this.#holding
        this.#holding = undefined
        break
      case 'lose_commit_response':
      case 'lose_all_responses':
      case 'panic':
        this.#losing = plan.act
    }
    this.#server.write(commit)
    plan?.done()
    return true
  }

  #strand(plan: Plan): false {
    this.#stranded = plan
    this.#server.write(query('set local idle_in_transaction_session_timeout = 0'))
    this.#client.destroy()
    plan.released.then((how) => {
      if (how === 'commit') this.#server.write(commit)
      else this.#server.end(() => plan.done())
    })
    return false
  }

  #fromServer(data: Buffer): void {
    this.#last = 'server'
    const at = data.indexOf(committed)
    if (this.#stranded !== undefined) {
      if (at !== -1) this.#stranded.done()
      return
    }
    const lost = this.#losing !== undefined && at !== -1
    if (this.#losing !== 'lose_all_responses')
      this.#client.write(lost ? data.subarray(0, at) : data)
    if (lost) this.#client.end(this.#losing === 'panic' ? panic : '', () => this.end())
  }
}
