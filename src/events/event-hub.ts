// Serves many subscribers of events with one statement. Events are numbered without gaps in commit
// order, so a subscriber that knows its last number misses nothing. The hub polls for events after
// that number; the database sends no notifications.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../postgres/database.ts'
import type { EventRow } from './event.ts'
import { type EventCursor, type FollowingEvent, selectFollowing } from './queries.ts'

export interface EventSubscriber {
  readonly account_id: string
  /** The number of the last event that it received or skipped. */
  position: number
  readonly token_hash: Buffer
  /** There will be no more events: the subscription ends once it has received all of them. */
  readonly account_closed: boolean
  /** Whether it accepts more events now (backpressure). */
  isReady(): boolean
  /** Accepts as many as it can. Returns the number of the last event it received or skipped. */
  deliver(events: EventRow[]): number
  /** Called after every poll, for heartbeats and timeouts. */
  heartbeat(now_ms: number): void
  end(): void
}

export interface HubParts {
  db: Db
  /** Returns the tokens that are still valid, as latin1 text of their hashes. */
  findLive(hashes: Buffer[]): Promise<Set<string>>
  onError(error: unknown): void
}

// A delay of 200 ms is not noticeable. Polling more often would replace few large reads with many
// small ones, and streams must not slow down payments.
const poll_every_ms = 200
// A revoked token is detected at the next delivery, or within this time without one.
const check_every_ms = 500
// At most 8 MB of rows per statement; a subscriber that is further behind is served again. An event
// may be 17 KB, so bytes are limited too, to what may be buffered for one subscriber.
const cursors_max = 100
const page_limit = { events: 50, bytes: 65_536 }

export class EventHub {
  readonly #parts: HubParts
  readonly #subscribers = new Set<EventSubscriber>()
  #checked_ms = 0
  #polling = false
  #closed = false

  constructor(parts: HubParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#subscribers.size
  }

  add(subscriber: EventSubscriber): void {
    if (this.#closed) {
      subscriber.end()
      return
    }
    this.#subscribers.add(subscriber)
    if (!this.#polling) void this.#run()
  }

  remove(subscriber: EventSubscriber): void {
    this.#subscribers.delete(subscriber)
  }

  /** Whether a retained event follows the cursor. */
  async hasNext(cursor: EventCursor): Promise<boolean> {
    const cursors = [{ ...cursor, cursor: 0 }]
    return (await selectFollowing(this.#parts.db, cursors, one_event)).length > 0
  }

  /** Ends all subscriptions. Clients can resume on another server with their last number. */
  close(): void {
    this.#closed = true
    this.#endAll()
  }

  async #run(): Promise<void> {
    this.#polling = true
    while (this.#subscribers.size > 0) {
      const since = performance.now()
      const more = await this.#poll().catch((error) => {
        // The validity of the tokens can no longer be checked.
        this.#parts.onError(error)
        this.#endAll()
        return false
      })
      // A subscriber with a full buffer is ready again after its socket has been written. The pause
      // is as long as the poll: otherwise one subscriber of a rare type, far behind, would use half
      // of a core.
      const pause_ms = more ? Math.min(performance.now() - since, poll_every_ms) : poll_every_ms
      await sleep(pause_ms, undefined, { ref: false })
    }
    this.#polling = false
  }

  /** Returns whether a subscriber has not received everything yet. */
  async #poll(): Promise<boolean> {
    const groups = groupByCursor([...this.#subscribers].filter((one) => one.isReady()))
    let more = false
    for (let at = 0; at < groups.length; at += cursors_max) {
      const some = groups.slice(at, at + cursors_max)
      const found = await this.#read(some)
      if (found.some((events) => events.length > 0)) await this.#endRevoked()
      some.forEach((group, cursor) => {
        const events = found[cursor]!
        more ||= isTruncated(events)
        for (const one of group.subscribers) {
          if (this.#subscribers.has(one)) more = !this.#serve(one, events) || more
        }
      })
    }
    if (performance.now() - this.#checked_ms > check_every_ms) await this.#endRevoked()
    for (const subscriber of this.#subscribers) subscriber.heartbeat(performance.now())
    return more
  }

  /** The events of each group, in the order of the groups. */
  async #read(groups: Group[]): Promise<FollowingEvent[][]> {
    const { db } = this.#parts
    const cursors = groups.map(({ cursor }, at) => ({ ...cursor, cursor: at }))
    const found: FollowingEvent[][] = groups.map(() => [])
    const events = await db.shards.readEach(db, cursors, (some) =>
      selectFollowing(db, some, page_limit),
    )
    for (const event of events) found[event.cursor]!.push(event)
    return found
  }

  /** Returns whether the subscriber accepted all events. */
  #serve(subscriber: EventSubscriber, events: EventRow[]): boolean {
    const last = events.at(-1)
    if (last === undefined) {
      if (subscriber.account_closed) this.#end(subscriber)
      return true
    }
    subscriber.position = subscriber.deliver(events)
    const has_all = subscriber.position === last.sequence
    if (has_all && last.type === 'account.closed') this.#end(subscriber)
    return has_all
  }

  /** Called after the events were read, so a token that was just revoked does not receive them. */
  async #endRevoked(): Promise<void> {
    const checked = [...this.#subscribers]
    const live = await this.#parts.findLive(distinct(checked.map(({ token_hash }) => token_hash)))
    for (const subscriber of checked) {
      if (!live.has(subscriber.token_hash.toString('latin1'))) this.#end(subscriber)
    }
    this.#checked_ms = performance.now()
  }

  #end(subscriber: EventSubscriber): void {
    this.#subscribers.delete(subscriber)
    subscriber.end()
  }

  #endAll(): void {
    for (const subscriber of this.#subscribers) this.#end(subscriber)
  }
}

const one_event = { events: 1, bytes: 1 }

/** Whether the read stopped at a limit, so that more events may follow. */
function isTruncated(events: FollowingEvent[]): boolean {
  return events.length === page_limit.events || (events.at(-1)?.bytes ?? 0) >= page_limit.bytes
}

interface Group {
  cursor: EventCursor
  subscribers: EventSubscriber[]
}

/** Subscribers at the same cursor of the same account share one read. */
function groupByCursor(subscribers: EventSubscriber[]): Group[] {
  const groups = new Map<string, Group>()
  for (const subscriber of subscribers) {
    const { account_id, position } = subscriber
    const name = `${account_id} ${position}`
    const group = groups.get(name)
    if (group !== undefined) group.subscribers.push(subscriber)
    else groups.set(name, { cursor: { account_id, after: position }, subscribers: [subscriber] })
  }
  return [...groups.values()]
}

function distinct(hashes: Buffer[]): Buffer[] {
  return [...new Map(hashes.map((hash) => [hash.toString('latin1'), hash])).values()]
}
