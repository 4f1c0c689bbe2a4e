// Checks of florin doctor on second factors: the key of authenticator apps, and admins without one.

import type { Config } from '../../config.ts'
import { listAdminsWithoutFactor } from '../../identity/factors/admin-grace.ts'
import { countSecretsByKey } from '../../identity/factors/reseal-secrets.ts'
import { SecretKeys } from '../../identity/factors/secret-keys.ts'
import type { Db } from '../../postgres/database.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export async function checkFactors(db: Db, config: Config): Promise<Finding[]> {
  const key = await checkSecretKey(db, config)
  return config.mode === 'live' ? [key, await checkAdmins(db)] : [key]
}

async function checkSecretKey(db: Db, config: Config): Promise<Finding> {
  const keys = new SecretKeys(config.secret_keys)
  const counts = await countSecretsByKey(db)
  const uses_file = config.database_url === undefined && keys.newest_id === undefined
  if (uses_file) return ok('Secret key', 'in the data folder')
  const sum = (found: { n: number }[]) => found.reduce((total, { n }) => total + n, 0)
  const lost = sum(counts.filter(({ key_id }) => !keys.has(key_id)))
  if (lost > 0) {
    const advice = 'Add the old key to FLORIN_SECRET_KEY, after the new one and a comma.'
    return fail(
      'Secret key',
      `${lost} authenticator apps are encrypted with another key. ${advice}`,
    )
  }
  if (keys.newest_id === undefined) {
    const advice = 'Set FLORIN_SECRET_KEY to the output of "openssl rand -base64 32".'
    return warn('Secret key', `Users cannot add authenticator apps. ${advice}`)
  }
  const older = sum(counts.filter(({ key_id }) => key_id !== keys.newest_id))
  if (older === 0) return ok('Secret key', 'encrypts the secrets of authenticator apps')
  return ok('Secret key', `${older} secrets have an older key; the worker encrypts them again`)
}

async function checkAdmins(db: Db): Promise<Finding> {
  const missing = await listAdminsWithoutFactor(db)
  if (missing.length === 0) return ok('Two-factor', 'every admin has a second factor')
  const named = missing.map(({ email, due_at }) => `${email} until ${due_at.toISOString()}`)
  const advice = 'After that they can only add a factor, in the dashboard under Settings, Security.'
  return warn('Two-factor', `Admins without a second factor: ${named.join(', ')}. ${advice}`)
}
