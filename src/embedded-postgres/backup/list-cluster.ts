// Lists the files of a cluster that belong in a backup. It excludes what the PostgreSQL manual
// recommends: files that every start recreates, and files that identify the running original.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError, codeOf } from '../errors.ts'
import { isPlainPath } from './manifest.ts'

interface ListedCluster {
  directories: string[]
  files: { path: string; bytes: number }[]
  /** Files of an editor, a file manager or a network disk. PostgreSQL does not need them. */
  left_out: string[]
}

// Backed up as empty directories. pg_wal is filled afterwards with exactly the required segments.
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])

const not_copied = new Set([
  'backup_label',
  'backup_label.old',
  'postmaster.opts',
  'postmaster.pid',
  'tablespace_map',
  'tablespace_map.old',
])

// Caches, temporary files, and the probe files of serves-directory.ts.
const transient = /^(pg_internal\.init|pgsql_tmp|florin-probe-|t\d+_\d+(_\w+)?$)/

export async function listCluster(cluster_path: string): Promise<ListedCluster> {
  const listed: ListedCluster = { directories: [], files: [], left_out: [] }
  await walk(cluster_path, '', listed)
  return listed
}

async function walk(cluster_path: string, below: string, listed: ListedCluster): Promise<void> {
  const entries = await readdir(join(cluster_path, below), { withFileTypes: true }).catch(
    ignoreMissing,
  )
  for (const entry of entries ?? []) {
    const { name } = entry
    const path = below === '' ? name : `${below}/${name}`
    if ((below === '' && not_copied.has(name)) || transient.test(name)) continue
    if (!isPlainPath(path)) {
      listed.left_out.push(path)
      continue
    }
    if (below === 'pg_tblspc') throw tablespace(name)
    if (below === '' && emptied.has(name)) listed.directories.push(path)
    else if (entry.isSymbolicLink()) throw linked(path)
    else if (entry.isDirectory()) {
      listed.directories.push(path)
      await walk(cluster_path, path, listed)
    } else if (entry.isFile()) {
      const found = await stat(join(cluster_path, path)).catch(ignoreMissing)
      if (found) listed.files.push({ path, bytes: found.size })
    }
  }
}

/** A file that PostgreSQL drops during the backup is dropped again when the WAL is replayed. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

// If links were skipped, a backup would look complete but lack the files behind them.
function linked(path: string): BackupError {
  return new BackupError(
    `${path} in the database folder is a symbolic link, which Florin does not back up. ` +
      'Stop Florin, replace the link with the files it points to, and try again.',
  )
}

function tablespace(name: string): BackupError {
  return new BackupError(
    `The database has a tablespace (pg_tblspc/${name}), which Florin does not back up. ` +
      'Move its tables to the default tablespace and drop it.',
  )
}
