// florin admin reset-link and reset-factors: a person with a shell on the machine lets a user back
// in who has lost the password or the second factors.

import { resetFactors } from '../../identity/factors/reset-factors.ts'
import { createResetLink } from '../../identity/one-time-links/request-reset.ts'
import { readSettings } from '../settings.ts'
import { print, printJson, symbols } from '../terminal.ts'
import { withExistingDatabase } from './with-database.ts'

export interface ResetCommand {
  json?: true
  email: string
}

/** For installations without a mail server, and for users who lost access to their inbox. */
export async function createResetLinkCommand(options: ResetCommand): Promise<void> {
  const config = readSettings(options)
  const link = await withExistingDatabase(config, (db) =>
    createResetLink(db, options.email, config.public_url),
  )
  if (options.json) return printJson(link)
  print(
    `${symbols.ok} ${options.email} can set a new password with this link, once, within an hour:\n`,
  )
  print(`  ${link.url}\n`)
}

export async function resetFactorsCommand(options: ResetCommand): Promise<void> {
  const config = readSettings(options)
  const reset = await withExistingDatabase(config, (db) => resetFactors(db, options.email))
  if (options.json) return printJson(reset)
  const count = reset.factors === 1 ? '1 factor' : `${reset.factors} factors`
  print(`${symbols.ok} Removed ${count} and all recovery codes of ${reset.email} (${reset.id}).\n`)
  print('  All sessions of this user have ended. A password logs in again.\n')
}
