// The inbox of messages from providers. A message only names an object: it is stored, and a worker
// fetches the object's state and applies it. Duplicates, reordered and forged messages therefore
// change nothing. Lost ones are found by listing the changes at the provider every minute.

import type { JobContext, JobResult } from '../jobs/timer.ts'
import { type Lease, newLease, recordWithRetries } from '../outbox/lease.ts'
import { retrySchedule, withJitter } from '../outbox/retry-schedule.ts'
import type { Db } from '../postgres/database.ts'
import { type Sweep, sweepRows } from '../postgres/sweep.ts'
import {
  type Notice,
  type Provider,
  ProviderError,
  type Snapshot,
  type WebhookMessage,
} from './provider.ts'
import {
  type ClaimedEvent,
  claimEvents,
  type EventOutcome,
  insertEvents,
  oldEvents,
  recordError,
  recordEvent,
  recordSweep,
  recordWebhook,
  selectState,
} from './queries.ts'

export { countQueuedEvents } from './queries.ts'

/** False if the provider did not send the message: then nothing was read or written. */
export async function receiveWebhook(
  db: Db,
  provider: Provider,
  message: WebhookMessage,
): Promise<boolean> {
  const notice = await provider.readWebhook(message)
  if (notice === undefined) return false
  if (notice !== null) await insertEvents(db, provider.name, [notice])
  await recordWebhook(db, provider.name)
  return true
}

export interface InboxParts {
  db: Db
  providers: Provider[]
  /**
   * Fetches the object and applies its state. `unmatched`: it belongs to no checkout of this
   * server. `unknown`: the provider does not have it.
   */
  receive(
    provider: Provider,
    provider_id: string,
  ): Promise<'applied' | 'unknown' | { unmatched: Snapshot }>
  /** Called once per round and provider if something failed. */
  report(error: unknown, provider: Provider): void
}

// Each event takes up to three calls of up to 20 seconds. The circuit breaker ends a round early if
// the provider does not respond. Stripe accepts 25 calls per second in test mode.
const events_max = 20
const concurrency_max = 5
const lease_ms = 300_000

// Money may wait behind an event, so it is never given up: after the last delay, once a day.
const event_retries = retrySchedule('5s 30s 2m 10m 1h 4h 12h')
const longest_wait_ms = 86_400_000

/** The worker's job. */
export async function processEvents(parts: InboxParts, context: JobContext): Promise<JobResult> {
  const names = parts.providers.map(({ name }) => name)
  const lease = newLease(lease_ms)
  const events = await claimEvents(parts.db, lease, names, events_max)
  const objects = [...Map.groupBy(events, (event) => `${event.provider} ${event.provider_id}`)]
  const failures = new Map<Provider, unknown>()
  const next = async (): Promise<void> => {
    for (let found = objects.shift(); found !== undefined; found = objects.shift()) {
      await process(parts, found[1], { lease, failures, signal: context.signal })
    }
  }
  await Promise.all(Array.from({ length: concurrency_max }, next))
  for (const [provider, error] of failures) await noteFailure(parts, provider, error)
  return { done: events.length, more: events.length === events_max && failures.size === 0 }
}

interface Round {
  lease: Lease
  failures: Map<Provider, unknown>
  signal: AbortSignal
}

/** Events about the same object are processed by one fetch. */
async function process(parts: InboxParts, events: ClaimedEvent[], round: Round): Promise<void> {
  const [{ provider: name, provider_id }] = events as [ClaimedEvent]
  const provider = parts.providers.find((each) => each.name === name)!
  let outcome: EventOutcome | undefined
  try {
    // A worker that stops leaves the rest to another one.
    if (round.signal.aborted) outcome = { state: 'due', wait_ms: 0 }
    else outcome = await receive(parts, provider, provider_id)
  } catch (error) {
    round.failures.set(provider, error)
  }
  for (const event of events) {
    const recorded = outcome ?? retryOf(event)
    await recordWithRetries(() => recordEvent(parts.db, event, round.lease.id, recorded))
  }
}

function retryOf({ attempts }: ClaimedEvent): EventOutcome {
  return { state: 'due', wait_ms: event_retries.waitAfter(attempts) ?? withJitter(longest_wait_ms) }
}

async function receive(
  { receive: apply }: InboxParts,
  provider: Provider,
  provider_id: string,
): Promise<EventOutcome> {
  const result = await apply(provider, provider_id)
  // Only money counts: another program may create checkouts with the same key.
  if (typeof result === 'string' || result.unmatched.charge === null) return { state: 'done' }
  const { provider_id: found_id, charge, currency } = result.unmatched
  return {
    state: 'unmatched',
    unmatched: { provider_id: found_id, amount: charge.amount, currency },
  }
}

async function noteFailure(parts: InboxParts, provider: Provider, error: unknown): Promise<void> {
  parts.report(error, provider)
  if (!(error instanceof ProviderError)) return
  await recordError(parts.db, provider.name, error.message.slice(0, 500))
}

// A page has up to 100 changes. The next round continues where this one ends.
const pages_max = 50

/** The worker's job that finds changes whose message was lost. */
export async function listChanges(parts: InboxParts, { signal }: JobContext): Promise<JobResult> {
  let done = 0
  for (const provider of parts.providers) {
    try {
      done += await listChangesOf(parts.db, provider, signal)
    } catch (error) {
      await noteFailure(parts, provider, error)
    }
  }
  return { done, more: false }
}

async function listChangesOf(db: Db, provider: Provider, signal: AbortSignal): Promise<number> {
  let done = 0
  let cursor = (await selectState(db, provider.name))?.cursor ?? undefined
  for (let page = 0; page < pages_max && !signal.aborted; page++) {
    const changes = await provider.listChanges(cursor)
    const notices = withoutRepetition(changes.notices)
    await db.transaction(async (tx) => {
      if (notices.length > 0) await insertEvents(tx, provider.name, notices)
      await recordSweep(tx, provider.name, changes.cursor)
    })
    done += notices.length
    if (notices.length === 0) break
    cursor = changes.cursor
  }
  return done
}

/** In one order, so that two workers do not wait for each other. */
function withoutRepetition(notices: Notice[]): Notice[] {
  const unique = new Map(notices.map((notice) => [notice.event_id, notice]))
  return [...unique.values()].sort((a, b) => (a.event_id < b.event_id ? -1 : 1))
}

// Providers repeat a message for a few days at most.
const retention_ms = 30 * 86_400_000

export const sweepProviderEvents: Sweep = (db, signal) =>
  sweepRows(db, [oldEvents(new Date(Date.now() - retention_ms))], signal)
