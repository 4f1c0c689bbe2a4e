// Checks that the settings of this PostgreSQL make commits durable. Killing the server with
// kill -9 does not reveal unsafe settings: the operating system still writes its cache.

import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

const required = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'] as const

// `local` and `remote_write` do not wait until a synchronous standby has the change on its disk.
// Without such a standby they are as good as `on`, until one is added.
const safe_commits = ['on', 'remote_apply']

/** Settings, as `name=value`, that could lose or corrupt an acknowledged payment. */
export async function findUnsafeSettings(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ name: string; setting: string }>(sql`
    select name, setting
    from pg_settings
    where name = any(${[...required]}::text[])`)
  const isSafe = (row: { name: string; setting: string }) =>
    row.name === 'synchronous_commit' ? safe_commits.includes(row.setting) : row.setting === 'on'
  return rows.filter((row) => !isSafe(row)).map(({ name, setting }) => `${name}=${setting}`)
}

/** How to fix them. A reload does not enable checksums. */
export function repairAdvice(unsafe: string[]): string {
  const settings = unsafe.filter((one) => !one.startsWith('data_checksums'))
  const set = settings.length > 0 ? 'Set it to "on" in postgresql.conf and reload. ' : ''
  const has_checksums = settings.length === unsafe.length
  const enable =
    'Checksums: stop PostgreSQL, run pg_checksums --enable -D <data directory>, then start it.'
  return `${set}${has_checksums ? '' : enable}`.trim()
}
