// The points at which a server can be killed, and the source texts that are swapped to call the
// hook that stops a request there.

import type { Swap } from '../swap-text.ts'

export const points = [
  /** The caller is authenticated. Nothing else is done, and the body is not read. */
  'after authentication',
  /** The first statement that locks a row has returned. */
  'after the lock',
  /** Every statement of the change has run, but COMMIT has not been sent. */
  'before commit',
  /** PostgreSQL has committed, but the client has no response yet. */
  'after commit',
  /** The last byte of the response has been passed to the operating system. */
  'after the reply',
] as const

export type Point = (typeof points)[number]

/** Whether the point comes before any effect. */
export function isBeforeCommit(point: Point): boolean {
  return points.indexOf(point) < points.indexOf('after commit')
}

/** Whether a request stopped there holds a database connection, and its lane if it has one. */
export function isInChange(point: Point): boolean {
  return point !== 'after authentication' && point !== 'after the reply'
}

/** The header that names the point at which a request stops until its server is killed. */
export const crash_header = 'crash-at'

/** The line that a server logs when a request has stopped at its point. */
export function heldLine(id: string, point: Point): string {
  return `request ${id} is stopped ${point}`
}

const client_tx = 'src/postgres/client-tx.ts'

export const crashSwaps: readonly Swap[] = [
  // After the hooks for admission and idempotency, and before every handler.
  {
    file: 'src/http/app.ts',
    from: '  handleIdempotencyKeys(app, db)\n',
    to: '  handleIdempotencyKeys(app, db)\n  globalThis.florinCrash.watch(app)\n',
  },
  // A database transaction belongs to the request in whose async context it was opened, or to none.
  {
    file: client_tx,
    from: '  readonly #client: pg.PoolClient\n',
    to: `  readonly #client: pg.PoolClient
  readonly #crash = globalThis.florinCrash.ofRequest()\n`,
  },
  {
    file: client_tx,
    from: '    return new Promise((resolve, reject) => {\n',
    to: `    return new Promise((original, reject) => {
      const resolve = (response) => {
        if (!this.#crash.holds(statement.text)) original(response)
      }\n`,
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
