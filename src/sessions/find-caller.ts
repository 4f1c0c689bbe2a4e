// Authentication: from a bearer token to the caller. All tokens of a moment are looked up by one
// statement, and nothing is cached, so a revoked token is dead for the very next request.

import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import { sha256 } from '../primitives/secrets.ts'
import type { Caller } from './caller.ts'
import { findTokens, type TokenRow } from './queries.ts'

export type FoundCaller = Omit<Caller, 'request_id' | 'header_account_id'>

export type FindCaller = (token: string) => Promise<FoundCaller | undefined>

// 4 096 waiting look-ups are four seconds of a busy server: more would only be answered too late.
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
    // A key without scopes may do nothing; a session has none to look at.
    scopes: is_key ? (row.scopes ?? []) : undefined,
  }
}

const tokenShape = /^(fat|sk_sandbox|sk_live)_[A-Za-z0-9_-]{43}$/

/** An access token or an API key. What cannot be one is not worth a question to the database. */
export function isCredential(text: string): boolean {
  return tokenShape.test(text)
}

/** Told by the text alone, whether it is good or not. */
export function kindOf(text: string | undefined): Caller['kind'] {
  return text !== undefined && /^sk_(sandbox|live)_/.test(text) ? 'api_key' : 'session'
}

async function findInOrder(db: Db, hashes: Buffer[]): Promise<(TokenRow | undefined)[]> {
  const rows = await findTokens(db, hashes)
  const by_hash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]))
  return hashes.map((hash) => by_hash.get(hash.toString('latin1')))
}
