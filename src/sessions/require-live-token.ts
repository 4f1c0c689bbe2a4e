// A write that was queued before its token was revoked is refused too. Every change asks again,
// inside its own database transaction, after the account's lock.

import type { Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Caller } from './caller.ts'
import { lockLiveKeysForShare, lockLiveSessionsForShare } from './queries.ts'

export async function requireLiveToken(tx: Tx, caller: Caller): Promise<void> {
  const share = caller.kind === 'api_key' ? lockLiveKeysForShare : lockLiveSessionsForShare
  const live = await share(tx, [caller.token_hash], new Date())
  if (live.length > 0) return
  throw invalidToken(caller.kind)
}

/** What came as a key is told as one: whoever has a key cannot log in again. */
export function invalidToken(kind: Caller['kind'] = 'session'): Refusal {
  return new Refusal('unauthorized', kind === 'api_key' ? dead_key : dead_session)
}

const dead_session = 'The access token is missing, expired, revoked or malformed. Log in again.'

const dead_key =
  'The API key is unknown, malformed or revoked. Use another one that was made here: a live key ' +
  'does not fit a sandbox, nor a sandbox key a live server.'
