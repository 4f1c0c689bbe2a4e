// The tokens of API keys. They stand beside those of sessions, so that one look-up finds both, and
// whatever revokes an account's tokens revokes its keys.

import type { Queryable, Tx } from '../postgres/database.ts'
import { nil_uuid } from '../primitives/difference.ts'
import type { Role } from './caller.ts'
import { deleteTokensOfKeys, insertKeyToken, selectLiveHashes } from './queries.ts'
import { type KeyTokenRow, selectKeyTokens, selectTokensOfKeys } from './verify/queries.ts'

export type { KeyTokenRow } from './verify/queries.ts'

// A key lives until it is revoked. The column has no null, and the sweep looks at it.
const no_end = new Date('9999-12-31T23:59:59.999Z')

export interface NewKeyToken {
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
  await insertKeyToken(tx, { ...holder, token_hash, expires_at: no_end })
}

export async function dropKeyTokens(tx: Tx, key_ids: string[]): Promise<void> {
  await deleteTokensOfKeys(tx, key_ids)
}

/** Which of these tokens and keys still live, as latin1 text of their hashes. */
export async function findLive(db: Queryable, hashes: Buffer[]): Promise<Set<string>> {
  const rows = await selectLiveHashes(db, hashes, new Date())
  return new Set(rows.map((row) => row.token_hash.toString('latin1')))
}

/** The tokens of these keys, in no order. */
export function findKeyTokens(db: Queryable, key_ids: string[]): Promise<KeyTokenRow[]> {
  return selectTokensOfKeys(db, key_ids)
}

/** All tokens of keys, a page at a time, for whoever checks them. */
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
