// Sends due deliveries. A worker claims them under a lease, queues them per endpoint, sends outside
// of any database transaction, and records each outcome. Delivery is at least once: if the worker
// dies after a receiver's 200 and before recording it, the lease expires and the delivery is sent
// again with the same webhook-id, so receivers can deduplicate.

import { setTimeout as sleep } from 'node:timers/promises'
import { findEvents } from '../../events/find-events.ts'
import type { JobContext, JobResult } from '../../jobs/timer.ts'
import { newLease, recordWithRetries } from '../../outbox/lease.ts'
import { coalesce } from '../../postgres/coalesce.ts'
import type { Db } from '../../postgres/database.ts'
import { tooBusy } from '../../primitives/refusal.ts'
import type { Tracer } from '../../tracing/tracer.ts'
import type { EndpointRow } from '../endpoint.ts'
import { messageOf } from '../message.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { claimDeliveries, releaseDeliveries } from './claim-deliveries.ts'
import { disableEndpoint, type FindRecipient } from './disable-endpoint.ts'
import {
  default_queue_pace,
  EndpointQueue,
  type EndpointQueuePace,
  type QueuedDelivery,
} from './endpoint-queue.ts'
import { fanOut } from './fan-out.ts'
import { findActive } from './find-active.ts'
import type { AccountCapacity, ClaimedDelivery } from './queries.ts'
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

interface DispatcherParts {
  db: Db
  webhookClient: WebhookClient
  findRecipient: FindRecipient
  /** Called when an outcome could not be recorded. The delivery is sent again after its lease. */
  report?: (error: unknown) => void
  pace?: Partial<DispatcherPace>
  quota?: ResponseQuota
  /** Absent unless traces are recorded. */
  tracer?: Tracer | undefined
}

export interface DispatcherPace {
  /** How long a claimed delivery is reserved for its worker. */
  lease_ms: number
  /** An attempt starts only if at least this much of its lease is left. */
  lease_margin_ms: number
  /** The polling interval. */
  poll_ms: number
  /** The polling interval while a queue needs a refill. */
  refill_poll_ms: number
  /** Requests per second of one worker. */
  per_second: number
  queue: EndpointQueuePace
  quotas: DeliveryQuotas
}

// Payments have priority: on two cores, a worker without a rate limit sent 3,500 requests per
// second and used most of a core. Polling at most 20 times per second batches the database
// statements. For more throughput, run more workers.
//
// The lease covers the worst case: a delivery waits in its queue for a 15 s timeout, times out
// after 15 s itself, and is recorded. The first attempt starts within a second of the commit.
const default_pace: DispatcherPace = {
  lease_ms: 60_000,
  lease_margin_ms: 20_000,
  poll_ms: 250,
  refill_poll_ms: 50,
  per_second: 540,
  queue: default_queue_pace,
  quotas: default_quotas,
}

// Outcomes are recorded in batches, because each statement costs as much as a payment. A crash
// loses at most one batch, which is sent again.
const record_every_ms = 25

// Limits failing endpoints to a fifth of a worker's requests. Otherwise an endpoint that fails fast
// could use up the whole rate. An endpoint counts as healthy again after one success.
const failing_share = 0.2

