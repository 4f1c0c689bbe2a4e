// florin migrate: brings the database to this version's schema, for those who do it before they
// start the new version.

import { knownMigrations } from '../postgres/migrate.ts'
import { readSettings } from './settings.ts'
import { print, printJson, symbols } from './terminal.ts'
import { withMigratedDatabase } from './with-database.ts'

export async function migrateDatabase(options: { json?: true }): Promise<void> {
  const config = readSettings(options)
  const migrated = await withMigratedDatabase(config, async (_db, done) => done)
  const { applied, mode } = migrated
  const known = knownMigrations().length
  if (options.json) return printJson({ applied, known, mode })
  for (const name of applied) print(`${symbols.ok} ${name}\n`)
  print(
    applied.length > 0
      ? `Applied ${applied.length} of ${known} migrations. The schema is up to date.\n`
      : `The schema is up to date: ${known} migrations, none of them new.\n`,
  )
  // For good, so whoever forgot FLORIN_MODE must hear of it before there is anything to lose. The
  // embedded database can only be a sandbox.
  if (migrated.marked && config.database_url !== undefined) {
    print(`This database is for FLORIN_MODE=${mode} from now on, and for no other.\n`)
  }
}
