// The settings of a command, and a word about names that mean nothing: a slip in FLORIN_DATA would
// otherwise make an admin in the wrong database.

import { type Config, readConfig, unknownSettings } from '../config.ts'
import type { PasswordPolicy } from '../users/password-policy.ts'
import { warnUser } from './terminal.ts'

export function readSettings(options: { json?: true }): Config {
  for (const sentence of unknownSettings()) warnUser('unknown_setting', sentence, options)
  return readConfig()
}

export function passwordPolicy(config: Config): PasswordPolicy {
  return { length_min: config.password_min, refuse_common: config.mode === 'live' }
}
