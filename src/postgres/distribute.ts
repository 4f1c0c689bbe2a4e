// Distributes the tables over the servers of a Citus cluster, as sharded-tables.ts defines. Each
// table is a separate transaction, and a table that is already in its place is skipped, so the next
// run continues an interrupted one.

import type pg from 'pg'
import {
  coordinator_tables,
  first_table,
  other_tables,
  reference_tables,
} from './sharded-tables.ts'

export const default_shard_count = 32

class DistributionError extends Error {
  override name = 'DistributionError'
}

export interface DistributionOptions {
  /** Of a database that has no shards yet; more servers than shards cannot be used. */
  shard_count?: number
  onTable?: (name: string) => void
}

/** Returns the names of the tables that were not in their place. */
export async function distributeTables(
  client: pg.Client,
  { shard_count = default_shard_count, onTable = () => {} }: DistributionOptions = {},
): Promise<string[]> {
  await requireCluster(client)
  const missing = await findMissing(client)
  for (const { name, text, values } of missing) {
    await client.query(
      text,
      values.map((value) => value ?? shard_count),
    )
    onTable(name)
  }
  await truncateOldCopies(client)
  return missing.map(({ name }) => name)
}

interface TableStep {
  name: string
  /** As Citus calls it: `h` for hash, `t` for a copy on every server, `s` for a single one. */
  kind: 'h' | 't' | 's'
  text: string
  /** Null stands for the number of shards. */
  values: (string | null)[]
}

// Reference tables are first, so that the shards of the others can join them at any time.
const table_steps: TableStep[] = [
  ...reference_tables.map((name) => ({
    name,
    kind: 't' as const,
    text: 'select create_reference_table($1)',
    values: [name],
  })),
  {
    name: first_table.name,
    kind: 'h',
    text: `select create_distributed_table($1, $2, shard_count => $3, colocate_with => 'none')`,
    values: [first_table.name, first_table.column, null],
  },
  ...other_tables.map(({ name, column }) => ({
    name,
    kind: 'h' as const,
    text: 'select create_distributed_table($1, $2, colocate_with => $3)',
    values: [name, column, first_table.name],
  })),
  ...coordinator_tables.map((name) => ({
    name,
    kind: 's' as const,
    text: 'select citus_add_local_table_to_metadata($1)',
    values: [name],
  })),
]

async function findMissing(client: pg.Client | pg.Pool): Promise<TableStep[]> {
  const found = await client.query<{ name: string; kind: string }>(`
    select relname as name,
      case partmethod when 'h' then 'h' else repmodel::text end as kind
    from pg_dist_partition
    join pg_class on pg_class.oid = logicalrelid
    where relnamespace = to_regnamespace(current_schema())`)
  const kinds = new Map(found.rows.map(({ name, kind }) => [name, kind]))
  return table_steps.filter(({ name, kind }) => kinds.get(name) !== kind)
}

// Citus keeps the rows from before the distribution, where no statement can see them.
async function truncateOldCopies(client: pg.Client): Promise<void> {
  const found = await client.query<{ name: string }>(`
    select logicalrelid::text as name
    from pg_dist_partition
    where (partmethod = 'h' or repmodel = 't')
      and (select sum(pg_relation_size(relid)) from pg_partition_tree(logicalrelid)) > 0`)
  for (const { name } of found.rows) {
    await client.query(`select truncate_local_data_after_distributing_table($1)`, [name])
  }
}

const no_citus =
  'The database has no Citus extension. On PostgreSQL without Citus there is nothing to ' +
  'distribute: Florin runs on it as it is.'

const no_coordinator =
  'Citus does not know the address of its coordinator, which the workers need. On the ' +
  `coordinator run: select citus_set_coordinator_host('<address>', <port>)`

const no_workers =
  'The Citus cluster has no server for shards. On the coordinator, add each worker with: ' +
  `select citus_add_node('<address>', <port>)`

async function requireCluster(client: pg.Client): Promise<void> {
  const cluster = await findCluster(client)
  if (cluster === undefined) throw new DistributionError(no_citus)
  if (!cluster.has_coordinator) throw new DistributionError(no_coordinator)
  if (cluster.servers === 0) throw new DistributionError(no_workers)
}

interface Cluster {
  version: string
  /** Of each account table; zero if the tables have not been distributed. */
  shards: number
  /** The servers that store shards. */
  servers: number
  has_coordinator: boolean
  /** The tables that are not in their place. */
  missing: string[]
}

/** Undefined on plain PostgreSQL. */
export async function findCluster(client: pg.Client | pg.Pool): Promise<Cluster | undefined> {
  const extension = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  const version = extension.rows[0]?.version
  if (version === undefined) return undefined
  const found = await client.query<Omit<Cluster, 'version' | 'missing'>>(`
    select count(*) filter (where shouldhaveshards)::int as servers,
      coalesce(bool_or(groupid = 0), false) as has_coordinator,
      (select count(*)::int from pg_dist_shard
        where logicalrelid = to_regclass('${first_table.name}')) as shards
    from pg_dist_node
    where isactive and noderole = 'primary'`)
  const missing = (await findMissing(client)).map(({ name }) => name)
  return { version, ...found.rows[0]!, missing }
}

/** Refuses while a Florin runs: it would find some tables distributed and others not. */
export async function requireNoSessions(client: pg.Client): Promise<void> {
  const found = await client.query<{ n: number }>(`
    select count(*)::int as n
    from pg_stat_activity
    where datname = current_database() and application_name = 'florin'`)
  const { n } = found.rows[0]!
  if (n === 0) return
  throw new DistributionError(
    `Florin has ${n} open connections to this database. Stop every server and worker first.`,
  )
}
