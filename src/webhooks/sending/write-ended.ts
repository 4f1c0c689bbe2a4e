// What became of tries, written down many at once. In the usual case, where all is well, that is
// one statement; endpoints are touched only when they begin to fail or are well again.

import type { Db, Tx } from '../../postgres/database.ts'
import type { EndpointName } from '../endpoint.ts'
import { failing_ms_max } from '../retry-schedule.ts'
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
}

/** Answers which endpoints have failed for too long. */
export async function writeEnded(db: Db, tried: Tried[]): Promise<EndpointName[]> {
  return db.transaction(async (tx) => {
    const given_up = await judgeEndpoints(tx, tried)
    const repeated = tried.filter(({ is_repeated }) => is_repeated)
    if (repeated.length > 0) sendPastAttempts(tx, repeated)
    sendEnded(tx, tried)
    return given_up
  })
}

async function judgeEndpoints(tx: Tx, tried: Tried[]): Promise<EndpointName[]> {
  const verdicts = verdictsOf(tried)
  if (verdicts.size === 0) return []
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
  return standings.filter((one) => {
    const { succeeded, used_up } = verdicts.get(one.id)!
    return !succeeded && used_up && failsTooLong(one)
  })
}

interface Verdict {
  name: EndpointName
  succeeded: boolean
  used_up: boolean
}

/** One success among many failures is a sign of life. */
function verdictsOf(tried: Tried[]): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  for (const { account_id, endpoint_id, status, was_failing, is_used_up } of tried) {
    const succeeded = status === 'succeeded'
    const before = verdicts.get(endpoint_id)
    if (succeeded && !was_failing && before === undefined) continue
    verdicts.set(endpoint_id, {
      name: { account_id, id: endpoint_id },
      succeeded: succeeded || before?.succeeded === true,
      used_up: is_used_up || before?.used_up === true,
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
