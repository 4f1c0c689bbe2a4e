// After a new key was put in front of FLORIN_SECRET_KEY, a worker encrypts all secrets with it.
// Then the old key can be removed.

import type { Queryable } from '../../postgres/database.ts'
import { inSlices, type Sweep } from '../../postgres/sweep.ts'
import { lockTotpOfOtherKeys, selectSecretCounts, updateTotp } from './queries.ts'
import type { SecretKeys } from './secret-keys.ts'

const slice_max = 100

/** Skips secrets of a lost key: `florin doctor` reports them. */
export function resealer(keys: SecretKeys): Sweep {
  const newest_id = keys.newest_id
  if (newest_id === undefined) return async () => 0
  const older = keys.older_ids
  return (db, signal) =>
    inSlices(slice_max, signal, (limit) =>
      db.transaction(async (tx) => {
        const rows = await lockTotpOfOtherKeys(tx, older, limit)
        for (const row of rows) {
          await updateTotp(tx, { ...row, ...keys.seal(row, keys.unseal(row, row)!) })
        }
        return rows.length
      }),
    )
}

/** How many secrets each key encrypts. */
export function countSecretsByKey(db: Queryable): Promise<{ key_id: string; n: number }[]> {
  return selectSecretCounts(db)
}
