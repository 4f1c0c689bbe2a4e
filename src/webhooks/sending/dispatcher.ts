// Sends what is due. A worker claims deliveries under a lease, each endpoint's in a queue of its
// own, talks to the receivers outside of any database transaction, and writes down what became of
// each.
// If it dies between a receiver's 200 and that queue, the lease runs out and the delivery is sent
// again, under the same id: at least once, and receivers can tell.

import { setTimeout as sleep } from 'node:timers/promises'
import { findEvents } from '../../events/find-events.ts'
import type { JobContext, JobResult } from '../../jobs/timer.ts'
import { coalesce } from '../../postgres/coalesce.ts'
import type { Db } from '../../postgres/database.ts'
import { tooBusy } from '../../postgres/lane.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import type { EndpointRow } from '../endpoint.ts'
import { messageOf } from '../message.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { disableEndpoint, type FindRecipient } from './disable-endpoint.ts'
import {
  default_queue_pace,
  EndpointQueue,
  type EndpointQueuePace,
  type QueuedDelivery,
} from './endpoint-queue.ts'
import { fanOut } from './fan-out.ts'
import { findActive } from './polling/find-active.ts'
import { type AccountCapacity, type ClaimedDelivery, claimDue, releaseClaimed } from './queries.ts'
import {
  allocateQuota,
  type DeliveryQuotas,
  default_quotas,
  enqueueClaimed,
  type QuotaAllocation,
} from './quotas.ts'
import { RateLimiter } from './rate-limiter.ts'
import { type DeliveryAttempt, recordAttempts } from './record-attempts.ts'
import { ResponseQuota } from './response-quota.ts'
import type { WebhookClient } from './webhook-client.ts'

export interface DispatcherParts {
  db: Db
  webhookClient: WebhookClient
  findRecipient: FindRecipient
  /** Told when something could not be written down; its lease runs out and it is sent again. */
  report?: (error: unknown) => void
  pace?: Partial<DispatcherPace>
  quota?: ResponseQuota
}

export interface DispatcherPace {
  /** How long others leave a delivery to the worker that took it. */
  lease_ms: number
  /** No try is begun with less of its lease left than it may take. */
  lease_spare_ms: number
  /** How often it looks for what is new. */
  look_ms: number
  /** How soon it looks again when a queue runs dry. */
  look_again_ms: number
  /** Requests a second of one worker. */
  per_second: number
  queue: EndpointQueuePace
  quotas: DeliveryQuotas
}

