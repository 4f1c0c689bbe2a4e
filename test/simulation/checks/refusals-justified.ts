// No refund is refused that could be paid. The postings of an account are the serial order of its
// changes, so every 402 must fit somewhere into it: after all that had been acknowledged when it
// was sent, before all that was sent when it had been answered, less than its amount was available.

import type { Attempt, FinalPosting, History } from '../history.ts'
import { endOf, groupBy, type Write, writesOf } from '../writes.ts'
import { availableAfterEach, inOrder } from './postings-replayed.ts'

/** When a posting was made, as far as those outside can know. */
interface Bounds {
  not_before_ms: number
  not_after_ms: number
}

export function refusalsJustified(history: History): string[] {
  const refused = groupBy(
    history.attempts.filter(({ status }) => status === 402),
    ({ account }) => account,
  )
  const postings = groupBy(history.final.postings, ({ account }) => account)
  const boundsOf = boundsFinder(history)
  return [...refused].flatMap(([account, attempts]) => {
    const ordered = inOrder(postings.get(account) ?? [])
    const line = { bounds: ordered.map(boundsOf), available: availableAfterEach(ordered) }
    return attempts.flatMap((attempt) => check(attempt, line))
  })
}

function check(attempt: Attempt, line: { bounds: Bounds[]; available: number[] }): string[] {
  const { bounds, available } = line
  let first = bounds.length
  while (first > 0 && bounds[first - 1]!.not_after_ms >= attempt.sent_ms) first -= 1
  let last = bounds.findIndex(({ not_before_ms }) => not_before_ms > attempt.done_ms)
  if (last === -1) last = bounds.length
  const amount = attempt.input.amount!
  const seen = available.slice(first, last + 1)
  if (seen.some((left) => left < amount)) return []
  const least = Math.min(...seen)
  return [
    `${attempt.tag} was refused ${amount} of ${attempt.account}, and ${least} was the least that ` +
      `was available between its postings ${first} and ${last}`,
  ]
}

function boundsFinder(history: History): (posting: FinalPosting) => Bounds {
  const writes = writesOf(history)
  const makers = new Map(writes.map((write) => [write.tag, write]))
  const enders = groupBy(
    writes.filter((write) => write.acknowledged && endOf(write) !== undefined),
    ({ target }) => target!,
  )
  const tags = new Map(
    history.final.transactions.map(({ id, metadata }) => [id, String(metadata.tag)]),
  )
  return ({ transaction, movement }) => {
    const begins = movement === 'arrive' || movement === 'hold'
    const maker = makers.get(tags.get(transaction) ?? '')
    const ender = enders.get(transaction)?.[0]
    return begins ? boundsOf(maker) : boundsOf(ender)
  }
}

/** Of what a worker did, or a paid request, nothing is known but its place in the order. */
function boundsOf(write: Write | undefined): Bounds {
  if (write === undefined) return { not_before_ms: -Infinity, not_after_ms: Infinity }
  return {
    not_before_ms: write.sent_ms,
    not_after_ms: write.acknowledged?.done_ms ?? Infinity,
  }
}
