// A failing provider changes no response of the API, the payment page never fails with a 500, and
// no forged message is accepted.

import type { History } from '../history.ts'

// After a fault of Florin itself, clients may get a 503 for this long.
const after_fault_ms = 3_000

export function providerFailuresContained(history: History): string[] {
  if (history.provider === undefined) return []
  return [...checkApi(history), ...checkPage(history), ...checkMessages(history)]
}

function checkApi({ attempts, faults }: History): string[] {
  const own = faults.filter(({ name }) => !name.startsWith('provider-'))
  return attempts
    .filter(({ status }) => status !== null && status >= 500)
    .filter(({ sent_ms, done_ms }) =>
      own.every(
        ({ begun_ms, healed_ms }) => done_ms < begun_ms || sent_ms > healed_ms + after_fault_ms,
      ),
    )
    .map(({ operation, status, sent_ms, text }) => {
      const when = `at ${Math.round(sent_ms)} ms, without a fault of Florin`
      return `${operation} got ${status} ${when}: ${text.slice(0, 200)}`
    })
}

function checkPage({ visits }: History): string[] {
  return visits
    .filter(({ status }) => status === 500)
    .map(({ operation, request }) => `the page of ${request} got 500 on ${operation}`)
}

function checkMessages({ notices }: History): string[] {
  return notices.flatMap(({ event, type, is_forged, status }) => {
    const what = `${type} ${event}`
    if (status === null || status === 503 || status === 429) return []
    if (is_forged) return status < 300 ? [`the forged message ${what} was accepted`] : []
    return status < 300 ? [] : [`the message ${what} got ${status}`]
  })
}
