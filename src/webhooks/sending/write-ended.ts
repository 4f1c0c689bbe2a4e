// What became of tries, written down many at once. In the usual case, where all is well, that is
// one statement; endpoints are touched only when they begin to fail or are well again.

import type { Db, Tx } from '../../postgres/database.ts'
import type { EndpointName } from '../endpoint.ts'
import { failing_ms_max } from '../retry-schedule.ts'
import type { GivenUp } from './disable-endpoint.ts'
import {
  type Ended,
  hastenDeliveries,
  lockStandings,
  type Standing,
  sendEnded,
  sendPastAttempts,
  updateFailing,
} from './queries.ts'

export interface Tried extends Ended {
  /** Whether the endpoint was known to fail when this was begun. */
  was_failing: boolean
  /** Whether the delivery tells of an earlier try, which is to be kept. */
  is_repeated: boolean
  /** Whether the delivery has no further try, having been tried as often as any is. */
  is_used_up: boolean
  /** Whether the receiver answered that it will never take anything again. */
  is_gone: boolean
}

/** Answers which endpoints are to be given up. */
export async function writeEnded(db: Db, tried: Tried[]): Promise<GivenUp[]> {
  return db.transaction(async (tx) => {
    const { given_up, ended } = await judgeEndpoints(tx, tried)
    const repeated = ended.filter(({ is_repeated }) => is_repeated)
    if (repeated.length > 0) sendPastAttempts(tx, repeated)
    sendEnded(tx, ended)
    return given_up
  })
}

async function judgeEndpoints(tx: Tx, tried: Tried[]) {
  const verdicts = verdictsOf(tried)
  if (verdicts.size === 0) return { given_up: [], ended: tried }
  const names = [...verdicts.values()].map(({ name }) => name)
  const standings = await lockStandings(tx, names)
  const changed = standings.filter((standing) => {
    const { succeeded } = verdicts.get(standing.id)!
    return (standing.failing_since === null) !== succeeded
  })
  const after = changed.map((standing) => ({ ...standing, failing_since: turned(standing) }))
  if (after.length > 0) await updateFailing(tx, after)
  for (const standing of changed) {
    if (wasAway(standing)) await hastenDeliveries(tx, standing)
  }
  const given_up = standings.flatMap((one) => giveUp(one, verdicts.get(one.id)!, tried))
  return { given_up, ended: tried.map((one) => endIfGone(one, given_up)) }
}

function giveUp(standing: Standing, { succeeded }: Verdict, tried: Tried[]): GivenUp[] {
  const { account_id, id, url } = standing
  // What another URL answered, before it was changed, says nothing about this one.
  const here = tried.filter((one) => one.endpoint_id === id && one.url === url)
  const name = { account_id, id, url }
  if (here.some(({ is_gone }) => is_gone)) return [{ ...name, reason: 'gone' }]
  const used_up = !succeeded && here.some(({ is_used_up }) => is_used_up)
  return used_up && failsTooLong(standing) ? [{ ...name, reason: 'failing' }] : []
}

/** Where all is over there is no further try; where only a URL is, the next one gets it. */
function endIfGone(one: Tried, given_up: GivenUp[]): Tried {
  const is_over = one.is_gone && given_up.some(({ id }) => id === one.endpoint_id)
  return is_over ? { ...one, status: 'failed', wait_ms: null } : one
}

interface Verdict {
  name: EndpointName
  succeeded: boolean
}

/** One success among many failures is a sign of life. */
function verdictsOf(tried: Tried[]): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  for (const { account_id, endpoint_id, status, was_failing } of tried) {
    const succeeded = status === 'succeeded'
    const before = verdicts.get(endpoint_id)
    if (succeeded && !was_failing && before === undefined) continue
    verdicts.set(endpoint_id, {
      name: { account_id, id: endpoint_id },
      succeeded: succeeded || before?.succeeded === true,
    })
  }
  return verdicts
}

function turned({ failing_since }: Standing): Date | null {
  return failing_since === null ? new Date() : null
}

// An endpoint that takes one and refuses another is not away: to hurry its retries would use their
// tries up. One that was away for longer than two retries take has hours of waits behind it.
const away_ms = 10 * 60_000

function wasAway({ failing_since }: Standing): boolean {
  return failing_since !== null && Date.now() - failing_since.getTime() > away_ms
}

// Asked only when a delivery has used up its tries: days since the first failure say little by
// themselves, because nothing may have been sent in them, or Florin itself was away.
function failsTooLong({ failing_since }: Standing): boolean {
  return failing_since !== null && Date.now() - failing_since.getTime() > failing_ms_max
}
