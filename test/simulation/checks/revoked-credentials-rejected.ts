// A revoked session or key is rejected at once, in every process: no request that starts after the
// response to the revocation succeeds with it.

import type { History } from '../history.ts'
import { writesOf } from '../writes.ts'

export function revokedCredentialsRejected(history: History): string[] {
  const revoked_at = new Map<string, number>()
  for (const { operation, input, acknowledged } of writesOf(history)) {
    if (operation === 'revoke' && acknowledged) {
      revoked_at.set(input.revoked!, acknowledged.done_ms)
    }
  }
  return history.attempts.flatMap(({ credential, sent_ms, status, operation, result, target }) => {
    const revoked_ms = revoked_at.get(credential)
    if (revoked_ms === undefined || sent_ms <= revoked_ms || result === 'info' || status === 401)
      return []
    const late = Math.round(sent_ms - revoked_ms)
    return [
      `${operation} ${target ?? ''} with ${credential} got ${status}, ${late} ms after revocation`,
    ]
  })
}
