// Many followers of events, one statement. Events are numbered without gaps in the order of their
// commits, so whoever remembers the last number misses nothing: the database is asked for what
// follows, and needs to tell nobody.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../postgres/database.ts'
import type { EventRow } from './event.ts'
import { type EventCursor, type FollowingEvent, selectFollowing } from './queries.ts'

export interface EventSubscriber {
  readonly account_id: string
  /** The number of the last event that it has, or has passed by. */
  position: number
  readonly token_hash: Buffer
  /** Nothing will happen any more: it ends when it has everything. */
  readonly account_closed: boolean
  /** Whether it can take more now. */
  isReady(): boolean
  /** Takes what it can; answers the number of the last that it has now, or has passed by. */
  deliver(events: EventRow[]): number
  /** Called all the time, for whatever is due by the clock. */
  beat(now_ms: number): void
  end(): void
}

export interface HubParts {
  db: Db
  /** Which of these tokens still live, as latin1 text of their hashes. */
  findLive(hashes: Buffer[]): Promise<Set<string>>
  onError(error: unknown): void
}

// Nobody sees a fifth of a second. Looking more often would make many small reads of few large
// ones, and what follows payments must not slow payments down.
const look_every_ms = 200
// A token that was revoked is seen at the next delivery, or within this time without one.
const check_every_ms = 500
// Together at most eight megabytes of rows for one look; who is further behind is served again. An
// event may have 17 KB, so that bytes are counted too: no more than may wait for one reader.
const cursors_max = 100
const most = { events: 50, bytes: 65_536 }

export class EventHub {
  readonly #parts: HubParts
  readonly #followers = new Set<EventSubscriber>()
  #checked_ms = 0
  #turning = false
  #closed = false

  constructor(parts: HubParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#followers.size
  }

  add(follower: EventSubscriber): void {
    if (this.#closed) {
      follower.end()
      return
    }
    this.#followers.add(follower)
    if (!this.#turning) void this.#turn()
  }

  remove(follower: EventSubscriber): void {
    this.#followers.delete(follower)
  }

  /** Whether anything follows that is still kept. */
  async hasNext(cursor: EventCursor): Promise<boolean> {
    return (await selectFollowing(this.#parts.db, [cursor], one_event)).length > 0
  }

  /** Ends all of them; each can go on elsewhere with its number. */
  close(): void {
    this.#closed = true
    this.#endAll()
  }

  async #turn(): Promise<void> {
    this.#turning = true
    while (this.#followers.size > 0) {
      const since = performance.now()
      const more = await this.#look().catch((error) => {
        // Nobody knows now whose token still lives.
        this.#parts.onError(error)
        this.#endAll()
        return false
      })
      // Whoever took all that it may hold is ready again when its socket has had a turn. As long a
      // rest as the look took: a reader of a rare type, far behind, would take half of a core.
      const rest_ms = more ? Math.min(performance.now() - since, look_every_ms) : look_every_ms
      await sleep(rest_ms, undefined, { ref: false })
    }
    this.#turning = false
  }

  /** Whether somebody has not got everything yet. */
  async #look(): Promise<boolean> {
    const groups = groupByCursor([...this.#followers].filter((one) => one.isReady()))
    let more = false
    for (let at = 0; at < groups.length; at += cursors_max) {
      const some = groups.slice(at, at + cursors_max)
      const found = await this.#read(some)
      if (found.some((events) => events.length > 0)) await this.#endDead()
      some.forEach((group, cursor) => {
        const events = found[cursor]!
        more ||= isCut(events)
        for (const one of group.followers) {
          if (this.#followers.has(one)) more = !this.#serve(one, events) || more
        }
      })
    }
    if (performance.now() - this.#checked_ms > check_every_ms) await this.#endDead()
    for (const follower of this.#followers) follower.beat(performance.now())
    return more
  }

  /** The events of each group, in the order of the groups. */
  async #read(groups: Group[]): Promise<FollowingEvent[][]> {
    const cursors = groups.map(({ cursor }) => cursor)
    const found: FollowingEvent[][] = groups.map(() => [])
    for (const event of await selectFollowing(this.#parts.db, cursors, most)) {
      found[event.cursor - 1]!.push(event)
    }
    return found
  }

  /** Whether it took all of them. */
  #serve(follower: EventSubscriber, events: EventRow[]): boolean {
    const last = events.at(-1)
    if (last === undefined) {
      if (follower.account_closed) this.#end(follower)
      return true
    }
    follower.position = follower.deliver(events)
    const has_all = follower.position === last.sequence
    if (has_all && last.type === 'account.closed') this.#end(follower)
    return has_all
  }

  /** Asked after the events were read: what a token may not see any more is not delivered. */
  async #endDead(): Promise<void> {
    const asked = [...this.#followers]
    const live = await this.#parts.findLive(distinct(asked.map(({ token_hash }) => token_hash)))
    for (const follower of asked) {
      if (!live.has(follower.token_hash.toString('latin1'))) this.#end(follower)
    }
    this.#checked_ms = performance.now()
  }

  #end(follower: EventSubscriber): void {
    this.#followers.delete(follower)
    follower.end()
  }

  #endAll(): void {
    for (const follower of this.#followers) this.#end(follower)
  }
}

const one_event = { events: 1, bytes: 1 }

/** Whether more may follow than was read. */
function isCut(events: FollowingEvent[]): boolean {
  return events.length === most.events || (events.at(-1)?.bytes ?? 0) >= most.bytes
}

interface Group {
  cursor: EventCursor
  followers: EventSubscriber[]
}

/** Those at the same cursor of the same account are served by one read. */
function groupByCursor(followers: EventSubscriber[]): Group[] {
  const groups = new Map<string, Group>()
  for (const follower of followers) {
    const { account_id, position } = follower
    const name = `${account_id} ${position}`
    const group = groups.get(name)
    if (group !== undefined) group.followers.push(follower)
    else groups.set(name, { cursor: { account_id, after: position }, followers: [follower] })
  }
  return [...groups.values()]
}

function distinct(hashes: Buffer[]): Buffer[] {
  return [...new Map(hashes.map((hash) => [hash.toString('latin1'), hash])).values()]
}
