// Creates an index while its table is in use.

import type pg from 'pg'

/** How long a statement may wait for a lock: everything that comes later waits behind it. */
export const lock_timeout_ms = 500

/**
 * Runs `create index concurrently`. PostgreSQL does not support it on a partitioned table, so each
 * partition gets an index first. Can be repeated: an earlier attempt may have left an index that is
 * complete, or one that is not.
 */
export async function createIndexOnline(client: pg.Client, statement: string): Promise<void> {
  const parsed = /^create (unique )?index concurrently (\w+)\s+on (\w+)\s+(.+)$/s.exec(statement)
  if (parsed === null) throw new Error(`not "create index concurrently": ${statement}`)
  const [, unique = '', name, table, definition] = parsed
  if ((await validityOf(client, name!)) === true) return
  const partitions = await partitionsOf(client, table!)
  if (partitions.length === 0) {
    return createOne(client, name!, `create ${unique}index concurrently`, table!, definition!)
  }
  const parts = partitions.map((partition) => ({
    partition,
    part_name: name! + partition.slice(table!.length),
  }))
  for (const { partition, part_name } of parts) {
    await createOne(client, part_name, `create ${unique}index concurrently`, partition, definition!)
  }
  await briefly(client, [
    `create ${unique}index if not exists ${name} on only ${table} ${definition}`,
    ...parts.map(({ part_name }) => `alter index ${name} attach partition ${part_name}`),
  ])
}

async function partitionsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query(
    `select relname as name
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = $1::regclass
    order by relname`,
    [table],
  )
  return rows.map(({ name }) => name)
}

async function createOne(
  client: pg.Client,
  name: string,
  create: string,
  table: string,
  definition: string,
): Promise<void> {
  const is_valid = await validityOf(client, name)
  if (is_valid) return
  if (is_valid === false) await client.query(`drop index concurrently ${name}`)
  await client.query(`${create} ${name} on ${table} ${definition}`)
}

/** Undefined if there is no such index. The index of partitions is valid if all have theirs. */
async function validityOf(client: pg.Client, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query(
    'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  return rows[0]?.is_valid
}

/** In one transaction, because a pooler may run each in another session. */
async function briefly(client: pg.Client, statements: string[]): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${lock_timeout_ms}`)
  for (const statement of statements) await client.query(statement)
  await client.query('commit')
}
