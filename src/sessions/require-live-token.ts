// A write that was queued before its token was revoked is refused too. Every change asks again,
// inside its own database transaction, after the account's lock.

import type { Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Caller } from './caller.ts'
import { shareToken } from './queries.ts'

export async function requireLiveToken(tx: Tx, caller: Caller): Promise<void> {
  if (await shareToken(tx, caller.token_hash, new Date())) return
  throw deadToken()
}

export function deadToken(): Refusal {
  return new Refusal(
    'unauthorized',
    'The access token is missing, expired, revoked or malformed. Log in again.',
  )
}
