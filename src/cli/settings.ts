// Reads the settings of a command and warns about unknown names: with a typo in FLORIN_DATA a
// command would otherwise change the wrong database.

import { type Config, readConfig, unknownSettings } from '../config.ts'
import type { PasswordPolicy } from '../identity/users/password-policy.ts'
import { warnUser } from './terminal.ts'

export function readSettings(options: { json?: true }): Config {
  for (const sentence of unknownSettings()) warnUser('unknown_setting', sentence, options)
  return readConfig()
}

export function passwordPolicy(config: Config): PasswordPolicy {
  return { length_min: config.password_min, reject_common: config.mode === 'live' }
}