// Money goes first: on two cores a worker without this limit sent 3 500 a second and took most of
// a core from the server. Looking at most twenty times a second makes few large statements of many
// small ones. Whoever needs more starts more workers.
//
// A delivery waits in its queue for one that takes its full 15 s, then takes as long itself, and is
// written down: well within a minute. The first try is made within a second of the commit.
const default_pace: DispatcherPace = {
  lease_ms: 60_000,
  lease_spare_ms: 20_000,
  look_ms: 250,
  look_again_ms: 50,
  per_second: 540,
  queue: default_queue_pace,
  quotas: default_quotas,
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
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #write: (outcome: DeliveryAttempt) => Promise<boolean | undefined>
  readonly #under_way = new Set<Promise<void>>()
  readonly #quota: ResponseQuota
  readonly #rate: RateLimiter
  readonly #rate_failing: RateLimiter
  /** Lines that could begin, were it not for the worker's rate, in the order of their turn. */
  readonly #row = new Set<EndpointQueue>()
  #has_timer = false
  #is_stopping = false
  #disconnect_at_ms = 0
  #wake = () => {}

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#pace = { ...default_pace, ...parts.pace }
    this.#quota = parts.quota ?? new ResponseQuota()
    this.#rate = new RateLimiter(this.#pace.per_second)
    this.#rate_failing = new RateLimiter(this.#pace.per_second * failing_share)
    const limits = { batch_max: 64, queue_max: 65_536, gather_ms: write_every_ms }
    this.#write = coalesce(
      (outcomes: DeliveryAttempt[]) => this.#writeAll(outcomes),
      limits,
      tooBusy,
    )
  }

  /** Looks once, begins what it can, and comes back when there is reason to look again. */
  async round({ slots, signal }: JobContext): Promise<JobResult> {
    const refill_needed = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const busy = [...this.#queues.values()].filter((queue) => !queue.is_idle)
    const held = busy.map(({ endpoint }) => endpoint)
    const queues = this.#queuesOf(await findActive(this.#parts.db, slots, held))
    const more = await this.#fanOut(queues)
    const done = (await this.#claim(queues, false)) + (await this.#claim(queues, true))
    const { look_again_ms, look_ms } = this.#pace
    await this.#rest(look_again_ms, signal)
    if (!more && !this.#anyNeedsRefill())
      await this.#rest(look_ms - look_again_ms, signal, refill_needed)
    return { done, more: true }
  }

  /** Begins nothing more: the conversations under way have from now on to end. */
  stopAccepting(): void {
    this.#is_stopping = true
    this.#disconnect_at_ms = performance.now() + stop_ms
    this.#giveBack([...this.#queues.values()].flatMap((queue) => queue.drop()))
  }

  /** After the last round has ended: gives back what that took, and waits for what is under way. */
  async stop(): Promise<void> {
    if (!this.#is_stopping) this.stopAccepting()
    this.#giveBack([...this.#queues.values()].flatMap((queue) => queue.drop()))
    const ended = Promise.allSettled([...this.#under_way])
    const left_ms = Math.max(0, this.#disconnect_at_ms - performance.now())
    await Promise.race([ended, sleep(left_ms, undefined, { ref: false })])
    await this.#parts.webhookClient.disconnect()
    await ended
    // What was cut off is given back by now, or will be in a moment.
    await Promise.allSettled([...this.#under_way])
  }

  // Not for those that have enough written down: the rest of their events waits as numbers. To
  // write all that is there made creates half as fast.
  async #fanOut(queues: EndpointQueue[]): Promise<boolean> {
    const short = queues.filter((queue) => !queue.has_more)
    if (short.length === 0) return false
    const endpoints = short.map(({ endpoint }) => endpoint)
    const { more, written_for } = await fanOut(this.#parts.db, endpoints)
    for (const queue of short) if (written_for.has(queue.endpoint.id)) queue.noteNew()
    return more
  }

  #anyNeedsRefill(): boolean {
    for (const queue of this.#queues.values()) if (queue.needs_refill) return true
    return false
  }

  async #rest(for_ms: number, signal: AbortSignal, refill_needed?: Promise<void>): Promise<void> {
    const pause = new AbortController()
    const stop = () => pause.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const slept = sleep(for_ms, undefined, { signal: pause.signal }).catch(() => {})
    await (refill_needed === undefined ? slept : Promise.race([refill_needed, slept]))
    pause.abort()
    signal.removeEventListener('abort', stop)
  }

  #queuesOf(endpoints: EndpointRow[]): EndpointQueue[] {
    const known = new Set(endpoints.map(({ id }) => id))
    for (const [id, queue] of this.#queues) {
      if (!known.has(id)) this.#giveBack(queue.drop())
      if (!known.has(id) && queue.is_idle) this.#queues.delete(id)
    }
    return endpoints.map((endpoint) => {
      const queue = this.#queues.get(endpoint.id) ?? new EndpointQueue(endpoint, this.#pace.queue)
      queue.refresh(endpoint)
      this.#queues.set(endpoint.id, queue)
      return queue
    })
  }

  async #claim(all: EndpointQueue[], failing: boolean): Promise<number> {
    const asking = all.filter((queue) => queue.failing === failing && queue.capacity > 0)
    if (asking.length === 0 || this.#is_stopping) return 0
    const held = [...this.#queues.values()].filter((queue) => queue.failing === failing)
    const { lease_ms, lease_spare_ms, quotas } = this.#pace
    const allocation = allocateQuota(held, asking, failing ? quotas.failing : quotas.healthy)
    const lease = { id: newRealTimeUuid(Date.now()), for_ms: lease_ms }
    const begin_by_ms = performance.now() + lease_ms - lease_spare_ms
    const claimed = await claimDue(
      this.#parts.db,
      lease,
      capacitiesOf(allocation),
      allocation.limit,
    )
    const bodies = claimed.length === 0 ? new Map() : await this.#bodiesOf(claimed)
    const waiting = claimed.map((delivery) => ({
      delivery,
      body: bodies.get(delivery.id),
      lease_id: lease.id,
      begin_by_ms,
    }))
    enqueueClaimed(
      allocation,
      Map.groupBy(waiting, ({ delivery }) => delivery.endpoint_id),
    )
    for (const queue of asking) this.#pump(queue)
    return claimed.length
  }

  async #bodiesOf(claimed: ClaimedDelivery[]): Promise<Map<string, string>> {
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

  /** Begins as many as the queue may have under way. */
  #pump(queue: EndpointQueue): void {
    while (queue.may_begin && !this.#is_stopping) {
      // All stand in one row for the worker's own rate: whoever came first would take all of it.
      const is_free = this.#row.size === 0 && waitFor([this.#rate]) === 0
      if (is_free && this.#beginInTime(queue)) continue
      if (!is_free) this.#join(queue)
      return
    }
  }

  #join(queue: EndpointQueue): void {
    this.#row.add(queue)
    if (this.#has_timer) return
    this.#has_timer = true
    setTimeout(() => this.#serveRow(), waitFor([this.#rate]))
  }

  /** One for each in turn, as long as the rate lasts. */
  #serveRow(): void {
    this.#has_timer = false
    for (const queue of this.#row) {
      if (waitFor([this.#rate]) > 0) break
      this.#row.delete(queue)
      if (!queue.may_begin || this.#is_stopping) continue
      // Behind all others: a Set is walked in the order of joining.
      if (this.#beginInTime(queue) && queue.may_begin) this.#row.add(queue)
    }
    const [next] = this.#row
    if (next !== undefined) this.#join(next)
  }

  /** Unless its own rate, or that of all that fail, lets it wait: then it comes again by itself. */
  #beginInTime(queue: EndpointQueue): boolean {
    const rates = queue.failing ? [queue.rate, this.#rate_failing] : [queue.rate]
    const wait_ms = waitFor(rates)
    if (wait_ms > 0) queue.beginLater(wait_ms, () => this.#pump(queue))
    else this.#begin(queue, [...rates, this.#rate])
    return wait_ms === 0
  }

  #begin(queue: EndpointQueue, rates: RateLimiter[]): void {
    for (const rate of rates) rate.count(performance.now())
    const work = this.#send(queue, queue.begin())
    this.#under_way.add(work)
    void work.finally(() => {
      this.#under_way.delete(work)
      queue.end()
      this.#pump(queue)
      if (queue.needs_refill) this.#wake()
    })
  }

  async #send(queue: EndpointQueue, one: QueuedDelivery): Promise<void> {
    if (performance.now() > one.begin_by_ms) return this.#giveBack([one])
    try {
      const parts = { webhookClient: this.#parts.webhookClient, quota: this.#quota }
      const outcome = await attemptDelivery(parts, queue, one)
      queue.failing = outcome.status !== 'succeeded'
      // What was cut off by our own end says nothing about the receiver.
      if (this.#is_stopping && outcome.response_status === null) return this.#giveBack([one])
      await this.#write(outcome)
    } catch (error) {
      this.#parts.report?.(error)
    }
  }

  /** What was not sent costs no try and waits for no lease: whoever looks next has it. */
  #giveBack(unsent: QueuedDelivery[]): void {
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
    const { db, findRecipient } = this.#parts
    const given_up = await again(() => recordAttempts(db, outcomes))
    for (const one of given_up) await disableEndpoint(db, one, findRecipient)
    return outcomes.map(() => true)
  }
}

/** Without the accounts that hold all they may. */
function capacitiesOf({ accounts }: QuotaAllocation): AccountCapacity[] {
  return accounts
    .filter(({ capacity }) => capacity > 0)
    .map(({ account_id, capacity, queues }) => ({
      account_id,
      capacity,
      endpoints: queues.map((queue) => ({ id: queue.endpoint.id, capacity: queue.capacity })),
    }))
}

function waitFor(rates: RateLimiter[]): number {
  const now_ms = performance.now()
  return Math.max(...rates.map((rate) => rate.waitAt(now_ms)))
}

// A database that is away for a moment must not make a delivery that was taken be sent again.
const write_again_ms = [500, 2_000, 5_000]

async function again<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const wait_ms of write_again_ms) {
    try {
      return await write()
    } catch {
      await sleep(wait_ms)
    }
  }
  return write()
}
