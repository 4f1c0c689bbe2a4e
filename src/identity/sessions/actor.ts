// How a caller appears in the audit log.

import type { Actor } from '../../audit/record-audit-entry.ts'
import type { Caller } from '../caller.ts'

export function actorOf(caller: Caller): Actor {
  // An API key is its own actor: its creator may not know what it is used for.
  const user_id = caller.kind === 'api_key' ? caller.principal_id : caller.user_id
  return { role: caller.role, user_id, request_id: caller.request_id }
}

/** A client that signs up without a token. */
export function anonymous(request_id: string): Actor {
  return { role: 'anonymous', user_id: undefined, request_id }
}

/** A person with access to a shell on the machine or to its environment. */
export const operator: Actor = { role: 'operator', user_id: undefined, request_id: undefined }

/** A background job. */
export const worker: Actor = { role: 'worker', user_id: undefined, request_id: undefined }
