// Authentication: finds the caller of a bearer token. One statement looks up all tokens of
// concurrent requests. Nothing is cached, so a revoked token is invalid for the next request.

import { coalesce } from '../../postgres/coalesce.ts'
import type { Db } from '../../postgres/database.ts'
import { tooBusy } from '../../primitives/refusal.ts'
import { sha256 } from '../../primitives/secrets.ts'
import type { Caller } from '../caller.ts'
import { findTokens, type TokenRow } from './queries.ts'

export type FoundCaller = Omit<Caller, 'request_id' | 'header_account_id'>

export type FindCaller = (token: string) => Promise<FoundCaller | undefined>

// 4,096 waiting lookups take a busy server four seconds. With more, callers would time out.
const limits = { batch_max: 256, queue_max: 4_096 }

export function callerFinder(db: Db): FindCaller {
  const find = coalesce((hashes: Buffer[]) => findInOrder(db, hashes), limits, tooBusy)
  return (token) => {
    if (!isCredential(token)) return Promise.resolve(undefined)
    return find(sha256(token)).then(callerOf)
  }
}

function callerOf(row: TokenRow | undefined): FoundCaller | undefined {
  if (row === undefined || row.kind === 'refresh' || row.expires_at.getTime() <= Date.now()) {
    return undefined
  }
  const is_key = row.kind === 'api_key'
  return {
    kind: is_key ? 'api_key' : 'session',
    role: row.role,
    user_id: row.user_id,
    account_id: row.account_id,
    principal_id: row.principal_id,
    token_hash: row.token_hash,
    // An API key without scopes has no permissions; sessions do not use scopes.
    scopes: is_key ? (row.scopes ?? []) : undefined,
  }
}

const tokenShape = /^(fat|sk_sandbox|sk_live)_[A-Za-z0-9_-]{43}$/

/** Whether the text has the form of an access token or API key. Others need no lookup. */
export function isCredential(text: string): boolean {
  return tokenShape.test(text)
}

/** The kind according to the prefix, for valid and invalid credentials. */
export function kindOf(text: string | undefined): Caller['kind'] {
  return text !== undefined && /^sk_(sandbox|live)_/.test(text) ? 'api_key' : 'session'
}

async function findInOrder(db: Db, hashes: Buffer[]): Promise<(TokenRow | undefined)[]> {
  const rows = await findTokens(db, hashes)
  const by_hash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]))
  return hashes.map((hash) => by_hash.get(hash.toString('latin1')))
}
