// Which of a batch's tokens still live, asked under the accounts' locks: whoever revokes a token of
// an account holds that account's lock, so between this look and COMMIT nothing slips by.

import type { Tx } from '../postgres/database.ts'
import { selectLiveHashes } from './queries.ts'

/** The hashes of those that live, as latin1 text. */
export async function findLiveTokens(tx: Tx, hashes: Buffer[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await selectLiveHashes(tx, hashes, new Date())
  return new Set(rows.map((row) => row.token_hash.toString('latin1')))
}