// Grace period on shutdown, so that few deliveries are interrupted and sent twice.
const stop_ms = 4_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #pace: DispatcherPace
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #record: (outcome: DeliveryAttempt) => Promise<boolean | undefined>
  readonly #in_flight = new Set<Promise<void>>()
  readonly #quota: ResponseQuota
  readonly #rate: RateLimiter
  readonly #failing_rate: RateLimiter
  /** Round robin: queues that wait for the worker's rate limit, in order. */
  readonly #waiting = new Set<EndpointQueue>()
  #has_timer = false
  #is_stopping = false
  #disconnect_at_ms = 0
  #wake = () => {}

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#pace = { ...default_pace, ...parts.pace }
    this.#quota = parts.quota ?? new ResponseQuota()
    this.#rate = new RateLimiter(this.#pace.per_second)
    this.#failing_rate = new RateLimiter(this.#pace.per_second * failing_share)
    const limits = { batch_max: 64, queue_max: 65_536, gather_ms: record_every_ms }
    this.#record = coalesce(
      (outcomes: DeliveryAttempt[]) => this.#recordAll(outcomes),
      limits,
      tooBusy,
    )
  }

  /** Polls once and starts deliveries. Resolves when it is time to poll again. */
  async round({ slots, signal }: JobContext): Promise<JobResult> {
    const refill_needed = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const busy = [...this.#queues.values()].filter((queue) => !queue.is_idle)
    const endpoints = busy.map(({ endpoint }) => endpoint)
    const queues = this.#queuesOf(await findActive(this.#parts.db, slots, endpoints))
    const more = await this.#fanOut(queues)
    const done = (await this.#claim(queues, false)) + (await this.#claim(queues, true))
    const { refill_poll_ms, poll_ms } = this.#pace
    await this.#pause(refill_poll_ms, signal)
    if (!more && !this.#anyNeedsRefill())
      await this.#pause(poll_ms - refill_poll_ms, signal, refill_needed)
    return { done, more: true }
  }

  /** Starts no more deliveries. The grace period for requests in flight begins now. */
  stopAccepting(): void {
    this.#is_stopping = true
    this.#disconnect_at_ms = performance.now() + stop_ms
    this.#release([...this.#queues.values()].flatMap((queue) => queue.drain()))
  }

  /** Call after the last round. Releases unsent deliveries and waits for requests in flight. */
  async stop(): Promise<void> {
    if (!this.#is_stopping) this.stopAccepting()
    this.#release([...this.#queues.values()].flatMap((queue) => queue.drain()))
    const ended = Promise.allSettled([...this.#in_flight])
    const left_ms = Math.max(0, this.#disconnect_at_ms - performance.now())
    await Promise.race([ended, sleep(left_ms, undefined, { ref: false })])
    await this.#parts.webhookClient.disconnect()
    await ended
    // Aborted requests add release statements, so wait for those too.
    await Promise.allSettled([...this.#in_flight])
  }

  // Skips endpoints that have enough deliveries stored. Their other events wait as sequence
  // numbers. Storing a delivery for every event at once halved the throughput of creates.
  async #fanOut(queues: EndpointQueue[]): Promise<boolean> {
    const low = queues.filter((queue) => !queue.has_more)
    if (low.length === 0) return false
    const endpoints = low.map(({ endpoint }) => endpoint)
    const { more, written_for } = await fanOut(this.#parts.db, endpoints)
    for (const queue of low) if (written_for.has(queue.endpoint.id)) queue.markNew()
    return more
  }

  #anyNeedsRefill(): boolean {
    for (const queue of this.#queues.values()) if (queue.needs_refill) return true
    return false
  }

  async #pause(for_ms: number, signal: AbortSignal, refill_needed?: Promise<void>): Promise<void> {
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
      if (!known.has(id)) this.#release(queue.drain())
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
    const candidates = all.filter((queue) => queue.failing === failing && queue.capacity > 0)
    if (candidates.length === 0 || this.#is_stopping) return 0
    const same_health = [...this.#queues.values()].filter((queue) => queue.failing === failing)
    const { lease_ms, lease_margin_ms, quotas } = this.#pace
    const allocation = allocateQuota(
      same_health,
      candidates,
      failing ? quotas.failing : quotas.healthy,
    )
    const lease = newLease(lease_ms)
    const start_by_ms = performance.now() + lease_ms - lease_margin_ms
    const claimed = await claimDeliveries(
      this.#parts.db,
      lease,
      capacitiesOf(allocation),
      allocation.limit,
    )
    const bodies = claimed.length === 0 ? new Map() : await this.#bodiesOf(claimed)
    const queued = claimed.map((delivery) => ({
      delivery,
      body: bodies.get(delivery.id),
      lease_id: lease.id,
      start_by_ms,
    }))
    enqueueClaimed(
      allocation,
      Map.groupBy(queued, ({ delivery }) => delivery.endpoint_id),
    )
    for (const queue of candidates) this.#startQueued(queue)
    return claimed.length
  }

  async #bodiesOf(claimed: ClaimedDelivery[]): Promise<Map<string, string>> {
    const names = claimed.flatMap(({ account_id, event_sequence }) =>
      event_sequence === null ? [] : [{ account_id, sequence: event_sequence }],
    )
    const key = (account_id: string, sequence: number) => `${account_id} ${sequence}`
    const messages = new Map<string, string>()
    // Several endpoints can receive the same event, so it is read and serialized once.
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

  /** Starts deliveries up to the queue's concurrency limit. */
  #startQueued(queue: EndpointQueue): void {
    while (queue.can_start && !this.#is_stopping) {
      // Queues take turns for the worker's rate limit, or the first would use all of it.
      const is_free = this.#waiting.size === 0 && waitFor([this.#rate]) === 0
      if (is_free && this.#startWithinRate(queue)) continue
      if (!is_free) this.#wait(queue)
      return
    }
  }

  #wait(queue: EndpointQueue): void {
    this.#waiting.add(queue)
    if (this.#has_timer) return
    this.#has_timer = true
    setTimeout(() => this.#serveWaiting(), waitFor([this.#rate]))
  }

  /** Starts one delivery per queue in turn while the rate limit allows. */
  #serveWaiting(): void {
    this.#has_timer = false
    for (const queue of this.#waiting) {
      if (waitFor([this.#rate]) > 0) break
      this.#waiting.delete(queue)
      if (!queue.can_start || this.#is_stopping) continue
      // Moves to the end: a Set iterates in insertion order.
      if (this.#startWithinRate(queue) && queue.can_start) this.#waiting.add(queue)
    }
    const [next] = this.#waiting
    if (next !== undefined) this.#wait(next)
  }

  /** Returns false if the queue's rate limit or the limit for failing ones delays the start. */
  #startWithinRate(queue: EndpointQueue): boolean {
    const rates = queue.failing ? [queue.rate, this.#failing_rate] : [queue.rate]
    const wait_ms = waitFor(rates)
    if (wait_ms > 0) queue.startLater(wait_ms, () => this.#startQueued(queue))
    else this.#start(queue, [...rates, this.#rate])
    return wait_ms === 0
  }

  #start(queue: EndpointQueue, rates: RateLimiter[]): void {
    for (const rate of rates) rate.count(performance.now())
    const work = this.#send(queue, queue.start())
    this.#in_flight.add(work)
    void work.finally(() => {
      this.#in_flight.delete(work)
      queue.finish()
      this.#startQueued(queue)
      if (queue.needs_refill) this.#wake()
    })
  }

  async #send(queue: EndpointQueue, one: QueuedDelivery): Promise<void> {
    if (performance.now() > one.start_by_ms) return this.#release([one])
    try {
      const { webhookClient, tracer } = this.#parts
      const parts = { webhookClient, tracer, quota: this.#quota }
      const outcome = await attemptDelivery(parts, queue, one)
      queue.failing = outcome.status !== 'succeeded'
      // A request that the shutdown interrupted does not count as a failed attempt.
      if (this.#is_stopping && outcome.response_status === null) return this.#release([one])
      await this.#record(outcome)
    } catch (error) {
      this.#parts.report?.(error)
    }
  }

  /** Releases unsent deliveries: they use up no attempt and can be claimed immediately. */
  #release(unsent: QueuedDelivery[]): void {
    if (unsent.length === 0) return
    const rows = unsent.map(({ delivery: { account_id, id }, lease_id }) => ({
      account_id,
      id,
      lease_id,
    }))
    const report = (error: unknown) => this.#parts.report?.(error)
    const work = releaseDeliveries(this.#parts.db, rows).catch(report)
    this.#in_flight.add(work)
    void work.finally(() => this.#in_flight.delete(work))
  }

  async #recordAll(outcomes: DeliveryAttempt[]): Promise<true[]> {
    const { db, findRecipient } = this.#parts
    const to_disable = await recordWithRetries(() => recordAttempts(db, outcomes))
    for (const one of to_disable) await disableEndpoint(db, one, findRecipient)
    return outcomes.map(() => true)
  }
}

/** Omits accounts that have used up their quota. */
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
