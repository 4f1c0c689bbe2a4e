// florin backup: copies the embedded database, even while Florin runs. With an external PostgreSQL
// it fails and names that server's backup tools.

import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { type BackupResult, backUpCluster } from '../../embedded-postgres/backup/back-up-cluster.ts'
import type { Manifest } from '../../embedded-postgres/backup/manifest.ts'
import { BackupError } from '../../embedded-postgres/errors.ts'
import type { OpenPostgres } from '../../embedded-postgres/open-postgres.ts'
import { findHome } from '../../embedded-postgres/prepare-home.ts'
import type { Db } from '../../postgres/database.ts'
import { findMode } from '../../postgres/instance.ts'
import { appliedMigrations } from '../../postgres/migrate.ts'
import { florin_command, version } from '../../version.ts'
import { readSettings } from '../settings.ts'
import { formatNumber, print, printable, printJson, progressBar, symbols } from '../terminal.ts'
import { withUnmigratedDatabase } from './with-database.ts'

export async function backUp(folder: string, options: { json?: true }): Promise<void> {
  const config = readSettings(options)
  requireEmbedded(config, 'backed up', 'pg_basebackup, or pg_dump')
  const target = resolve(folder)
  const started = performance.now()
  const { manifest, left_out } = await withUnmigratedDatabase(
    config,
    async (db, postgres, signal) =>
      copyAway(target, { db, postgres, signal, config, json: options.json === true }),
  )
  const seconds = (performance.now() - started) / 1_000
  if (options.json) return printJson({ folder: target, ...sizeOf(manifest, seconds), left_out })
  print(
    `${symbols.ok} Backed up to ${target} in ${seconds.toFixed(1)} s: ${describe(manifest)}.\n` +
      describeLeftOut(left_out) +
      `  Restore it with: ${florin_command} restore '${target}'\n`,
  )
}

interface BackupContext {
  db: Db
  postgres: OpenPostgres
  signal: AbortSignal
  config: Config
  json: boolean
}

async function copyAway(target: string, context: BackupContext): Promise<BackupResult> {
  const { db, postgres, json } = context
  const migrations = await appliedMigrations(db.pool)
  const mode = migrations.length > 0 ? ((await findMode(db)) ?? null) : null
  const bar = progressBar('Copying', 'MB')
  const home = await findHome(context.config.data_path)
  return backUpCluster({
    connection: postgres.connection,
    cluster_path: home!.cluster_path,
    target,
    facts: { florin: version, postgresql: postgres.version, mode, migrations },
    signal: context.signal,
    onProgress: (done, of) => json || bar.move(inMegabytes(done), inMegabytes(of)),
  }).finally(() => json || bar.clear())
}

// A network file system may leave hundreds of files; a few names are enough to identify them.
const named_max = 3

function describeLeftOut(paths: readonly string[]): string {
  if (paths.length === 0) return ''
  const names = paths.slice(0, named_max).map((path) => `"${printable(path)}"`)
  const more = paths.length > named_max ? ` and ${paths.length - named_max} more` : ''
  return `  Skipped files that do not belong to PostgreSQL: ${names.join(', ')}${more}.\n`
}

export function requireEmbedded(config: Config, done: string, tools: string): void {
  if (config.database_url === undefined) return
  throw new BackupError(
    `DATABASE_URL is set. An external PostgreSQL is ${done} with its own tools: ${tools}. ` +
      'To back up or restore the embedded database, unset DATABASE_URL.',
  )
}

export function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}

/** The JSON output of backup and restore. */
export function sizeOf(manifest: Manifest, seconds: number): object {
  const { files, directories: _, ...facts } = manifest
  return { ...facts, files: files.length, bytes: bytesOf(manifest), seconds: rounded(seconds) }
}

export function describe(manifest: Manifest): string {
  const { files, florin, taken_at } = manifest
  const size = `${formatNumber(inMegabytes(bytesOf(manifest)))} MB in ${files.length} files`
  return `${size}, taken at ${taken_at} by Florin ${florin}`
}

function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
