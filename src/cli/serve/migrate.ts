// florin migrate: migrates the database to this version's schema, for deployments that do so before
// they start the new version.

import { knownMigrations } from '../../postgres/migrate.ts'
import { readSettings } from '../settings.ts'
import { print, printJson, symbols } from '../terminal.ts'
import { withMigratedDatabase } from './with-database.ts'

export async function migrateDatabase(options: { json?: true; finish?: true }): Promise<void> {
  const config = readSettings(options)
  const { finish = false } = options
  const migrated = await withMigratedDatabase(config, async (_db, done) => done, { finish })
  const { applied, waiting, mode } = migrated
  const known = knownMigrations().length
  if (options.json) return printJson({ applied, waiting, known, mode })
  for (const name of applied) print(`${symbols.ok} ${name}\n`)
  print(
    applied.length > 0
      ? `Applied ${applied.length} of ${known} migrations. The schema is up to date.\n`
      : `The schema is up to date: ${known - waiting.length} migrations, none pending.\n`,
  )
  if (waiting.length > 0) {
    print(
      'When every process of the previous version has stopped, finish the upgrade with ' +
        '`florin migrate --finish`.\n',
    )
  }
  // The mode is permanent, so a forgotten FLORIN_MODE must be noticed while the database is empty.
  // The embedded database is always a sandbox.
  if (migrated.marked && config.database_url !== undefined) {
    print(`The mode of this database is now permanently FLORIN_MODE=${mode}.\n`)
  }
}
