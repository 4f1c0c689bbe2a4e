// Every change checks its token again in its database transaction, after taking the account lock.
// So a write that was queued before its token was revoked is rejected too.

import type { Tx } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { lockLiveKeysForShare, lockLiveSessionsForShare } from './queries.ts'

export async function requireLiveToken(tx: Tx, caller: Caller): Promise<void> {
  const lockForShare = caller.kind === 'api_key' ? lockLiveKeysForShare : lockLiveSessionsForShare
  const live = await lockForShare(tx, [caller.token_hash], new Date())
  if (live.length > 0) return
  throw invalidToken(caller.kind)
}

/** The message depends on the kind: the holder of an API key cannot log in again. */
export function invalidToken(kind: Caller['kind'] = 'session'): Refusal {
  return new Refusal('unauthorized', kind === 'api_key' ? invalid_key : invalid_session)
}

const invalid_session = 'The access token is missing, expired, revoked or malformed. Log in again.'

const invalid_key =
  'The API key is unknown, malformed or revoked. Use a key that was created on this server: a ' +
  'live key does not work in sandbox mode, and a sandbox key does not work in live mode.'
