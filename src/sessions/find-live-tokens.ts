// Which of a batch's tokens still live, asked under the accounts' locks. Whoever revokes a token of
// an account holds that account's lock, so between this look and COMMIT nothing slips by. Tokens of
// those who run the service have no such lock behind them: the row that a revocation deletes (the
// session's, or the key's token) is locked instead.

import type { Tx } from '../postgres/database.ts'
import type { Caller } from './caller.ts'
import { lockLiveKeysForShare, lockLiveSessionsForShare, selectLiveHashes } from './queries.ts'

export interface TokenToCheck {
  kind: Caller['kind']
  token_hash: Buffer
  /** The account whose lock its revoker takes; null when there is none. */
  account_id: string | null
}

/** The hashes of those that live, as latin1 text. */
export async function findLiveTokens(tx: Tx, tokens: TokenToCheck[]): Promise<Set<string>> {
  const at = new Date()
  const guarded = distinct(tokens.filter((token) => token.account_id !== null))
  const bare = tokens.filter((token) => token.account_id === null)
  const keys = distinct(bare.filter(({ kind }) => kind === 'api_key'))
  const sessions = distinct(bare.filter(({ kind }) => kind === 'session'))
  const found = await Promise.all([
    guarded.length === 0 ? [] : selectLiveHashes(tx, guarded, at),
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
