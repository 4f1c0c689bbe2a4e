// Where a server can be made to die, and which texts of its sources become a call of the hook that
// holds a request there, until the process is killed.

import type { Swap } from '../swap-text.ts'

export const points = [
  /** The caller is known; nothing else has been done, and the body has not been read. */
  'after authentication',
  /** The first statement that locks a row has been answered. */
  'after the lock',
  /** Every statement of the change has been run, and only COMMIT has not been sent. */
  'before commit',
  /** PostgreSQL has said COMMIT, and nobody has been told. */
  'after commit',
  /** The last byte of the answer has been handed to the system. */
  'after the reply',
] as const

export type Point = (typeof points)[number]

/** Which of them come too early for any effect. */
export function isBeforeCommit(point: Point): boolean {
  return points.indexOf(point) < points.indexOf('after commit')
}

/** Held there, it holds a connection to the database too, and its lane if it has one. */
export function isInChange(point: Point): boolean {
  return point !== 'after authentication' && point !== 'after the reply'
}

/** Names the point at which the request that carries it is held until its server is killed. */
export const crash_header = 'crash-at'

/** What a server says when a request has come to its point. */
export function heldLine(id: string, point: Point): string {
  return `request ${id} is held ${point}`
}

const client_tx = 'src/postgres/client-tx.ts'

export const crashSwaps: readonly Swap[] = [
  // Behind the hooks of admission and of kept answers, and before every handler.
  {
    file: 'src/http/app.ts',
    from: '  handleIdempotencyKeys(app, db)\n',
    to: '  handleIdempotencyKeys(app, db)\n  globalThis.florinCrash.watch(app)\n',
  },
  // A database transaction belongs to the request in whose course it was opened, or to none.
  {
    file: client_tx,
    from: '  readonly #client: pg.PoolClient\n',
    to: `  readonly #client: pg.PoolClient
  readonly #crash = globalThis.florinCrash.ofRequest()\n`,
  },
  {
    file: client_tx,
    from: 'this.#waiting.push({ statement, resolve, reject: (error)',
    to: `const told = resolve
      resolve = (response) => {
        if (!this.#crash.holds(statement.text)) told(response)
      }
      this.#waiting.push({ statement, resolve, reject: (error)`,
  },
  {
    file: client_tx,
    from: '    const commit = inOnePacket(this.#client, () => {',
    to: `    await this.#crash.commits(() => {
      this.#flush()
      return this.#client.query('select 1')
    })
    const commit = inOnePacket(this.#client, () => {`,
  },
  {
    file: client_tx,
    from: "    if (command !== 'COMMIT') throw new RolledBackError()\n",
    to: `    if (command !== 'COMMIT') throw new RolledBackError()
    await this.#crash.committed()\n`,
  },
]
