// Test databases on a Citus cluster that someone else started. The database of the URL must have
// the extension and know its workers; databases for tests are created next to it on every server.

import { hash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'
import { distribute, migrate } from '../../src/postgres/migrate.ts'
import { ask, toDatabase } from './ask.ts'

/** Why the tests of Citus are skipped; false if they run. */
export const without_citus =
  process.env.FLORIN_TEST_CITUS_URL === undefined &&
  'set FLORIN_TEST_CITUS_URL to the coordinator of a Citus cluster with two workers'

/** Few, so that two accounts are often in one shard, and often not. */
export const shard_count = 4

interface Node {
  host: string
  port: number
  is_coordinator: boolean
}

/** The servers of the cluster; none if the connection is to plain PostgreSQL. */
export async function findNodes(connection: Connection): Promise<Node[]> {
  const extension = await ask(connection, `select from pg_extension where extname = 'citus'`)
  if (extension.rowCount === 0) return []
  const nodes = await ask(
    connection,
    `select nodename as host, nodeport as port, groupid = 0 as is_coordinator
     from pg_dist_node where isactive order by groupid`,
  )
  return nodes.rows
}

export function toNode(connection: Connection, { host, port }: Node): Connection {
  const url = new URL(connection.connectionString!)
  url.hostname = host
  url.port = String(port)
  return { connectionString: url.href }
}

async function onEachNode(connection: Connection, nodes: Node[], text: string): Promise<void> {
  await Promise.all(nodes.map((node) => ask(toNode(connection, node), text)))
}

/** Creates a database on all servers, with the extension and without tables. */
export async function createClusterDatabase(
  connection: Connection,
  nodes: Node[],
  name: string,
): Promise<Connection> {
  await onEachNode(connection, nodes, `create database ${name}`)
  const made = toDatabase(connection, name)
  await onEachNode(made, nodes, 'create extension citus')
  for (const { host, port, is_coordinator } of nodes) {
    const add = is_coordinator ? 'citus_set_coordinator_host' : 'citus_add_node'
    await ask(made, `select ${add}('${host}', ${port})`)
  }
  return made
}

/** By the database of the URL, so that several runs can share a cluster. */
function templateOf(connection: Connection): string {
  return `${new URL(connection.connectionString!).pathname.slice(1)}_template`
}

/**
 * A database that others are copied from. It takes half a minute, so it is kept until the schema
 * changes.
 */
export async function prepareClusterTemplate(connection: Connection, nodes: Node[]): Promise<void> {
  // Several test files start at once. The first one makes it.
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('template'))`)
    await makeTemplate(connection, nodes)
  } finally {
    await client.end()
  }
}

async function makeTemplate(connection: Connection, nodes: Node[]): Promise<void> {
  const name = templateOf(connection)
  const state = schemaHash()
  const found = await ask(
    connection,
    `select shobj_description(oid, 'pg_database') as state from pg_database
     where datname = '${name}'`,
  )
  if (found.rows[0]?.state === state) return
  await dropClusterDatabase(connection, nodes, name)
  const made = await createClusterDatabase(connection, nodes, name)
  await migrate(made, 'sandbox')
  await distribute(made, { shard_count })
  // A copy needs a template without connections. Citus runs a maintenance process in each database
  // that it can connect to.
  await onEachNode(connection, nodes, `alter database ${name} allow_connections false`)
  await onEachNode(
    connection,
    nodes,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
  await ask(connection, `comment on database ${name} is '${state}'`)
}

function schemaHash(): string {
  const files = readdirSync('migrations').map((file) => `migrations/${file}`)
  const texts = [...files.sort(), 'src/postgres/sharded-tables.ts'].map((path) =>
    readFileSync(path, 'utf8'),
  )
  return hash('sha1', texts.join(''))
}

/** The copy of each server refers to the copies on the others, which have the same name. */
export function copyClusterDatabase(
  connection: Connection,
  nodes: Node[],
  name: string,
): Promise<void> {
  const template = templateOf(connection)
  const text = `create database ${name} template ${template} strategy file_copy`
  return onEachNode(connection, nodes, text)
}

export function dropClusterDatabase(
  connection: Connection,
  nodes: Node[],
  name: string,
): Promise<void> {
  const drop = () => onEachNode(connection, nodes, `drop database if exists ${name} with (force)`)
  // A maintenance process of Citus may connect again in between.
  return drop().catch((error) => (error.code === '55006' ? drop() : Promise.reject(error)))
}

export interface ClusterDatabase {
  connection: Connection
  nodes: Node[]
  name: string
  drop(): Promise<void>
}

/** A distributed database without rows, on the cluster of FLORIN_TEST_CITUS_URL. */
export async function distributedDatabase(): Promise<ClusterDatabase> {
  const { given, nodes, name } = await givenCluster()
  await prepareClusterTemplate(given, nodes)
  await copyClusterDatabase(given, nodes, name)
  const drop = () => dropClusterDatabase(given, nodes, name)
  return { connection: toDatabase(given, name), nodes, name, drop }
}

/** A database of that cluster without tables. */
export async function undistributedDatabase(): Promise<ClusterDatabase> {
  const { given, nodes, name } = await givenCluster()
  const connection = await createClusterDatabase(given, nodes, name)
  return { connection, nodes, name, drop: () => dropClusterDatabase(given, nodes, name) }
}

async function givenCluster() {
  const given = { connectionString: process.env.FLORIN_TEST_CITUS_URL! }
  const nodes = await findNodes(given)
  if (nodes.filter((node) => !node.is_coordinator).length < 2) {
    throw new Error('the database of FLORIN_TEST_CITUS_URL must know two workers (citus_add_node)')
  }
  return { given, nodes, name: `florin_test_${randomBytes(6).toString('hex')}` }
}

/** Runs `work` on plain copies of all tables: rules of tests need not be statements for Citus. */
export async function onPlainCopies<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const tables = await client.query<{ name: string }>(
      `select logicalrelid::text as name from pg_dist_partition
       where not (select relispartition from pg_class where oid = logicalrelid)`,
    )
    // With their primary keys, because GROUP BY of a key allows all columns.
    const copies = tables.rows.map(
      ({ name }) => `create temp table ${name} (like public.${name} including indexes)
        on commit drop;
        insert into ${name} select * from public.${name}`,
    )
    await client.query(copies.join(';\n'))
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
