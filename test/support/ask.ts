// One statement on a new connection, and connections to other databases of the same server.

import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'

export function toDatabase(connection: Connection, name: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database: name }
  const url = new URL(connection.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

export async function ask(connection: Connection, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
