// florin restore: restores a backup into a data directory without a database.

import { resolve } from 'node:path'
import { readManifest, requireCompatible } from '../../embedded-postgres/backup/manifest.ts'
import { restoreCluster } from '../../embedded-postgres/backup/restore-cluster.ts'
import { major } from '../../embedded-postgres/inspect-cluster.ts'
import { knownMigrations } from '../../postgres/migrate.ts'
import { florin_command } from '../../version.ts'
import { Interrupted } from '../failures.ts'
import { readSettings } from '../settings.ts'
import { listenForStop } from '../stop-signals.ts'
import { print, printJson, progressBar, symbols } from '../terminal.ts'
import { describe, inMegabytes, requireEmbedded, sizeOf } from './backup.ts'

export async function restore(from: string, options: { json?: true }): Promise<void> {
  const config = readSettings(options)
  requireEmbedded(config, 'restored', 'pg_restore, or the tools of its provider')
  const folder = resolve(from)
  const manifest = await readManifest(folder)
  requireCompatible(manifest, { major, mode: config.mode, migrations: knownMigrations() })
  const { data_path } = config
  const started = performance.now()
  const stop = listenForStop()
  const { signal } = stop
  const bar = progressBar('Restoring', 'MB')
  const onProgress = (done: number, of: number) =>
    options.json || bar.move(inMegabytes(done), inMegabytes(of))
  try {
    await restoreCluster({ folder, manifest, data_path, signal, onProgress })
  } catch (error) {
    if (signal.aborted) throw new Interrupted('Interrupted. Nothing was restored.')
    throw error
  } finally {
    if (!options.json) bar.clear()
    stop.release()
  }
  const seconds = (performance.now() - started) / 1_000
  if (options.json) return printJson({ folder, data: data_path, ...sizeOf(manifest, seconds) })
  print(
    `${symbols.ok} Restored to ${data_path} in ${seconds.toFixed(1)} s: ` +
      `${describe(manifest)}.\n` +
      `  Verify it with: ${florin_command} verify\n`,
  )
}
