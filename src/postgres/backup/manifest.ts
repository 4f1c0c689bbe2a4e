// What stands beside the files of a backup: what they are, and a checksum of each. It is written
// last, so a folder without it is no backup.

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../embedded/embedded-database-error.ts'
import { BackupError } from './backup-error.ts'

export interface BackupFile {
  /** Below the folder of the cluster, with `/` between its parts. */
  path: string
  bytes: number
  sha256: string
}

export interface Manifest {
  format: 1
  /** The version of Florin that wrote it. */
  florin: string
  /** Whole, such as 18.4. */
  postgresql: string
  /** PostgreSQL's files are made for one kind of machine. */
  platform: string
  /** Undefined is written as null: a database whose first start has not ended. */
  mode: 'sandbox' | 'live' | null
  migrations: string[]
  started_at: string
  /** Everything that was acknowledged before this moment is in it. */
  taken_at: string
  /** Where in the log of changes the copy begins, and from where on it is consistent. */
  wal_start: string
  wal_stop: string
  directories: string[]
  files: BackupFile[]
}

export const manifestName = 'florin-backup.json'
export const clusterName = 'postgres'
export const platform = `${process.platform}-${process.arch}`

export function manifestText(manifest: Manifest): string {
  const backup = JSON.stringify(manifest)
  return `{"sha256":"${hash('sha256', backup)}","backup":${backup}}\n`
}

/** Refuses a folder that is no backup, or whose manifest is not as it was written. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(folder)
  const [, sha256, backup] = /^\{"sha256":"([0-9a-f]{64})","backup":(.*)\}\n$/s.exec(text) ?? []
  if (backup === undefined || hash('sha256', backup) !== sha256) {
    throw new BackupError(
      `${join(folder, manifestName)} is damaged: its checksum is not right. ` +
        'Take another backup, or fetch this one again from where it was kept.',
    )
  }
  const manifest = JSON.parse(backup) as Manifest
  if (manifest.format === 1) return manifest
  throw new BackupError(
    `${folder} was written by Florin ${manifest.florin} in a form that this version does not ` +
      'know. Restore it with that version.',
  )
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, manifestName), 'utf8')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EACCES' || code === 'EPERM') {
      throw new BackupError(`This user may not read ${folder}. Run it as its owner.`, error)
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw new BackupError(
      `${folder} is not a whole backup: there is no ${manifestName} in it. ` +
        'Name a folder that florin backup has made.',
      error,
    )
  }
}

/** Why this machine and this version cannot use the backup; the sentence says what can. */
export function requireCompatible(manifest: Manifest, own: OwnSide): void {
  const { florin, mode, postgresql } = manifest
  const unknown = manifest.migrations.find((name) => !own.migrations.includes(name))
  if (unknown !== undefined) {
    throw new BackupError(
      `The backup was made by a newer Florin (${florin}): it has the migration ${unknown}, which ` +
        'this version does not know. Restore it with the newer version.',
    )
  }
  if (postgresql.split('.')[0] !== own.major) {
    throw new BackupError(
      `The backup holds data of PostgreSQL ${postgresql}, and this Florin brings PostgreSQL ` +
        `${own.major}. Restore it with Florin ${florin}.`,
    )
  }
  if (manifest.platform !== platform) {
    throw new BackupError(
      `The backup was made on ${manifest.platform}, and this machine is ${platform}: ` +
        "PostgreSQL's files cannot move between them. " +
        `Restore it on a ${manifest.platform} machine.`,
    )
  }
  if (mode !== null && mode !== own.mode) {
    throw new BackupError(
      `The backup is of a database made for FLORIN_MODE=${mode}, and this is FLORIN_MODE=` +
        `${own.mode}. The two never mix: restore it with FLORIN_MODE=${mode}.`,
    )
  }
}

interface OwnSide {
  major: string
  mode: string
  migrations: readonly string[]
}

// A manifest can be written by anybody, and a path out of the folder would lead root's hand.
const plain_path = /^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/

/** All that PostgreSQL makes has such a path: a backup takes no other, and a restore neither. */
export function isPlainPath(path: string): boolean {
  return plain_path.test(path)
}

export function requirePlainPaths({ directories, files }: Manifest): void {
  const strange = [...directories, ...files.map(({ path }) => path)].find(
    (path) => !isPlainPath(path),
  )
  if (strange === undefined) return
  throw new BackupError(
    `The backup names ${JSON.stringify(strange)}, which no backup of Florin holds. ` +
      'Nothing was restored. Use one that florin backup has made.',
  )
}
