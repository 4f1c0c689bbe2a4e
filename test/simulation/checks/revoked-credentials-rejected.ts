// A revoked session or key is dead at once, in every process: nothing that begins after the answer
// to its revocation is served to it.

import type { History } from '../history.ts'
import { writesOf } from '../writes.ts'

export function revokedCredentialsRejected(history: History): string[] {
  const dead_since = new Map<string, number>()
  for (const { operation, input, acknowledged } of writesOf(history)) {
    if (operation === 'revoke' && acknowledged) {
      dead_since.set(input.revoked!, acknowledged.done_ms)
    }
  }
  return history.attempts.flatMap(({ credential, sent_ms, status, operation, result, target }) => {
    const since = dead_since.get(credential)
    if (since === undefined || sent_ms <= since || result === 'info' || status === 401) return []
    const late = Math.round(sent_ms - since)
    return [
      `${operation} ${target ?? ''} with ${credential} got ${status}, ${late} ms after its end`,
    ]
  })
}
