// florin admin reset-factors: removes all second factors of a user who has lost them.

import { resetFactors } from '../../identity/factors/reset-factors.ts'
import { readSettings } from '../settings.ts'
import { print, printJson, symbols } from '../terminal.ts'
import { withExistingDatabase } from './with-database.ts'

export interface ResetFactorsCommand {
  json?: true
  email: string
}

export async function resetFactorsCommand(options: ResetFactorsCommand): Promise<void> {
  const config = readSettings(options)
  const reset = await withExistingDatabase(config, (db) => resetFactors(db, options.email))
  if (options.json) return printJson(reset)
  const count = reset.factors === 1 ? '1 factor' : `${reset.factors} factors`
  print(`${symbols.ok} Removed ${count} and all recovery codes of ${reset.email} (${reset.id}).\n`)
  print('  All sessions of this user have ended. A password logs in again.\n')
}
