// Creates deliveries from events. A worker finds endpoints whose cursor is behind their account's
// events and stores the matching deliveries and the new cursor in one transaction per shard, so
// each event is fanned out exactly once. Payments neither write nor wait for webhook rows.

import { type EventHead, type EventRange, findEventHeads } from '../../events/find-events.ts'
import { findEventSequences } from '../../ledger/find-event-sequences.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import { matchesFilter } from '../event-filter.ts'
import {
  type Cursors,
  disableFinishedEndpoints,
  type EndpointCursor,
  lockEndpointCursors,
  type NewDelivery,
  sendCursors,
  sendNewDeliveries,
} from './queries.ts'

// Events per endpoint and step: enough to fill its queue, few enough that an endpoint with a large
// backlog does not delay the others.
const range_max = 200

// Endpoints per step. The rest follow in the next one.
const endpoints_max = 100

// Pending deliveries per failing endpoint. Further events wait as sequence numbers, at no cost.
const pending_max = 5_000

interface FanOutResult {
  /** Whether there is more to do immediately. */
  more: boolean
  /** The endpoints that got new deliveries. */
  written_for: Set<string>
}

const nothing_written: FanOutResult = { more: false, written_for: new Set() }

export async function fanOut(db: Db, endpoints: EndpointRow[]): Promise<FanOutResult> {
  const latest = await findEventSequences(db, [
    ...new Set(endpoints.map(({ account_id }) => account_id)),
  ])
  const behind = endpoints.filter((endpoint) => isBehind(endpoint, latest))
  // Shuffled, so that a full step does not always serve the same endpoints.
  const batch = shuffle(behind).slice(0, endpoints_max)
  let more = behind.length > batch.length
  const written_for = new Set<string>()
  for (const part of db.shards.split(batch)) {
    if (part.length === 0) continue
    const written = await db.transaction((tx) => step(tx, part, latest))
    more ||= written.more
    for (const id of written.written_for) written_for.add(id)
  }
  await disableFinished(db, endpoints)
  return { more, written_for }
}

/** The latest event sequence of each account. */
type Latest = Map<string, number>

function isBehind(endpoint: EndpointRow, latest: Latest): boolean {
  return endpoint.replay_after !== null || endpoint.event_sequence < goalOf(endpoint, latest)
}

/** The sequence to reach. An endpoint of a closed account stops at its final event. */
function goalOf(
  { account_id, final_sequence }: Pick<EndpointCursor, 'account_id' | 'final_sequence'>,
  latest: Latest,
) {
  const last = latest.get(account_id) ?? 0
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
    plan.add(
      endpoint_cursor,
      'new',
      endpoint_cursor.event_sequence,
      goalOf(endpoint_cursor, latest),
    )
    const { replay_after, replay_through } = endpoint_cursor
    if (replay_after !== null) plan.add(endpoint_cursor, 'replay', replay_after, replay_through!)
  }
  if (plan.ranges.length === 0) return nothing_written
  const heads = await findEventHeads(tx, plan.ranges, range_max)
  const written = plan.write(heads)
  if (written.deliveries.length > 0) sendNewDeliveries(tx, written.deliveries)
  sendCursors(tx, written.cursors)
  const written_for = new Set(written.deliveries.map(({ endpoint_id }) => endpoint_id))
  return { more: written.more, written_for }
}

interface PlannedRange {
  endpoint_cursor: EndpointCursor
  kind: 'new' | 'replay'
  range: number
}

/** Endpoints of an account are usually at the same event, so a shared range is read once. */
class Plan {
  readonly ranges: EventRange[] = []
  readonly #range_index = new Map<string, number>()
  readonly #planned: PlannedRange[] = []

  add(
    endpoint_cursor: EndpointCursor,
    kind: PlannedRange['kind'],
    after: number,
    through: number,
  ): void {
    if (after >= through && kind === 'new') return
    const key = `${endpoint_cursor.account_id} ${after} ${through}`
    const range = this.#range_index.get(key) ?? this.ranges.length
    if (range === this.ranges.length) {
      this.ranges.push({ account_id: endpoint_cursor.account_id, after, through })
      this.#range_index.set(key, range)
    }
    this.#planned.push({ endpoint_cursor, kind, range })
  }

  write(heads: EventHead[]): { deliveries: NewDelivery[]; cursors: Cursors[]; more: boolean } {
    const heads_of = this.ranges.map((): EventHead[] => [])
    for (const head of heads) heads_of[head.range]!.push(head)
    const deliveries: NewDelivery[] = []
    const cursors = new Map<string, Cursors>()
    let more = false
    for (const { endpoint_cursor, kind, range } of this.#planned) {
      const range_heads = heads_of[range]!
      deliveries.push(...deliveriesOf(endpoint_cursor, range_heads))
      // A short read means the range is complete: missing events were deleted and are skipped.
      const through = this.ranges[range]!.through
      const reached = range_heads.length < range_max ? through : range_heads.at(-1)!.sequence
      more ||= reached < through
      const cursor = cursors.get(endpoint_cursor.id) ?? { ...endpoint_cursor }
      cursors.set(endpoint_cursor.id, advance(cursor, kind, reached))
    }
    return { deliveries, cursors: [...cursors.values()], more }
  }
}

function advance(cursor: Cursors, kind: PlannedRange['kind'], reached: number): Cursors {
  if (kind === 'new') return { ...cursor, event_sequence: reached }
  if (reached >= cursor.replay_through!) {
    return { ...cursor, replay_after: null, replay_through: null }
  }
  return { ...cursor, replay_after: reached }
}

function deliveriesOf(endpoint_cursor: EndpointCursor, heads: EventHead[]): NewDelivery[] {
  const now_ms = Date.now()
  return heads
    .filter(({ type }) => matchesFilter(endpoint_cursor.events, type))
    .map((head) => ({
      account_id: endpoint_cursor.account_id,
      id: newRealTimeUuid(now_ms),
      endpoint_id: endpoint_cursor.id,
      event_id: head.id,
      event_type: head.type,
      event_sequence: head.sequence,
    }))
}

async function disableFinished(db: Db, endpoints: EndpointRow[]): Promise<void> {
  const finished = endpoints.filter(
    ({ final_sequence, event_sequence }) =>
      final_sequence !== null && event_sequence >= final_sequence,
  )
  if (finished.length === 0) return
  for (const part of db.shards.split(finished)) await disableFinishedEndpoints(db, part)
}
