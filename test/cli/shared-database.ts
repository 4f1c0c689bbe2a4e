// A separate database on the PostgreSQL server of the test run, passed as DATABASE_URL.

import type { TestContext } from 'node:test'
import type { Connection } from '../../src/postgres/database.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import { ask, cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

interface TestDatabase {
  env: { DATABASE_URL: string }
  connection: Connection
}

export async function makeDatabase(t: { after: TestContext['after'] }): Promise<TestDatabase> {
  const { connection, name } = await cloneDatabase()
  t.after(async () => {
    await dumpDatabase((text) => ask(connection, text), name)
    await dropDatabase(name)
    await stopOwnServer()
  })
  return { env: { DATABASE_URL: toUrl(connection, name) }, connection }
}

/** A socket directory cannot be the host of a URL, so it is a query parameter. */
export function toUrl(connection: Connection, name: string): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const url = new URL(`postgres://${connection.user}@localhost/${name}`)
  url.searchParams.set('host', connection.host ?? 'localhost')
  url.searchParams.set('port', String(connection.port ?? 5432))
  return url.href
}
