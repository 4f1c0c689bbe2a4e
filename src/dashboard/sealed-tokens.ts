// The stored tokens of a dashboard session: encrypted with a key that is derived from the cookie.
// The database has only a hash of the cookie.

import { hkdfSync } from 'node:crypto'
import { type IssuedTokens, refresh_lifetime_s } from '../identity/sessions/open-session.ts'
import { seal, sha256, unseal } from '../primitives/secrets.ts'
import type { DashboardSessionRow } from './queries.ts'

export interface StoredTokens {
  access_token: string
  refresh_token: string
  /** Milliseconds since 1970. */
  access_expires_at: number
}

export function sealTokens(cookie: string, issued: IssuedTokens, at: Date): DashboardSessionRow {
  const tokens: StoredTokens = {
    access_token: issued.access_token,
    refresh_token: issued.refresh_token,
    access_expires_at: at.getTime() + issued.expires_in * 1_000,
  }
  const cookie_hash = sha256(cookie)
  return {
    cookie_hash,
    sealed_tokens: seal(sealingKey(cookie, cookie_hash), cookie_hash, JSON.stringify(tokens)),
    expires_at: new Date(at.getTime() + refresh_lifetime_s * 1_000),
  }
}

export function unsealTokens(cookie: string, row: DashboardSessionRow): StoredTokens {
  const key = sealingKey(cookie, row.cookie_hash)
  return JSON.parse(unseal(key, row.cookie_hash, row.sealed_tokens).toString('utf8'))
}

function sealingKey(cookie: string, cookie_hash: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', cookie, cookie_hash, 'florin dashboard session 1', 32))
}
