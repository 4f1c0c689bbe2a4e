// Which files of a cluster belong into a backup of it. PostgreSQL's manual names what to leave out:
// what it makes anew at every start, and what would tell the copy that it is the original.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../embedded/embedded-database-error.ts'
import { BackupError } from './backup-error.ts'
import { isPlainPath } from './manifest.ts'

export interface ListedCluster {
  directories: string[]
  files: { path: string; bytes: number }[]
  /** What an editor, a file manager or a network disk left there. PostgreSQL needs none of it. */
  left_out: string[]
}

// Kept as empty directories. pg_wal is filled afterwards, with exactly the segments it takes.
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

// Caches, temporary files, and the files by which Florin asks a server where it works.
const passing = /^(pg_internal\.init|pgsql_tmp|florin-asks-|t\d+_\d+(_\w+)?$)/

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
    if ((below === '' && not_copied.has(name)) || passing.test(name)) continue
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

/** What is dropped while we look is dropped again when the log of changes is replayed. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

// Passed by, it would make a backup that looks whole and lacks whatever lies behind the link.
function linked(path: string): BackupError {
  return new BackupError(
    `${path} in the database's folder is a link, which Florin never makes and does not follow. ` +
      'Stop Florin, put what it leads to in its place, and try again.',
  )
}

function tablespace(name: string): BackupError {
  return new BackupError(
    `The database has a tablespace (pg_tblspc/${name}), which Florin never makes and does not ` +
      'back up. Move its tables back and drop it.',
  )
}
