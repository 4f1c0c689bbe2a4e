// A backup of the embedded database while it serves. The copy grows in a folder of another name
// beside the target and is renamed when all of it is on the disk, so that a half one is never
// taken for a whole one.

import { hash } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Connection } from '../database.ts'
import { inTemporaryFolder, requireFreeSpace, requireNewTarget } from './backup-folder.ts'
import {
  type CopyOptions,
  copyDurably,
  forEachConcurrently,
  syncDirectory,
  writeDurably,
} from './durable-copy.ts'
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

export interface BackupOptions {
  connection: Connection
  cluster_path: string
  /** The folder to make. */
  target: string
  facts: Pick<Manifest, 'florin' | 'postgresql' | 'mode' | 'migrations'>
  signal: AbortSignal
  onProgress: (done_bytes: number, of_bytes: number) => void
}

export interface BackupResult {
  manifest: Manifest
  /** What lay among the files and is none of PostgreSQL's, in order. */
  left_out: string[]
}

/** Makes the folder, or nothing. */
export async function backUpCluster(work: BackupOptions): Promise<BackupResult> {
  await requireNewTarget(work.target, work.cluster_path)
  return inTemporaryFolder(work.target, 'name a folder', async (side) => {
    const backed_up = await fill(side, work)
    await rename(side, work.target)
    await syncDirectory(dirname(work.target))
    return backed_up
  })
}

async function fill(side: string, work: BackupOptions): Promise<BackupResult> {
  const started_at = new Date().toISOString()
  const copy = new ClusterCopy(join(side, clusterName), work)
  await mkdir(copy.path, { mode: 0o700 })
  const {
    label,
    segments: _,
    ...moments
  } = await runInBackupMode(
    work.connection,
    () => copy.takeCluster(),
    ({ segments }) => copy.takeSegments(segments),
  )
  await copy.write('backup_label', label)
  await copy.sync()
  const { directories, files, left_out } = copy
  const facts = { format: 1, ...work.facts, platform, started_at, ...moments } as const
  const manifest = { ...facts, directories, files }
  // A backup that no restore takes must fail now, while the database is still there.
  requirePlainPaths(manifest)
  await writeDurably(join(side, manifestName), manifestText(manifest))
  await syncDirectory(side)
  return { manifest, left_out: left_out.sort() }
}

// The file that says how far the cluster has come. CopyResult last, so that it is never behind what is
// beside it.
const control = 'global/pg_control'

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

  /** Listed only now: what was made before the start is not in the log that will be replayed. */
  async takeCluster(): Promise<void> {
    const { directories, files, left_out } = await listCluster(this.#work.cluster_path)
    this.#of_bytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    await requireFreeSpace(this.#work.target, this.#of_bytes)
    this.directories = directories
    this.left_out = left_out
    for (const directory of directories) await mkdir(join(this.path, directory), { mode: 0o700 })
    const paths = files.map(({ path }) => path).filter((path) => path !== control)
    await forEachConcurrently(
      paths,
      async (path) => void (await this.#take(path).catch(ignoreMissing)),
    )
    await this.#take(control)
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
