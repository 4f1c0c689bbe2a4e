// Every request gets a response within ten seconds; the only 5xx is a 503 with Retry-After.
// Time in which a process was paused does not count. A server that receives SIGTERM exits with 0
// within ten seconds, and a killed one recovers.

import type { Attempt, Fault, History } from '../history.ts'

const max_response_ms = 10_000
const max_stop_ms = 10_000

export function requestsGetResponses({ attempts, faults }: History): string[] {
  const pauses = faults.filter(({ name }) => name.startsWith('pause'))
  return [
    ...attempts.flatMap((attempt) => check(attempt, pauses)),
    ...faults.flatMap(({ name, exit, broken }) => {
      if (broken !== undefined) return [`${name}: ${broken}`]
      if (exit === undefined) return []
      const how = exit.signal ?? exit.code
      if (how !== 0) return [`${name}: the server exited with ${how}`]
      return exit.took_ms > max_stop_ms ? [`${name}: it took ${Math.round(exit.took_ms)} ms`] : []
    }),
  ]
}

function check(attempt: Attempt, pauses: Fault[]): string[] {
  const { operation, tag, status, retry_after, sent_ms, done_ms } = attempt
  const what = `${operation} ${tag ?? attempt.target ?? ''} at ${Math.round(sent_ms)} ms`
  if (status !== null && status >= 500 && status !== 503) {
    return [`${what} got ${status}: ${attempt.text.slice(0, 200)}`]
  }
  if (status === 503 && retry_after === null) return [`${what} got 503 without Retry-After`]
  const paused = pauses.reduce((sum, pause) => sum + overlap(attempt, pause), 0)
  const took = done_ms - sent_ms - paused
  return took > max_response_ms ? [`${what} took ${Math.round(took)} ms`] : []
}

function overlap({ sent_ms, done_ms }: Attempt, { begun_ms, healed_ms }: Fault): number {
  return Math.max(0, Math.min(done_ms, healed_ms) - Math.max(sent_ms, begun_ms))
}
