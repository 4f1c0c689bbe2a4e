// Sends what is due. A worker claims deliveries under a lease, each endpoint's in a line of its
// own, talks to the receivers outside of any database transaction, and writes down what became of
// each.
// If it dies between a receiver's 200 and that line, the lease runs out and the delivery is sent
// again, under the same id: at least once, and receivers can tell.

import { setTimeout as sleep } from 'node:timers/promises'
import { findEvents } from '../../events/find-events.ts'
import type { Round, Turn } from '../../jobs/timer.ts'
import { coalesce } from '../../postgres/coalesce.ts'
import type { Db } from '../../postgres/database.ts'
import { tooBusy } from '../../postgres/lane.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import type { EndpointRow } from '../endpoint.ts'
import { messageOf } from '../message.ts'
import { disableEndpoint, type FindAddressee } from './disable-endpoint.ts'
import { fanOut } from './fan-out.ts'
import { Line, type LinePace, usual_line, type Waiting } from './line.ts'
import { findActive } from './looking/find-active.ts'
import { type Deal, dealPlaces, handOut, type Places, usual_places } from './places.ts'
import type { Poster } from './post.ts'
import { type AccountRoom, type Claimed, claimDue, releaseClaimed } from './queries.ts'
import { Rate } from './rate.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { type DeliveryAttempt, writeEnded } from './write-ended.ts'

export interface DispatcherParts {
  db: Db
  poster: Poster
  findAddressee: FindAddressee
  /** Told when something could not be written down; its lease runs out and it is sent again. */
  report?: (error: unknown) => void
  pace?: Partial<DispatcherPace>
}

export interface DispatcherPace {
  /** How long others leave a delivery to the worker that took it. */
  lease_ms: number
  /** No try is begun with less of its lease left than it may take. */
  lease_spare_ms: number
  /** How often it looks for what is new. */
  look_ms: number
  /** How soon it looks again when a line runs dry. */
  look_again_ms: number
  /** Requests a second of one worker. */
  per_second: number
  line: LinePace
  places: Places
}

// Money goes first: on two cores a worker without this limit sent 3 500 a second and took most of
// a core from the server. Looking at most twenty times a second makes few large statements of many
// small ones. Whoever needs more starts more workers.
//
// A delivery waits in its line for one that takes its full 15 s, then takes as long itself, and is
// written down: well within a minute. The first try is made within a second of the commit.
const usual_pace: DispatcherPace = {
  lease_ms: 60_000,
  lease_spare_ms: 20_000,
  look_ms: 250,
  look_again_ms: 50,
  per_second: 540,
  line: usual_line,
  places: usual_places,
}

// What became of tries is written down this much later, together: nobody waits for it, and each
// statement took as long as a payment. What a crash takes with it is sent again.
const write_every_ms = 25

// A dead endpoint that refuses at once could spend all of a worker's requests on what it missed;
// the living keep four fifths of them. One that takes something is dead no more.
const failing_share = 0.2

