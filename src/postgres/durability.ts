// Whether this PostgreSQL keeps what it acknowledges. kill -9 does not show it; its settings do.

import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

const required = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'] as const

/** The settings that are off, and with which an acknowledged payment could be lost or damaged. */
export async function findUnsafeSettings(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ name: string; setting: string }>(sql`
    select name, setting
    from pg_settings
    where name = any(${[...required]}::text[])`)
  return rows.filter((row) => row.setting === 'off').map((row) => row.name)
}
