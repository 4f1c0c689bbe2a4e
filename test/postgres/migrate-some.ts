// Databases that have run only some of the migrations.

import { runner } from 'node-pg-migrate'
import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'
import { runMigrations } from '../../src/postgres/run-migrations.ts'

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

const baseline = 9

/** The schema as it was after so many migrations. */
export async function migrateSome(client: pg.Client, count: number): Promise<void> {
  // The baseline does not store which versions it runs alongside.
  if (count > baseline) return runMigrations(client, count)
  const options = {
    dir: 'migrations',
    direction: 'up',
    migrationsTable: 'schema_migrations',
  } as const
  await runner({ ...options, dbClient: client, count, log: () => {} })
}
