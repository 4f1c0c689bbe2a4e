// florin migrate: brings the database to this version's schema, for those who do it before they
// start the new version.

import { knownMigrations } from '../postgres/migrate.ts'
import { readSettings } from './settings.ts'
import { print, printJson, symbols } from './terminal.ts'
import { withMigratedDatabase } from './with-database.ts'

export async function migrateDatabase(options: { json?: true }): Promise<void> {
  const config = readSettings(options)
  const applied = await withMigratedDatabase(config, async (_db, migrated) => migrated)
  const known = knownMigrations().length
  if (options.json) return printJson({ applied, known })
  for (const name of applied) print(`${symbols.ok} ${name}\n`)
  print(
    applied.length > 0
      ? `Applied ${applied.length} of ${known} migrations. The schema is up to date.\n`
      : `The schema is up to date: ${known} migrations, none of them new.\n`,
  )
}