// A worker that stops is given this long to end its conversations, so that few are sent again.
const stop_ms = 4_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #pace: DispatcherPace
  readonly #lines = new Map<string, Line>()
  readonly #write: (outcome: DeliveryAttempt) => Promise<boolean | undefined>
  readonly #under_way = new Set<Promise<void>>()
  readonly #rate: Rate
  readonly #rate_failing: Rate
  /** Lines that could begin, were it not for the worker's rate, in the order of their turn. */
  readonly #row = new Set<Line>()
  #has_timer = false
  #is_stopping = false
  #hang_up_ms = 0
  #wake = () => {}

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#pace = { ...usual_pace, ...parts.pace }
    this.#rate = new Rate(this.#pace.per_second)
    this.#rate_failing = new Rate(this.#pace.per_second * failing_share)
    const limits = { batch_max: 64, queue_max: 65_536, gather_ms: write_every_ms }
    this.#write = coalesce((outcomes: DeliveryAttempt[]) => this.#writeAll(outcomes), limits, tooBusy)
  }

  /** Looks once, begins what it can, and comes back when there is reason to look again. */
  async round({ slots, signal }: Turn): Promise<Round> {
    const hungry = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const busy = [...this.#lines.values()].filter((line) => !line.is_idle)
    const held = busy.map(({ endpoint }) => endpoint)
    const lines = this.#linesOf(await findActive(this.#parts.db, slots, held))
    const more = await this.#fanOut(lines)
    const done = (await this.#claim(lines, false)) + (await this.#claim(lines, true))
    const { look_again_ms, look_ms } = this.#pace
    await this.#rest(look_again_ms, signal)
    if (!more && !this.#isAnyHungry()) await this.#rest(look_ms - look_again_ms, signal, hungry)
    return { done, more: true }
  }

  /** Begins nothing more: the conversations under way have from now on to end. */
  hush(): void {
    this.#is_stopping = true
    this.#hang_up_ms = performance.now() + stop_ms
    this.#giveBack([...this.#lines.values()].flatMap((line) => line.drop()))
  }

  /** After the last round has ended: gives back what that took, and waits for what is under way. */
  async stop(): Promise<void> {
    if (!this.#is_stopping) this.hush()
    this.#giveBack([...this.#lines.values()].flatMap((line) => line.drop()))
    const ended = Promise.allSettled([...this.#under_way])
    const left_ms = Math.max(0, this.#hang_up_ms - performance.now())
    await Promise.race([ended, sleep(left_ms, undefined, { ref: false })])
    await this.#parts.poster.hangUp()
    await ended
    // What was cut off is given back by now, or will be in a moment.
    await Promise.allSettled([...this.#under_way])
  }

  // Not for those that have enough written down: the rest of their events waits as numbers. To
  // write all that is there made creates half as fast.
  async #fanOut(lines: Line[]): Promise<boolean> {
    const short = lines.filter((line) => !line.has_more)
    if (short.length === 0) return false
    const endpoints = short.map(({ endpoint }) => endpoint)
    const { more, written_for } = await fanOut(this.#parts.db, endpoints)
    for (const line of short) if (written_for.has(line.endpoint.id)) line.noteNew()
    return more
  }

  #isAnyHungry(): boolean {
    for (const line of this.#lines.values()) if (line.is_hungry) return true
    return false
  }

  async #rest(for_ms: number, signal: AbortSignal, hungry?: Promise<void>): Promise<void> {
    const pause = new AbortController()
    const stop = () => pause.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const slept = sleep(for_ms, undefined, { signal: pause.signal }).catch(() => {})
    await (hungry === undefined ? slept : Promise.race([hungry, slept]))
    pause.abort()
    signal.removeEventListener('abort', stop)
  }

  #linesOf(endpoints: EndpointRow[]): Line[] {
    const known = new Set(endpoints.map(({ id }) => id))
    for (const [id, line] of this.#lines) {
      if (!known.has(id)) this.#giveBack(line.drop())
      if (!known.has(id) && line.is_idle) this.#lines.delete(id)
    }
    return endpoints.map((endpoint) => {
      const line = this.#lines.get(endpoint.id) ?? new Line(endpoint, this.#pace.line)
      line.refresh(endpoint)
      this.#lines.set(endpoint.id, line)
      return line
    })
  }

  async #claim(all: Line[], failing: boolean): Promise<number> {
    const asking = all.filter((line) => line.failing === failing && line.room > 0)
    if (asking.length === 0 || this.#is_stopping) return 0
    const held = [...this.#lines.values()].filter((line) => line.failing === failing)
    const { lease_ms, lease_spare_ms, places } = this.#pace
    const deal = dealPlaces(held, asking, failing ? places.failing : places.well)
    const lease = { id: newRealTimeUuid(Date.now()), for_ms: lease_ms }
    const begin_by_ms = performance.now() + lease_ms - lease_spare_ms
    const claimed = await claimDue(this.#parts.db, lease, roomsOf(deal), deal.limit)
    const bodies = claimed.length === 0 ? new Map() : await this.#bodiesOf(claimed)
    const waiting = claimed.map((delivery) => ({
      delivery,
      body: bodies.get(delivery.id),
      lease_id: lease.id,
      begin_by_ms,
    }))
    handOut(
      deal,
      Map.groupBy(waiting, ({ delivery }) => delivery.endpoint_id),
    )
    for (const line of asking) this.#pump(line)
    return claimed.length
  }

  async #bodiesOf(claimed: Claimed[]): Promise<Map<string, string>> {
    const names = claimed.flatMap(({ account_id, event_sequence }) =>
      event_sequence === null ? [] : [{ account_id, sequence: event_sequence }],
    )
    const key = (account_id: string, sequence: number) => `${account_id} ${sequence}`
    const messages = new Map<string, string>()
    // Several endpoints get the same event, which is read and written out once.
    const unique = new Map(names.map((name) => [key(name.account_id, name.sequence), name]))
    for (const event of await findEvents(this.#parts.db, [...unique.values()])) {
      messages.set(key(event.account_id, event.sequence), messageOf(event))
    }
    return new Map(
      claimed.flatMap(({ account_id, id, event_sequence, test_body }) => {
        const body = test_body ?? messages.get(key(account_id, event_sequence!))
        return body === undefined ? [] : [[id, body] as const]
      }),
    )
  }

  /** Begins as many as the line may have under way. */
  #pump(line: Line): void {
    while (line.may_begin && !this.#is_stopping) {
      // All stand in one row for the worker's own rate: whoever came first would take all of it.
      const is_free = this.#row.size === 0 && waitFor([this.#rate]) === 0
      if (is_free && this.#beginInTime(line)) continue
      if (!is_free) this.#join(line)
      return
    }
  }

  #join(line: Line): void {
    this.#row.add(line)
    if (this.#has_timer) return
    this.#has_timer = true
    setTimeout(() => this.#serveRow(), waitFor([this.#rate]))
  }

  /** One for each in turn, as long as the rate lasts. */
  #serveRow(): void {
    this.#has_timer = false
    for (const line of this.#row) {
      if (waitFor([this.#rate]) > 0) break
      this.#row.delete(line)
      if (!line.may_begin || this.#is_stopping) continue
      // Behind all others: a Set is walked in the order of joining.
      if (this.#beginInTime(line) && line.may_begin) this.#row.add(line)
    }
    const [next] = this.#row
    if (next !== undefined) this.#join(next)
  }

  /** Unless its own rate, or that of all that fail, lets it wait: then it comes again by itself. */
  #beginInTime(line: Line): boolean {
    const rates = line.failing ? [line.rate, this.#rate_failing] : [line.rate]
    const wait_ms = waitFor(rates)
    if (wait_ms > 0) line.beginLater(wait_ms, () => this.#pump(line))
    else this.#begin(line, [...rates, this.#rate])
    return wait_ms === 0
  }

  #begin(line: Line, rates: Rate[]): void {
    for (const rate of rates) rate.count(performance.now())
    const work = this.#send(line, line.begin())
    this.#under_way.add(work)
    void work.finally(() => {
      this.#under_way.delete(work)
      line.end()
      this.#pump(line)
      if (line.is_hungry) this.#wake()
    })
  }

  async #send(line: Line, one: Waiting): Promise<void> {
    if (performance.now() > one.begin_by_ms) return this.#giveBack([one])
    try {
      const outcome = await attemptDelivery(this.#parts.poster, line, one)
      line.failing = outcome.status !== 'succeeded'
      // What was cut off by our own end says nothing about the receiver.
      if (this.#is_stopping && outcome.response_status === null) return this.#giveBack([one])
      await this.#write(outcome)
    } catch (error) {
      this.#parts.report?.(error)
    }
  }

  /** What was not sent costs no try and waits for no lease: whoever looks next has it. */
  #giveBack(unsent: Waiting[]): void {
    if (unsent.length === 0) return
    const rows = unsent.map(({ delivery: { account_id, id }, lease_id }) => ({
      account_id,
      id,
      lease_id,
    }))
    const work = releaseClaimed(this.#parts.db, rows).catch((error) => this.#parts.report?.(error))
    this.#under_way.add(work)
    void work.finally(() => this.#under_way.delete(work))
  }

  async #writeAll(outcomes: DeliveryAttempt[]): Promise<true[]> {
    const { db, findAddressee } = this.#parts
    const given_up = await again(() => writeEnded(db, outcomes))
    for (const one of given_up) await disableEndpoint(db, one, findAddressee)
    return outcomes.map(() => true)
  }
}

/** Without the accounts that hold all they may. */
function roomsOf({ accounts }: Deal): AccountRoom[] {
  return accounts
    .filter(({ room }) => room > 0)
    .map(({ account_id, room, lines }) => ({
      account_id,
      room,
      endpoints: lines.map((line) => ({ id: line.endpoint.id, room: line.room })),
    }))
}

function waitFor(rates: Rate[]): number {
  const now_ms = performance.now()
  return Math.max(...rates.map((rate) => rate.waitAt(now_ms)))
}

// A database that is away for a moment must not make a delivery that was taken be sent again.
const write_again_ms = [500, 2_000, 5_000]

async function again<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  for (const wait_ms of write_again_ms) {
    try {
      return await write()
    } catch {
      await sleep(wait_ms)
    }
  }
  return write()
}
