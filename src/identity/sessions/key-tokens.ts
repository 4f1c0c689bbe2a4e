// The tokens of API keys. They are in the same table as those of sessions, so that one lookup finds
// both, and revoking the tokens of an account revokes its API keys too.

import type { Queryable, Tx } from '../../postgres/database.ts'
import { nil_uuid } from '../../primitives/ids.ts'
import type { Role } from '../caller.ts'
import { deleteTokensOfKeys, insertKeyToken, selectLiveHashes } from './queries.ts'
import { type KeyTokenRow, selectKeyTokens, selectTokensOfKeys } from './verify-queries.ts'

export type { KeyTokenRow } from './verify-queries.ts'

// API keys do not expire. The column is not nullable, and the sweep compares with it.
const never_expires = new Date('9999-12-31T23:59:59.999Z')

interface NewKeyToken {
  id: string
  user_id: string
  account_id: string | null
  role: Role
  scopes: string[]
  token_hash: Buffer
}

export async function addKeyToken(tx: Tx, { id, ...key }: NewKeyToken): Promise<void> {
  const { user_id, account_id, role, scopes, token_hash } = key
  const holder = { principal_id: id, user_id, account_id, role, scopes }
  await insertKeyToken(tx, { ...holder, token_hash, expires_at: never_expires })
}

export async function dropKeyTokens(tx: Tx, key_ids: string[]): Promise<void> {
  await deleteTokensOfKeys(tx, key_ids)
}

/** The hashes of those tokens and API keys that are still valid, as latin1 text. */
export async function findLive(db: Queryable, hashes: Buffer[]): Promise<Set<string>> {
  const rows = await selectLiveHashes(db, hashes, new Date())
  return new Set(rows.map((row) => row.token_hash.toString('latin1')))
}

/** The tokens of these API keys, in no particular order. */
export function findKeyTokens(db: Queryable, key_ids: string[]): Promise<KeyTokenRow[]> {
  return selectTokensOfKeys(db, key_ids)
}

/** All tokens of API keys in pages, for verification. */
export async function* listKeyTokens(
  db: Queryable,
  limit: number,
): AsyncGenerator<KeyTokenRow[], void> {
  for (let after = nil_uuid; ; ) {
    const tokens = await selectKeyTokens(db, after, limit)
    if (tokens.length > 0) yield tokens
    if (tokens.length < limit) return
    after = tokens.at(-1)!.principal_id
  }
}
