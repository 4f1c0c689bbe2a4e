// Runs PostgreSQL's online backup mode in one session. It returns the WAL positions where replay
// must start and where the copy is consistent, and prevents the WAL from being recycled.

import pg from 'pg'
import type { Connection } from '../../postgres/database.ts'
import { BackupError, codeOf } from '../errors.ts'

interface OnlineCopyResult {
  /** Every change that was committed before this time is in the WAL up to the stop. */
  taken_at: string
  wal_start: string
  wal_stop: string
  /** The content of backup_label. Without it PostgreSQL treats the copy as a crashed original. */
  label: string
  /** The names of all segments from start to stop. */
  segments: string[]
}

/**
 * `copy` runs between start and stop; `copySegments` after the stop, while the slot retains them.
 * PostgreSQL requires one session for all of it: if the session is lost, the backup fails.
 */
export async function runInBackupMode(
  connection: Connection,
  copy: () => Promise<void>,
  copySegments: (result: OnlineCopyResult) => Promise<void>,
): Promise<OnlineCopyResult> {
  const client = new pg.Client({ ...connection, application_name: 'florin backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    // A temporary slot ends with the session, so a crashed backup does not retain WAL. The pid
    // makes the name unique among concurrent backups.
    await query(client, 'select pg_create_physical_replication_slot($1, true, true)', [
      `florin_backup_${process.pid}`,
    ])
    const [started] = await query<{ lsn: string }>(
      client,
      "select pg_backup_start('florin backup', true) as lsn",
    )
    await copy()
    const taken_at = new Date().toISOString()
    const [stopped] = await query<{ lsn: string; labelfile: string }>(
      client,
      'select lsn, labelfile from pg_backup_stop(false)',
    )
    const range = [started!.lsn, stopped!.lsn]
    const result = {
      taken_at,
      wal_start: started!.lsn,
      wal_stop: stopped!.lsn,
      label: stopped!.labelfile,
      segments: (await query<{ name: string }>(client, segments_between, range)).map(
        ({ name }) => name,
      ),
    }
    await copySegments(result)
    return result
  } finally {
    await client.end().catch(() => {})
  }
}

// A position at the end of a segment belongs to that segment, not to the next one.
const segments_between = `
  select pg_walfile_name('0/0'::pg_lsn + at * size + 1) as name
  from (select pg_size_bytes(current_setting('wal_segment_size'))::numeric as size) as setting,
    generate_series(
      div($1::pg_lsn - '0/0'::pg_lsn, size),
      div($2::pg_lsn - '0/0'::pg_lsn - 1, size)) as at
  order by at`

async function query<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  try {
    return (await client.query<Row>(text, values)).rows
  } catch (error) {
    // With an SQLSTATE the server is up and rejected the statement; 57P means it is shutting down.
    if (codeOf(error) !== undefined && !/^(57P|E)/.test(codeOf(error)!)) throw error
    throw new BackupError(
      'The database stopped during the backup. The partial copy was removed. ' +
        'Check it with `florin status`, then run the backup again.',
      error,
    )
  }
}
