// The part of Citus's catalog that Florin reads, on a plain PostgreSQL: lanes then run per shard,
// though all rows are on one server.

import { type Connection, type Db, openDatabase } from '../../src/postgres/database.ts'
import {
  coordinator_tables,
  first_table,
  other_tables,
  reference_tables,
} from '../../src/postgres/sharded-tables.ts'
import { sql } from '../../src/postgres/sql.ts'
import { ask } from './ask.ts'

/** The boundaries of `count` shards of equal size, as Citus chooses them. */
export function evenShards(count: number): number[] {
  const size = Math.floor(2 ** 32 / count)
  return Array.from({ length: count }, (_, at) => -(2 ** 31) + at * size)
}

/** `starts` are the least hashes of the shards, ascending. */
export async function setShards(db: Db, starts: number[]): Promise<void> {
  const found = await db.row<{ exists: boolean }>(sql`
    select to_regclass('pg_dist_shard') is not null as exists`)
  if (!found!.exists) await createCatalog(db)
  await db.count(sql`
    create or replace function get_shard_id_for_distribution_column(name regclass, id uuid)
    returns bigint language sql stable as
    'select shardid from pg_dist_shard where shardminvalue::int <= uuid_hash(id)
      order by shardminvalue::int desc limit 1'`)
  await db.count(sql`delete from pg_dist_shard`)
  await db.count(sql`
    insert into pg_dist_shard (shardid, logicalrelid, shardminvalue)
    select 102000 + n, 'balances'::regclass, start::text
    from unnest(${starts}::int[]) with ordinality as it (start, n)`)
  await db.shards.load(db)
}

async function createCatalog(db: Db): Promise<void> {
  await db.count(sql`
    create table pg_dist_shard (shardid bigint primary key, logicalrelid regclass,
      shardminvalue text)`)
}

// `findCluster` reads them. Without a node, the rules of tests run on the tables themselves.
const cluster_text = `
  create table pg_dist_node (groupid int, shouldhaveshards bool, isactive bool, noderole text);
  create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  select 99999, 'citus', oid, 'public'::regnamespace, false, 'simulated'
  from pg_roles where rolname = current_user`

/**
 * Copies of this database are used as if they were distributed: every session sends the statements
 * that it would send to Citus, of one shard each where the code requires it.
 */
export async function simulateCitus(connection: Connection, shard_count: number): Promise<void> {
  const db = openDatabase(connection, { clients_max: 1 })
  try {
    await setShards(db, evenShards(shard_count))
    await ask(connection, cluster_text)
    const places = [
      ...reference_tables.map((name) => [name, 'n', 't']),
      ...[first_table, ...other_tables].map(({ name }) => [name, 'h', 's']),
      ...coordinator_tables.map((name) => [name, 'n', 's']),
    ]
    for (const place of places) {
      await db.pool.query('insert into pg_dist_partition values ($1, $2, $3)', place)
    }
  } finally {
    await db.close()
  }
}
