// The manifest of a backup: its metadata, and a checksum of each file. It is written last, so a
// folder without it is not a complete backup.

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError, codeOf } from '../errors.ts'

export interface BackupFile {
  /** Relative to the cluster folder, separated by `/`. */
  path: string
  bytes: number
  sha256: string
}

export interface Manifest {
  format: 1
  /** The version of Florin that wrote it. */
  florin: string
  /** The full version, such as 18.4. */
  postgresql: string
  /** PostgreSQL's files are not portable between platforms. */
  platform: string
  /** Null for a database whose first start was not completed. */
  mode: 'sandbox' | 'live' | null
  migrations: string[]
  started_at: string
  /** The backup contains every change that was acknowledged before this time. */
  taken_at: string
  /** The WAL position where replay starts, and the one where the copy is consistent. */
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

/** Rejects a folder that is not a backup, or whose manifest was changed. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(folder)
  const [, sha256, backup] = /^\{"sha256":"([0-9a-f]{64})","backup":(.*)\}\n$/s.exec(text) ?? []
  if (backup === undefined || hash('sha256', backup) !== sha256) {
    throw new BackupError(
      `${join(folder, manifestName)} is damaged: its checksum does not match. ` +
        'Use another backup, or copy this one again from where it is stored.',
    )
  }
  const manifest = JSON.parse(backup) as Manifest
  if (manifest.format === 1) return manifest
  throw new BackupError(
    `${folder} was written by Florin ${manifest.florin} in a format that this version does not ` +
      'support. Restore it with that version.',
  )
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, manifestName), 'utf8')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EACCES' || code === 'EPERM') {
      throw new BackupError(
        `Permission denied: cannot read ${folder}. Run the command as its owner.`,
        error,
      )
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw new BackupError(
      `${folder} is not a complete backup: it does not contain ${manifestName}. ` +
        'Use a folder created by `florin backup`.',
      error,
    )
  }
}

/** Throws if this machine or version cannot use the backup; the message names one that can. */
export function requireCompatible(manifest: Manifest, own: RestoreTarget): void {
  const { florin, mode, postgresql } = manifest
  const unknown = manifest.migrations.find((name) => !own.migrations.includes(name))
  if (unknown !== undefined) {
    throw new BackupError(
      `The backup was created by a newer version of Florin (${florin}): it has the migration ` +
        `${unknown}, which this version does not have. Restore it with the newer version.`,
    )
  }
  if (postgresql.split('.')[0] !== own.major) {
    throw new BackupError(
      `The backup contains data of PostgreSQL ${postgresql}, but this version of Florin includes ` +
        `PostgreSQL ${own.major}. Restore it with Florin ${florin}.`,
    )
  }
  if (manifest.platform !== platform) {
    throw new BackupError(
      `The backup was created on ${manifest.platform}, but this machine is ${platform}. ` +
        'PostgreSQL files are not portable between platforms. ' +
        `Restore it on a ${manifest.platform} machine.`,
    )
  }
  if (mode !== null && mode !== own.mode) {
    throw new BackupError(
      `The backup is of a database with FLORIN_MODE=${mode}, but FLORIN_MODE is ${own.mode}. ` +
        `Restore it with FLORIN_MODE=${mode}.`,
    )
  }
}

interface RestoreTarget {
  major: string
  mode: string
  migrations: readonly string[]
}

// A manifest may be forged, and restore may run as root: a path must not leave the folder.
const plain_path = /^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/

/** All files of PostgreSQL have such paths. Backup and restore accept no others. */
export function isPlainPath(path: string): boolean {
  return plain_path.test(path)
}

export function requirePlainPaths({ directories, files }: Manifest): void {
  const invalid = [...directories, ...files.map(({ path }) => path)].find(
    (path) => !isPlainPath(path),
  )
  if (invalid === undefined) return
  throw new BackupError(
    `The backup lists the invalid path ${JSON.stringify(invalid)}. Nothing was restored. ` +
      'Use a folder created by `florin backup`.',
  )
}
