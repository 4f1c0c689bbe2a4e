// No refund that could be paid is rejected. An account's postings are the serial order of its
// changes, so every 402 must fit into it: after all changes acknowledged before it was sent, before
// all changes sent after its response, at a point with less than its amount available.

import type { Attempt, FinalPosting, History } from '../history.ts'
import { endOf, groupBy, type Write, writesOf } from '../writes.ts'
import { availableAfterEach, inOrder } from './postings-replayed.ts'

/** The time window in which a posting was made, as far as clients can know. */
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
    const timeline = { bounds: ordered.map(boundsOf), available: availableAfterEach(ordered) }
    return attempts.flatMap((attempt) => check(attempt, timeline))
  })
}

function check(attempt: Attempt, timeline: { bounds: Bounds[]; available: number[] }): string[] {
  const { bounds, available } = timeline
  let first = bounds.length
  while (first > 0 && bounds[first - 1]!.not_after_ms >= attempt.sent_ms) first -= 1
  let last = bounds.findIndex(({ not_before_ms }) => not_before_ms > attempt.done_ms)
  if (last === -1) last = bounds.length
  const amount = attempt.input.amount!
  const seen = available.slice(first, last + 1)
  if (seen.some((left) => left < amount)) return []
  const min = Math.min(...seen)
  return [
    `${attempt.tag} was rejected for ${amount} of ${attempt.account}, but at least ${min} was ` +
      `available between its postings ${first} and ${last}`,
  ]
}

function boundsFinder(history: History): (posting: FinalPosting) => Bounds {
  const writes = writesOf(history)
  const creations = new Map(writes.map((write) => [write.tag, write]))
  const endings = groupBy(
    writes.filter((write) => write.acknowledged && endOf(write) !== undefined),
    ({ target }) => target!,
  )
  const tags = new Map(
    history.final.transactions.map(({ id, metadata }) => [id, String(metadata.tag)]),
  )
  return ({ transaction, movement }) => {
    const is_first = movement === 'arrive' || movement === 'hold'
    const creation = creations.get(tags.get(transaction) ?? '')
    const ending = endings.get(transaction)?.[0]
    return is_first ? boundsOf(creation) : boundsOf(ending)
  }
}

/** For changes by the worker or a paid request, only the position in the order is known. */
function boundsOf(write: Write | undefined): Bounds {
  if (write === undefined) return { not_before_ms: -Infinity, not_after_ms: Infinity }
  return {
    not_before_ms: write.sent_ms,
    not_after_ms: write.acknowledged?.done_ms ?? Infinity,
  }
}
