// Health of the database server, for operators.

import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

interface DatabaseHealth {
  version: string
  size_bytes: number
  connections: { active: number; idle: number; in_transaction: number; max: number }
  /** Each must be `on` for commits to be durable. */
  settings: Record<(typeof shown)[number], string>
  /** Age of the oldest open database transaction; null if there is none. */
  oldest_transaction_s: number | null
}

const shown = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'] as const

// Excludes the transaction of this query itself.
export async function describeServer(db: Queryable): Promise<DatabaseHealth> {
  const server = await db.row<ServerRow>(sql`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as size_bytes,
      count(*) filter (where state = 'active') as active,
      count(*) filter (where state = 'idle') as idle,
      count(*) filter (where state like 'idle in transaction%') as in_transaction,
      current_setting('max_connections')::int as max,
      extract(epoch from now() - min(xact_start) filter (where pid <> pg_backend_pid()))::float8
        as oldest_transaction_s
    from pg_stat_activity
    where datname = current_database()`)
  const settings = await db.rows<{ name: string; setting: string }>(sql`
    select name, setting
    from pg_settings
    where name = any(${[...shown]}::text[])`)
  const { version, size_bytes, oldest_transaction_s, ...connections } = server!
  return {
    // Distributions append their package name in parentheses.
    version: version.split(' ', 1)[0]!,
    size_bytes,
    connections,
    settings: Object.fromEntries(
      settings.map(({ name, setting }) => [name, setting]),
    ) as DatabaseHealth['settings'],
    oldest_transaction_s:
      oldest_transaction_s === null ? null : Math.round(oldest_transaction_s * 10) / 10,
  }
}

interface ServerRow {
  version: string
  size_bytes: number
  active: number
  idle: number
  in_transaction: number
  max: number
  oldest_transaction_s: number | null
}
