// Checks that the settings of this PostgreSQL make commits durable. Killing the server with
// kill -9 does not reveal unsafe settings: the operating system still writes its cache.

import type { Db, Queryable } from './database.ts'
import { sql } from './sql.ts'

const required = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'] as const

// `local` and `remote_write` do not wait until a synchronous standby has the change on its disk.
// Without such a standby they are as good as `on`, until one is added.
const safe_commits = ['on', 'remote_apply']

interface Setting {
  name: string
  setting: string
}

/** Settings, as `name=value`, that could lose or corrupt an acknowledged payment. */
export async function findUnsafeSettings(db: Queryable & Pick<Db, 'shards'>): Promise<string[]> {
  const rows = await db.rows<Setting>(sql`
    select name, setting
    from pg_settings
    where name = any(${[...required]}::text[])`)
  const unsafe = rows.filter((row) => !isSafe(row)).map(({ name, setting }) => `${name}=${setting}`)
  // Not loaded before the first statement.
  if (!db.shards.is_distributed) return unsafe
  const workers = await readWorkers(db)
  return [...unsafe, ...workers.flatMap(({ name, settings }) => unsafeOf(name, settings ?? {}))]
}

function isSafe({ name, setting }: Setting): boolean {
  return name === 'synchronous_commit' ? safe_commits.includes(setting) : setting === 'on'
}

function unsafeOf(worker: string, settings: Record<string, string>): string[] {
  return required
    .map((name) => ({ name, setting: settings[name] ?? 'on' }))
    .filter((row) => !isSafe(row))
    .map(({ name, setting }) => `${name}=${setting} on ${worker}`)
}

interface WorkerSettings {
  /** Host and port. */
  name: string
  /** Undefined if the coordinator cannot connect to it. */
  settings?: Record<string, string>
}

/** The servers of a Citus cluster that store the rows of accounts. */
export async function readWorkers(db: Queryable): Promise<WorkerSettings[]> {
  const rows = await db.rows<{ name: string; success: boolean; result: string }>(sql`
    select nodename || ':' || nodeport as name, success, result
    from run_command_on_workers(
      'select json_object_agg(name, setting) from pg_settings
      where name in (''fsync'', ''full_page_writes'', ''synchronous_commit'', ''data_checksums'',
        ''synchronous_standby_names'')')
    order by 1`)
  return rows.map(({ name, success, result }) =>
    success ? { name, settings: JSON.parse(result) } : { name },
  )
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
