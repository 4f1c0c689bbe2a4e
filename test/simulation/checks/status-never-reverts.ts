// Once somebody has seen how a thing ended, nobody who asks later sees anything else, whichever
// process answers.

import type { History } from '../history.ts'
import { bodyOf, endOf, groupBy } from '../writes.ts'

interface Sight {
  id: string
  status: string
  sent_ms: number
  done_ms: number
}

export function statusNeverReverts(history: History): string[] {
  const { transactions, payments } = history.final
  const last = [...transactions, ...payments].map(({ id, status }) => {
    return { id, status, sent_ms: Infinity, done_ms: Infinity }
  })
  return [...groupBy([...sightsOf(history), ...last], ({ id }) => id).values()].flatMap(check)
}

function check(sights: Sight[]): string[] {
  const ended = sights.filter(({ status }) => status !== 'pending')
  if (ended.length === 0) return []
  const first = ended.reduce((one, other) => (other.done_ms < one.done_ms ? other : one))
  const back = sights.find(
    ({ sent_ms, status }) => sent_ms > first.done_ms && status !== first.status,
  )
  return back === undefined ? [] : [`${first.id} was seen ${first.status}, and then ${back.status}`]
}

function sightsOf({ attempts, walks }: History): Sight[] {
  const answered = attempts.flatMap((attempt): Sight[] => {
    // A replay is the answer of then, not of now.
    if (attempt.result !== 'ok' || attempt.replayed || attempt.operation === 'revoke') return []
    const { target, sent_ms, done_ms } = attempt
    const body = bodyOf(attempt)
    const status = endOf(attempt) ?? body?.status
    const id = target ?? body?.id
    return typeof status === 'string' && typeof id === 'string'
      ? [{ id, status, sent_ms, done_ms }]
      : []
  })
  const listed = walks.flatMap(({ begun_ms, done_ms, pages }) =>
    pages.flat().map(({ id, status }) => ({ id, status, sent_ms: begun_ms, done_ms })),
  )
  return [...answered, ...listed]
}
