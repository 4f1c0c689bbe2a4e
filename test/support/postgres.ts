// The PostgreSQL server for tests: the one that `npm test` started for the whole run, or a separate
// one for a single file run by hand. Each file gets a database cloned from a migrated template.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import type { Connection } from '../../src/postgres/database.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { ask, toDatabase } from './ask.ts'
import {
  copyClusterDatabase,
  createClusterDatabase,
  dropClusterDatabase,
  findNodes,
  prepareClusterTemplate,
} from './citus.ts'

export { ask, toDatabase }

interface TestServer {
  connection: Connection
  stop(): Promise<void>
}

// Test data need not survive a crash of the machine, so nothing has to reach the disk.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // It would record that a table is empty between two files that share a database, and plans for
  // empty tables took ten seconds on a few thousand rows.
  autovacuum: 'off',
  // Six processes, each with the pools of one to three servers.
  max_connections: '300',
}

export const template = 'florin_template'

export async function startTestServer(): Promise<TestServer> {
  const given = process.env.FLORIN_TEST_DATABASE_URL
  if (given !== undefined) {
    return prepare({ connectionString: given }, async () => {})
  }
  const data_path = await mkdtemp(join(tmpdir(), 'florin-test-'))
  const embedded = await openEmbedded({ data_path, settings })
  return prepare(embedded.connection, async () => {
    await embedded.stop()
    await rm(data_path, { recursive: true, force: true })
  })
}

async function prepare(connection: Connection, stop: () => Promise<void>): Promise<TestServer> {
  const nodes = await nodesOf(connection)
  if (nodes.length > 0) {
    await prepareClusterTemplate(connection, nodes)
    return { connection, stop }
  }
  await ask(connection, `drop database if exists ${template}`)
  await ask(connection, `create database ${template}`)
  await migrate(toDatabase(connection, template), 'sandbox')
  return { connection, stop }
}

let own: Promise<TestServer> | undefined

/** Returns the server of this run. */
export function testServer(): Promise<TestServer> {
  const shared = process.env.FLORIN_TEST_POSTGRES
  if (shared !== undefined) {
    return Promise.resolve({ connection: JSON.parse(shared), stop: async () => {} })
  }
  own ??= startTestServer()
  return own
}

export async function stopOwnServer(): Promise<void> {
  if (own !== undefined) await (await own).stop()
  own = undefined
}

export async function cloneDatabase(): Promise<{ connection: Connection; name: string }> {
  const { connection } = await testServer()
  const name = `florin_test_${randomBytes(6).toString('hex')}`
  const nodes = await nodesOf(connection)
  if (nodes.length > 0) {
    await copyClusterDatabase(connection, nodes, name)
    return { connection: toDatabase(connection, name), name }
  }
  // Takes half the CPU time of the default strategy, which writes all pages to the WAL.
  await ask(connection, `create database ${name} template ${template} strategy file_copy`)
  return { connection: toDatabase(connection, name), name }
}

export async function emptyDatabase(): Promise<{ connection: Connection; name: string }> {
  const { connection } = await testServer()
  const name = `florin_test_${randomBytes(6).toString('hex')}`
  const nodes = await nodesOf(connection)
  if (nodes.length > 0) {
    return { connection: await createClusterDatabase(connection, nodes, name), name }
  }
  await ask(connection, `create database ${name}`)
  return { connection: toDatabase(connection, name), name }
}

export async function dropDatabase(name: string): Promise<void> {
  const { connection } = await testServer()
  const nodes = await nodesOf(connection)
  if (nodes.length > 0) return dropClusterDatabase(connection, nodes, name)
  await ask(connection, `drop database if exists ${name} with (force)`)
}

/** The servers of a Citus cluster; none on plain PostgreSQL, which most runs use. */
async function nodesOf(connection: Connection) {
  return process.env.FLORIN_TEST_DATABASE_URL === undefined ? [] : findNodes(connection)
}

/**
 * Makes sessions that start from now on use sequential scans. The planner may choose these at any
 * time, so queries must return the same rows.
 */
export async function disableIndexScans(client: Pick<pg.Client, 'query'>): Promise<void> {
  for (const scan of ['indexscan', 'indexonlyscan', 'bitmapscan']) {
    const { rows } = await client.query(
      `select format('alter database %I set enable_${scan} = off', current_database()) as text`,
    )
    await client.query(rows[0].text)
  }
}
