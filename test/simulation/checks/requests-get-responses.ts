// Every request is answered: in ten seconds, never with a 5xx other than 503, which says when to
// come back. What a stopped process could not answer while it was stopped is not counted. A server
// that is asked to stop ends by itself in ten seconds, and says that all was well. What was killed
// comes back.

import type { Attempt, Fault, History } from '../history.ts'

const answered_in_ms = 10_000
const stopped_in_ms = 10_000

export function requestsGetResponses({ attempts, faults }: History): string[] {
  const stops = faults.filter(({ name }) => name.startsWith('pause'))
  return [
    ...attempts.flatMap((attempt) => check(attempt, stops)),
    ...faults.flatMap(({ name, exit, broken }) => {
      if (broken !== undefined) return [`${name}: ${broken}`]
      if (exit === undefined) return []
      const how = exit.signal ?? exit.code
      if (how !== 0) return [`${name}: the server ended with ${how}`]
      return exit.took_ms > stopped_in_ms ? [`${name}: it took ${Math.round(exit.took_ms)} ms`] : []
    }),
  ]
}

function check(attempt: Attempt, stops: Fault[]): string[] {
  const { operation, tag, status, retry_after, sent_ms, done_ms } = attempt
  const what = `${operation} ${tag ?? attempt.target ?? ''} at ${Math.round(sent_ms)} ms`
  if (status !== null && status >= 500 && status !== 503) {
    return [`${what} was answered ${status}: ${attempt.text.slice(0, 200)}`]
  }
  if (status === 503 && retry_after === null) return [`${what} got 503 without Retry-After`]
  const stopped = stops.reduce((sum, stop) => sum + overlap(attempt, stop), 0)
  const took = done_ms - sent_ms - stopped
  return took > answered_in_ms ? [`${what} took ${Math.round(took)} ms`] : []
}

function overlap({ sent_ms, done_ms }: Attempt, { begun_ms, healed_ms }: Fault): number {
  return Math.max(0, Math.min(done_ms, healed_ms) - Math.max(sent_ms, begun_ms))
}
