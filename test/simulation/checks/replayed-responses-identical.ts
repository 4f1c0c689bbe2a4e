// An Idempotency-Key has one response: all successful responses to it are byte-identical.

import type { History } from '../history.ts'
import { writesOf } from '../writes.ts'

export function replayedResponsesIdentical(history: History): string[] {
  return writesOf(history).flatMap(({ tag, keyed, attempts }) => {
    if (!keyed) return []
    const responses = attempts.filter(({ result }) => result === 'ok')
    const different = new Set(responses.map(({ status, text }) => `${status} ${text}`))
    return different.size <= 1
      ? []
      : [`${tag} got ${different.size} different responses: ${[...different].join(' / ')}`]
  })
}
