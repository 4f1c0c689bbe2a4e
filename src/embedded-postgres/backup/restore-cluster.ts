// Restores a backup into an empty data directory. Every file is checked against its checksum while
// it is copied. The copy gets the name of the database only when it is complete.

import { chown, lstat, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CopyOptions,
  copyDurably,
  forEachConcurrently,
  syncDirectory,
} from '../durable-files.ts'
import { BackupError, codeOf } from '../errors.ts'
import { inspectCluster } from '../inspect-cluster.ts'
import { findRunningEmbedded, openEmbedded } from '../open-embedded.ts'
import { type Home, prepareHome } from '../prepare-home.ts'
import { chooseServerUser } from '../server-user.ts'
import { inBackupFolder } from './backup-folder.ts'
import { type BackupFile, clusterName, type Manifest, requirePlainPaths } from './manifest.ts'

interface RestoreOptions {
  folder: string
  manifest: Manifest
  data_path: string
  signal: AbortSignal
  onProgress: (done_bytes: number, of_bytes: number) => void
}

/** Copies the files and starts PostgreSQL once, which replays the WAL until they are consistent. */
export async function restoreCluster(work: RestoreOptions): Promise<void> {
  requirePlainPaths(work.manifest)
  await rejectRunning(work.data_path)
  const home = await prepareHome(work.data_path)
  await rejectPresent(home)
  const elsewhere = 'set FLORIN_DATA to a directory'
  await inBackupFolder(home.cluster_path, elsewhere, async (temporary) => {
    await fill(temporary, home, work)
    await rename(temporary, home.cluster_path)
    await syncDirectory(home.data_path)
  })
  // If recovery fails here, the next start repeats it: backup_label and the WAL are still there.
  const database = await openEmbedded({ data_path: home.data_path })
  await database.stop()
}

async function rejectRunning(data_path: string): Promise<void> {
  const running = await findRunningEmbedded(data_path)
  if (running === undefined) return
  throw new BackupError(
    `The database in ${data_path} is running (pid ${running.pid}). Stop Florin and move its data ` +
      'away, or set FLORIN_DATA to another directory.',
  )
}

async function rejectPresent(home: Home): Promise<void> {
  const found = await lstat(home.cluster_path).catch(() => undefined)
  if (found === undefined || (await inspectCluster(home)) === 'absent') return
  throw new BackupError(
    `${home.data_path} already contains a database, and a restore never overwrites one. Move it ` +
      `away (mv '${home.cluster_path}' '${home.cluster_path}.old'), or set FLORIN_DATA to ` +
      'another directory.',
  )
}

async function fill(temporary: string, home: Home, work: RestoreOptions): Promise<void> {
  const { manifest, folder, signal } = work
  const user = await chooseServerUser(home)
  const owner = user.switched ? user : undefined
  const of_bytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done_bytes = 0
  const onBytes = (bytes: number) => {
    done_bytes += bytes
    work.onProgress(done_bytes, of_bytes)
  }
  for (const path of manifest.directories) await mkdir(join(temporary, path), { mode: 0o700 })
  const from = join(folder, clusterName)
  await forEachConcurrently(manifest.files, (file) =>
    copyChecked(from, temporary, file, { signal, onBytes, owner }),
  )
  await finishDirectories(temporary, manifest.directories, owner)
}

async function copyChecked(
  from: string,
  to: string,
  file: BackupFile,
  copying: CopyOptions,
): Promise<void> {
  const copied = await copyDurably(join(from, file.path), join(to, file.path), copying).catch(
    (error) => {
      if (codeOf(error) === 'ENOENT') throw damagedFile(file, 'is missing')
      throw error
    },
  )
  if (copied.bytes !== file.bytes) throw damagedFile(file, `has ${copied.bytes} bytes`)
  if (copied.sha256 !== file.sha256) throw damagedFile(file, 'has a different checksum')
}

function damagedFile({ path, bytes }: BackupFile, what: string): BackupError {
  return new BackupError(
    `The backup is damaged: ${path} ${what}; it was written with ${bytes} bytes. Nothing was ` +
      'restored. Use another backup, or copy this one again from where it is stored.',
  )
}

async function finishDirectories(
  root: string,
  directories: readonly string[],
  owner: CopyOptions['owner'],
): Promise<void> {
  for (const path of [...directories.map((name) => join(root, name)), root]) {
    await syncDirectory(path)
    if (owner) await chown(path, owner.uid, owner.gid)
  }
}
