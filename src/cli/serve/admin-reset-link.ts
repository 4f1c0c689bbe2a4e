// florin admin reset-link: prints a link that sets a new password, for installations without a mail
// server and for users who lost access to their inbox.

import { createResetLink } from '../../identity/one-time-links/request-reset.ts'
import { readSettings } from '../settings.ts'
import { print, printJson, symbols } from '../terminal.ts'
import { withExistingDatabase } from './with-database.ts'

export interface ResetLinkCommand {
  json?: true
  email: string
}

export async function createResetLinkCommand(options: ResetLinkCommand): Promise<void> {
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
