// From events to deliveries. A worker looks which endpoints are behind their account, reads the
// events they have not seen, and writes a delivery for each that is wanted, together with how far
// the endpoint has come: once, whatever dies. Nobody who moves money knows of it or waits for it.

import { type EventHead, type EventRange, findEventHeads } from '../../events/find-events.ts'
import { findEventSequences } from '../../ledger/find-event-sequences.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import { wantsEvent } from '../event-filter.ts'
import {
  type Cursors,
  disableFinishedEndpoints,
  type EndpointCursor,
  lockEndpointCursors,
  type NewDelivery,
  sendCursors,
  sendNewDeliveries,
} from './queries.ts'

// A range of an endpoint in one step: enough to fill its line for a while, few enough that one
// with a long way to go does not hold the others up.
const range_max = 200

// Endpoints in one step. The rest are looked at in the next, a moment later.
const endpoints_max = 100

// What waits at a dead endpoint. Beyond that many its events wait as numbers, which cost nothing.
const pending_max = 5_000

export interface FanOutResult {
  /** Whether there is more to write at once. */
  more: boolean
  /** The endpoints that have deliveries which they had not before. */
  written_for: Set<string>
}

const nothing_written: FanOutResult = { more: false, written_for: new Set() }

export async function fanOut(db: Db, endpoints: EndpointRow[]): Promise<FanOutResult> {
  const latest = await findEventSequences(db, [
    ...new Set(endpoints.map(({ account_id }) => account_id)),
  ])
  const behind = endpoints.filter((endpoint) => isBehind(endpoint, latest))
  // In another order each time, so that the first hundred are not always the same.
  const some = shuffle(behind).slice(0, endpoints_max)
  const { more, written_for } =
    some.length === 0 ? nothing_written : await db.transaction((tx) => step(tx, some, latest))
  await endClosed(db, endpoints)
  return { more: more || behind.length > some.length, written_for }
}

type Latest = Map<string, number>

function isBehind(endpoint: EndpointRow, latest: Latest): boolean {
  return endpoint.replay_after !== null || endpoint.event_sequence < goalOf(endpoint, latest)
}

/** How far it is to come: an endpoint of a closed account no further than its end. */
function goalOf(
  { account_id, final_sequence }: Pick<EndpointCursor, 'account_id' | 'final_sequence'>,
  of: Latest,
) {
  const last = of.get(account_id) ?? 0
  return final_sequence === null ? last : Math.min(last, final_sequence)
}

function shuffle<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item)
}

async function step(tx: Tx, names: EndpointName[], latest: Latest): Promise<FanOutResult> {
  const endpoint_cursors = await lockEndpointCursors(tx, names, pending_max)
  const free = endpoint_cursors.filter(({ pending }) => pending < pending_max)
  const plan = new Plan()
  for (const endpoint_cursor of free) {
    plan.follow(
      endpoint_cursor,
      'new',
      endpoint_cursor.event_sequence,
      goalOf(endpoint_cursor, latest),
    )
    const { replay_after, replay_through } = endpoint_cursor
    if (replay_after !== null) plan.follow(endpoint_cursor, 'replay', replay_after, replay_through!)
  }
  if (plan.ranges.length === 0) return nothing_written
  const heads = await findEventHeads(tx, plan.ranges, range_max)
  const written = plan.write(heads)
  if (written.deliveries.length > 0) sendNewDeliveries(tx, written.deliveries)
  sendCursors(tx, written.cursors)
  const written_for = new Set(written.deliveries.map(({ endpoint_id }) => endpoint_id))
  return { more: written.more, written_for }
}

interface Following {
  endpoint_cursor: EndpointCursor
  way: 'new' | 'replay'
  range: number
}

/** Endpoints of one account are mostly equally far, and then read the same range once. */
class Plan {
  readonly ranges: EventRange[] = []
  readonly #at = new Map<string, number>()
  readonly #following: Following[] = []

  follow(
    endpoint_cursor: EndpointCursor,
    way: Following['way'],
    after: number,
    through: number,
  ): void {
    if (after >= through && way === 'new') return
    const key = `${endpoint_cursor.account_id} ${after} ${through}`
    const range = this.#at.get(key) ?? this.ranges.length
    if (range === this.ranges.length) {
      this.ranges.push({ account_id: endpoint_cursor.account_id, after, through })
      this.#at.set(key, range)
    }
    this.#following.push({ endpoint_cursor, way, range })
  }

  write(heads: EventHead[]): { deliveries: NewDelivery[]; cursors: Cursors[]; more: boolean } {
    const heads_of = this.ranges.map((): EventHead[] => [])
    for (const head of heads) heads_of[head.range]!.push(head)
    const deliveries: NewDelivery[] = []
    const cursors = new Map<string, Cursors>()
    let more = false
    for (const { endpoint_cursor, way, range } of this.#following) {
      const own = heads_of[range]!
      deliveries.push(...deliveriesOf(endpoint_cursor, own))
      // Fewer than asked for are all there are: what was pruned meanwhile is passed over.
      const through = this.ranges[range]!.through
      const reached = own.length < range_max ? through : own.at(-1)!.sequence
      more ||= reached < through
      const cursor = cursors.get(endpoint_cursor.id) ?? { ...endpoint_cursor }
      cursors.set(endpoint_cursor.id, moved(cursor, way, reached))
    }
    return { deliveries, cursors: [...cursors.values()], more }
  }
}

function moved(cursor: Cursors, way: Following['way'], reached: number): Cursors {
  if (way === 'new') return { ...cursor, event_sequence: reached }
  if (reached >= cursor.replay_through!) {
    return { ...cursor, replay_after: null, replay_through: null }
  }
  return { ...cursor, replay_after: reached }
}

function deliveriesOf(endpoint_cursor: EndpointCursor, heads: EventHead[]): NewDelivery[] {
  const now_ms = Date.now()
  return heads
    .filter(({ type }) => wantsEvent(endpoint_cursor.events, type))
    .map((head) => ({
      account_id: endpoint_cursor.account_id,
      id: newRealTimeUuid(now_ms),
      endpoint_id: endpoint_cursor.id,
      event_id: head.id,
      event_type: head.type,
      event_sequence: head.sequence,
    }))
}

async function endClosed(db: Db, endpoints: EndpointRow[]): Promise<void> {
  const ended = endpoints.filter(
    ({ final_sequence, event_sequence }) =>
      final_sequence !== null && event_sequence >= final_sequence,
  )
  if (ended.length > 0) await disableFinishedEndpoints(db, ended)
}
