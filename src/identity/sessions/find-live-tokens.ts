// Checks which tokens of a batch are still valid, under the account locks. Every revocation of an
// account's token takes the account lock, so a token cannot be revoked between this check and
// COMMIT. Tokens of admins and platforms have no account lock: the row that a revocation deletes
// (the session, or the token of the API key) is locked instead.

import type { Tx } from '../../postgres/database.ts'
import type { Caller } from '../caller.ts'
import { lockLiveKeysForShare, lockLiveSessionsForShare, selectLiveHashes } from './queries.ts'

export interface TokenToCheck {
  kind: Caller['kind']
  token_hash: Buffer
  /** The account that a revocation of this token locks; null for admins and platforms. */
  account_id: string | null
}

/** The hashes of valid tokens, as latin1 text. */
export async function findLiveTokens(tx: Tx, tokens: TokenToCheck[]): Promise<Set<string>> {
  const at = new Date()
  const of_accounts = distinct(tokens.filter((token) => token.account_id !== null))
  const others = tokens.filter((token) => token.account_id === null)
  const keys = distinct(others.filter(({ kind }) => kind === 'api_key'))
  const sessions = distinct(others.filter(({ kind }) => kind === 'session'))
  const found = await Promise.all([
    of_accounts.length === 0 ? [] : selectLiveHashes(tx, of_accounts, at),
    sessions.length === 0 ? [] : lockLiveSessionsForShare(tx, sessions, at),
    keys.length === 0 ? [] : lockLiveKeysForShare(tx, keys, at),
  ])
  return new Set(found.flat().map((row) => row.token_hash.toString('latin1')))
}

function distinct(tokens: TokenToCheck[]): Buffer[] {
  return [
    ...new Map(
      tokens.map(({ token_hash }) => [token_hash.toString('latin1'), token_hash]),
    ).values(),
  ]
}
