// Parts of pg's client that its types omit, and a message of its pool. test/postgres/driver.test.ts
// fails if an upgrade changes one of them.

import type pg from 'pg'

/** The server process that accepted the connection. */
export function processOf(client: pg.Client): number | null {
  return (client as unknown as { processID: number | null }).processID
}

/** Whether the open connection keeps the event loop alive. */
export function keepLoopAlive(client: pg.Client, keeps: boolean): void {
  const { ref, unref } = client as unknown as Record<'ref' | 'unref', () => void>
  ;(keeps ? ref : unref).call(client)
}

/** All clients of the pool were in use for too long, which is not a failure of the host. */
export function isPoolFull(error: unknown): boolean {
  return (error as Error).message === 'timeout exceeded when trying to connect'
}

/** A statement with a separate limit for the time until its result arrives. */
export function limited(query: pg.QueryConfig, query_timeout: number): pg.QueryConfig {
  return { ...query, query_timeout } as pg.QueryConfig
}
