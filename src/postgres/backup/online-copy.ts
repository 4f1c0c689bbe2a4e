// PostgreSQL's side of a backup under load: one session that says where the log of changes must be
// replayed from, keeps that log from being recycled, and says where the copy became consistent.

import pg from 'pg'
import type { Connection } from '../database.ts'
import { codeOf } from '../embedded/embedded-database-error.ts'
import { BackupError } from './backup-error.ts'

export interface OnlineCopyResult {
  /** Whatever was committed before this is in the log up to the stop. */
  taken_at: string
  wal_start: string
  wal_stop: string
  /** The text without which PostgreSQL would take the copy for a crashed original. */
  label: string
  /** The names of all segments from start to stop. */
  segments: string[]
}

/**
 * `copy` runs between start and stop; `copySegments` after the stop, while they are still kept.
 * All in one session, as PostgreSQL asks: when it is lost, there is no backup.
 */
export async function runInBackupMode(
  connection: Connection,
  copy: () => Promise<void>,
  copySegments: (copied: OnlineCopyResult) => Promise<void>,
): Promise<OnlineCopyResult> {
  const client = new pg.Client({ ...connection, application_name: 'florin backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    // Temporary: it falls with this session, so a backup that dies holds no log back. The name is
    // free again by then, and two backups at once have different ones.
    await ask(client, 'select pg_create_physical_replication_slot($1, true, true)', [
      `florin_backup_${process.pid}`,
    ])
    const [started] = await ask<{ lsn: string }>(
      client,
      "select pg_backup_start('florin backup', true) as lsn",
    )
    await copy()
    const taken_at = new Date().toISOString()
    const [stopped] = await ask<{ lsn: string; labelfile: string }>(
      client,
      'select lsn, labelfile from pg_backup_stop(false)',
    )
    const range = [started!.lsn, stopped!.lsn]
    const copied = {
      taken_at,
      wal_start: started!.lsn,
      wal_stop: stopped!.lsn,
      label: stopped!.labelfile,
      segments: (await ask<{ name: string }>(client, segments_between, range)).map(
        ({ name }) => name,
      ),
    }
    await copySegments(copied)
    return copied
  } finally {
    await client.end().catch(() => {})
  }
}

// A position at the very end of a segment belongs to that segment and not to the next.
const segments_between = `
  select pg_walfile_name('0/0'::pg_lsn + at * size + 1) as name
  from (select pg_size_bytes(current_setting('wal_segment_size'))::numeric as size) as setting,
    generate_series(
      div($1::pg_lsn - '0/0'::pg_lsn, size),
      div($2::pg_lsn - '0/0'::pg_lsn - 1, size)) as at
  order by at`

async function ask<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  try {
    return (await client.query<Row>(text, values)).rows
  } catch (error) {
    // An SQLSTATE says that the server is there and refuses; 57P: that it is going down.
    if (codeOf(error) !== undefined && !/^(57P|E)/.test(codeOf(error)!)) throw error
    throw new BackupError(
      'The database went away while it was copied, and nothing was kept. ' +
        'Look with florin status, and run it again.',
      error,
    )
  }
}
