// How a caller appears in the audit log.

import type { Actor } from '../audit/record-audit-entry.ts'
import type { Caller } from './caller.ts'

export function actorOf(caller: Caller): Actor {
  // A key acts in its own name: its creator may not even know what it does.
  const user_id = caller.kind === 'api_key' ? caller.principal_id : caller.user_id
  return { role: caller.role, user_id, request_id: caller.request_id }
}

/** Someone who signs up without a token. */
export function anonymous(request_id: string): Actor {
  return { role: 'anonymous', user_id: undefined, request_id }
}

/** Someone with a shell on the machine, or its environment. */
export const operator: Actor = { role: 'operator', user_id: undefined, request_id: undefined }
