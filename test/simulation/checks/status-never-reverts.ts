// Once a client has seen a final status, no later read on any process shows another one.

import type { History } from '../history.ts'
import { bodyOf, endOf, groupBy } from '../writes.ts'

interface Observation {
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
  return [...groupBy([...observationsOf(history), ...last], ({ id }) => id).values()].flatMap(check)
}

function check(observations: Observation[]): string[] {
  const ended = observations.filter(({ status }) => status !== 'pending')
  if (ended.length === 0) return []
  const first = ended.reduce((one, other) => (other.done_ms < one.done_ms ? other : one))
  const back = observations.find(
    ({ sent_ms, status }) => sent_ms > first.done_ms && status !== first.status,
  )
  return back === undefined ? [] : [`${first.id} was read as ${first.status}, then ${back.status}`]
}

function observationsOf({ attempts, walks }: History): Observation[] {
  const responses = attempts.flatMap((attempt): Observation[] => {
    // A replayed response has the status at the time of the original.
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
  return [...responses, ...listed]
}
