// A database of its own on the run's PostgreSQL, as an operator would give it: by DATABASE_URL.

import type { TestContext } from 'node:test'
import type { Connection } from '../../src/postgres/database.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import { ask, cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

export interface SharedDatabase {
  env: { DATABASE_URL: string }
  connection: Connection
}

export async function makeDatabase(t: { after: TestContext['after'] }): Promise<SharedDatabase> {
  const { connection, name } = await cloneDatabase()
  t.after(async () => {
    await dumpDatabase((text) => ask(connection, text), name)
    await dropDatabase(name)
    await stopOwnServer()
  })
  return { env: { DATABASE_URL: toUrl(connection, name) }, connection }
}

/** The socket's directory cannot be a URL's host, so it is a parameter. */
export function toUrl(connection: Connection, name: string): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const url = new URL(`postgres://${connection.user}@localhost/${name}`)
  url.searchParams.set('host', connection.host ?? 'localhost')
  url.searchParams.set('port', String(connection.port ?? 5432))
  return url.href
}
