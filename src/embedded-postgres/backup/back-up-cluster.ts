// Backs up the embedded database while it runs. The copy is written to a temporary folder next to
// the target and renamed when all of it is on disk, so a partial backup never has the final name.

import { hash } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Connection } from '../../postgres/database.ts'
import {
  type CopyOptions,
  copyDurably,
  forEachConcurrently,
  syncDirectory,
  writeDurably,
} from '../durable-files.ts'
import { inBackupFolder, requireFreeSpace, requireNewTarget } from './backup-folder.ts'
import { ignoreMissing, listCluster } from './list-cluster.ts'
import {
  type BackupFile,
  clusterName,
  type Manifest,
  manifestName,
  manifestText,
  platform,
  requirePlainPaths,
} from './manifest.ts'
import { runInBackupMode } from './online-copy.ts'

interface BackupOptions {
  connection: Connection
  cluster_path: string
  /** The folder to create. */
  target: string
  facts: Pick<Manifest, 'florin' | 'postgresql' | 'mode' | 'migrations'>
  signal: AbortSignal
  onProgress: (done_bytes: number, of_bytes: number) => void
}

export interface BackupResult {
  manifest: Manifest
  /** Files that do not belong to PostgreSQL, sorted. */
  left_out: string[]
}

/** Creates the whole folder, or nothing. */
export async function backUpCluster(work: BackupOptions): Promise<BackupResult> {
  await requireNewTarget(work.target, work.cluster_path)
  return inBackupFolder(work.target, 'choose a folder', async (temporary) => {
    const result = await fill(temporary, work)
    await rename(temporary, work.target)
    await syncDirectory(dirname(work.target))
    return result
  })
}

async function fill(temporary: string, work: BackupOptions): Promise<BackupResult> {
  const started_at = new Date().toISOString()
  const copy = new ClusterCopy(join(temporary, clusterName), work)
  await mkdir(copy.path, { mode: 0o700 })
  const {
    label,
    segments: _,
    ...copy_facts
  } = await runInBackupMode(
    work.connection,
    () => copy.takeCluster(),
    ({ segments }) => copy.takeSegments(segments),
  )
  await copy.write('backup_label', label)
  await copy.sync()
  const { directories, files, left_out } = copy
  const facts = { format: 1, ...work.facts, platform, started_at, ...copy_facts } as const
  const manifest = { ...facts, directories, files }
  // A backup that restore would reject must fail now, while the database still exists.
  requirePlainPaths(manifest)
  await writeDurably(join(temporary, manifestName), manifestText(manifest))
  await syncDirectory(temporary)
  return { manifest, left_out: left_out.sort() }
}

// The control file has the position of the last checkpoint. It is copied last, so that it is never
// older than the other files.
const control_file = 'global/pg_control'

class ClusterCopy {
  readonly path: string
  readonly files: BackupFile[] = []
  directories: string[] = []
  left_out: string[] = []
  readonly #work: BackupOptions
  readonly #copying: CopyOptions

  constructor(path: string, work: BackupOptions) {
    this.path = path
    this.#work = work
    this.#copying = { signal: work.signal, onBytes: (bytes) => this.#progress(bytes) }
  }

  #done_bytes = 0
  #of_bytes = 0

  #progress(bytes: number): void {
    this.#done_bytes += bytes
    this.#of_bytes = Math.max(this.#of_bytes, this.#done_bytes)
    this.#work.onProgress(this.#done_bytes, this.#of_bytes)
  }

  /** Lists files after pg_backup_start: files created before it are not in the replayed WAL. */
  async takeCluster(): Promise<void> {
    const { directories, files, left_out } = await listCluster(this.#work.cluster_path)
    this.#of_bytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    await requireFreeSpace(this.#work.target, this.#of_bytes)
    this.directories = directories
    this.left_out = left_out
    for (const directory of directories) await mkdir(join(this.path, directory), { mode: 0o700 })
    const paths = files.map(({ path }) => path).filter((path) => path !== control_file)
    await forEachConcurrently(
      paths,
      async (path) => void (await this.#take(path).catch(ignoreMissing)),
    )
    await this.#take(control_file)
  }

  takeSegments(names: readonly string[]): Promise<void> {
    return forEachConcurrently(names, (name) => this.#take(`pg_wal/${name}`))
  }

  async #take(path: string): Promise<void> {
    const from = join(this.#work.cluster_path, path)
    const copied = await copyDurably(from, join(this.path, path), this.#copying)
    this.files.push({ path, ...copied })
  }

  async write(path: string, text: string): Promise<void> {
    await writeDurably(join(this.path, path), text)
    const bytes = Buffer.byteLength(text)
    this.files.push({ path, bytes, sha256: hash('sha256', text) })
  }

  async sync(): Promise<void> {
    for (const directory of this.directories) await syncDirectory(join(this.path, directory))
    await syncDirectory(this.path)
    this.files.sort((one, other) => (one.path < other.path ? -1 : 1))
  }
}
