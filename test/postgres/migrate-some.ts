// Databases that have run only some of the migrations.

import { runner } from 'node-pg-migrate'
import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'

export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The schema as it was after so many migrations. */
export async function migrateSome(client: pg.Client, count: number): Promise<void> {
  const options = {
    dir: 'migrations',
    direction: 'up',
    migrationsTable: 'schema_migrations',
  } as const
  await runner({ ...options, dbClient: client, count, log: () => {} })
}
