// A backup becomes the database of an empty data directory. Every file is held against its checksum
// while it is copied; the copy takes the database's name only when it is whole.

import { chown, lstat, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseServerUser } from '../embedded/choose-server-user.ts'
import { codeOf } from '../embedded/embedded-database-error.ts'
import { inspectCluster } from '../embedded/inspect-cluster.ts'
import { findRunningEmbedded, openEmbedded } from '../embedded/open-embedded.ts'
import { type Home, prepareHome } from '../embedded/prepare-home.ts'
import { BackupError } from './backup-error.ts'
import { inTemporaryFolder } from './backup-folder.ts'
import {
  type CopyOptions,
  copyDurably,
  forEachConcurrently,
  syncDirectory,
} from './durable-copy.ts'
import { type BackupFile, clusterName, type Manifest, requirePlainPaths } from './manifest.ts'

export interface RestoreOptions {
  folder: string
  manifest: Manifest
  data_path: string
  signal: AbortSignal
  onProgress: (done_bytes: number, of_bytes: number) => void
}

/** Puts the files in place and lets PostgreSQL replay the log until all of them agree. */
export async function restoreCluster(work: RestoreOptions): Promise<void> {
  requirePlainPaths(work.manifest)
  await refuseRunning(work.data_path)
  const home = await prepareHome(work.data_path)
  await refusePresent(home)
  await inTemporaryFolder(home.cluster_path, 'set FLORIN_DATA to a directory', async (side) => {
    await fill(side, home, work)
    await rename(side, home.cluster_path)
    await syncDirectory(home.data_path)
  })
  // Should this not end well, a start tries it again: the label and the log are still there.
  const database = await openEmbedded({ data_path: home.data_path })
  await database.stop()
}

async function refuseRunning(data_path: string): Promise<void> {
  const running = await findRunningEmbedded(data_path)
  if (running === undefined) return
  throw new BackupError(
    `The database in ${data_path} is running (pid ${running.pid}). Stop Florin first, and move ` +
      'its data away; or set FLORIN_DATA to another directory.',
  )
}

async function refusePresent(home: Home): Promise<void> {
  const there = await lstat(home.cluster_path).catch(() => undefined)
  if (there === undefined || (await inspectCluster(home)) === 'absent') return
  throw new BackupError(
    `${home.data_path} holds a database already, and a restore never writes over one. Move it ` +
      `away (mv '${home.cluster_path}' '${home.cluster_path}.old'), or set FLORIN_DATA to ` +
      'another directory.',
  )
}

async function fill(side: string, home: Home, work: RestoreOptions): Promise<void> {
  const { manifest, folder, signal } = work
  const user = await chooseServerUser(home)
  const owner = user.switched ? user : undefined
  const of_bytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done_bytes = 0
  const onBytes = (bytes: number) => {
    done_bytes += bytes
    work.onProgress(done_bytes, of_bytes)
  }
  for (const path of manifest.directories) await mkdir(join(side, path), { mode: 0o700 })
  const from = join(folder, clusterName)
  await forEachConcurrently(manifest.files, (file) =>
    copyChecked(from, side, file, { signal, onBytes, owner }),
  )
  await giveDirectories(side, manifest.directories, owner)
}

async function copyChecked(
  from: string,
  side: string,
  file: BackupFile,
  copying: CopyOptions,
): Promise<void> {
  const copied = await copyDurably(join(from, file.path), join(side, file.path), copying).catch(
    (error) => {
      if (codeOf(error) === 'ENOENT') throw damagedFile(file, 'is missing')
      throw error
    },
  )
  if (copied.bytes !== file.bytes) throw damagedFile(file, `has ${copied.bytes} bytes`)
  if (copied.sha256 !== file.sha256) throw damagedFile(file, 'has another checksum')
}

function damagedFile({ path, bytes }: BackupFile, what: string): BackupError {
  return new BackupError(
    `The backup is damaged: ${path} ${what}, and it was written with ${bytes} bytes. Nothing was ` +
      'restored. Take another backup, or fetch this one again from where it was kept.',
  )
}

async function giveDirectories(
  side: string,
  directories: readonly string[],
  owner: CopyOptions['owner'],
): Promise<void> {
  for (const path of [...directories.map((name) => join(side, name)), side]) {
    await syncDirectory(path)
    if (owner) await chown(path, owner.uid, owner.gid)
  }
}
