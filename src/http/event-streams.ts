// Server-sent event streams: how many may be open, and what each one writes.

import { Readable } from 'node:stream'
import { type EventRow, eventJson } from '../events/event.ts'
import { EventHub, type EventSubscriber, type HubParts } from '../events/event-hub.ts'
import { readTypeFilter } from '../events/event-types.ts'
import { narrow } from '../events/list-events.ts'
import { findActingAccount, unknownActingAccount } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { visibleEventTypes } from '../identity/sessions/visible-events.ts'
import { type EventEnd, findEventEnd } from '../ledger/account-lock.ts'
import { findClosing } from '../ledger/closings.ts'
import type { Db } from '../postgres/database.ts'
import { Refusal, tooBusy } from '../primitives/refusal.ts'
import { ValidationFault } from './validation.ts'

// Per credential: a dashboard in a few windows and one or two servers. An account can have any
// number of credentials, so it has a limit too, which shrinks as free streams run short
// (#accountMax). Each stream holds a socket and at most 64 KiB plus one event of unread data:
// 100 MB in total.
const limits = {
  of_credential_max: 10,
  of_account_max: 100,
  in_all_max: 1_000,
  stalled_max_ms: 10_000,
  // Well below the 60 seconds of silence after which proxies, and Florin's own server, close a
  // connection.
  heartbeat_every_ms: 15_000,
}
type StreamLimits = typeof limits

interface StreamQuery {
  type?: string | undefined
  after?: number | undefined
  last_event_id: string | undefined
}

export class EventStreams {
  readonly #db: Db
  readonly #hub: EventHub
  readonly #limits: StreamLimits
  readonly #of_credential = new Map<string, number>()
  readonly #of_account = new Map<string, number>()
  #open = 0

  constructor(parts: HubParts, given: StreamLimits = limits) {
    this.#db = parts.db
    this.#hub = new EventHub(parts)
    this.#limits = given
  }

  /** Returns undefined when the account is closed and has no further events. */
  async open(caller: Caller, query: StreamQuery): Promise<Readable | undefined> {
    const visible = visibleEventTypes(caller)
    const types = narrow(readTypeFilter(query.type), visible)
    const shows_closing = visible === undefined || visible.includes('account.closed')
    const resumed = readLastEventId(query.last_event_id)
    const account_id = findActingAccount(caller)
    const end = account_id === undefined ? undefined : await findEventEnd(this.#db, account_id)
    if (account_id === undefined || end === undefined) throw unknownActingAccount(caller)
    const position = resumed ?? query.after ?? end.event_sequence
    requireReached(position, end)
    // Events follow until the last slice of a closing has run.
    const account_closed =
      end.status === 'closed' && (await findClosing(this.#db, account_id)) === undefined
    if (account_closed && !(await this.#hub.hasNext({ account_id, after: position }))) {
      return undefined
    }
    const leave = this.#enter(caller.principal_id, account_id)
    const stream = new EventStream(
      { account_id, position, token_hash: caller.token_hash },
      { types, shows_closing, account_closed, ...this.#limits },
    )
    stream.readable.once('close', () => {
      this.#hub.remove(stream)
      leave()
    })
    this.#hub.add(stream)
    return stream.readable
  }

  close(): void {
    this.#hub.close()
  }

  #enter(principal_id: string, account_id: string): () => void {
    const { in_all_max, of_credential_max } = this.#limits
    const of_credential = this.#of_credential.get(principal_id) ?? 0
    const of_account = this.#of_account.get(account_id) ?? 0
    if (this.#open >= in_all_max) throw tooBusy()
    if (of_credential >= of_credential_max) throw tooManyStreams('token', of_credential)
    if (of_account >= this.#accountMax()) throw tooManyStreams('account', of_account)
    this.#open += 1
    this.#of_credential.set(principal_id, of_credential + 1)
    this.#of_account.set(account_id, of_account + 1)
    return () => {
      this.#open -= 1
      countDown(this.#of_credential, principal_id)
      countDown(this.#of_account, account_id)
    }
  }

  /**
   * The number of streams one account may have now: a quarter of the free ones, at least one.
   * Ten accounts at their limit leave 160 of a thousand, and an account without a stream gets
   * one while any is free.
   */
  #accountMax(): number {
    const { in_all_max, of_account_max } = this.#limits
    const quarter = Math.floor((in_all_max - this.#open) / 4)
    return Math.max(1, Math.min(of_account_max, quarter))
  }
}

function countDown(counts: Map<string, number>, id: string): void {
  const left = counts.get(id)! - 1
  if (left === 0) counts.delete(id)
  else counts.set(id, left)
}

function readLastEventId(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new ValidationFault('"Last-Event-ID" must be the sequence number of an event.')
}

/**
 * Rejects a position from the future: the stream would stay silent until the account reached it.
 */
function requireReached(position: number, { event_sequence }: EventEnd): void {
  if (position <= event_sequence) return
  throw new ValidationFault(
    `The position must be at most ${event_sequence}, the account's last event; got ${position}.`,
  )
}

function tooManyStreams(whose: 'token' | 'account', count: number): Refusal {
  return new Refusal(
    'rate_limited',
    `This ${whose} already has ${count} open streams, its current limit. ` +
      'Close one before opening another.',
    { retry_after_s: 10 },
  )
}

// The limit of unread data per stream, plus or minus one event. Beyond it, delivery pauses until
// the client catches up.
const waiting_max_bytes = 65_536

interface StreamOptions extends StreamLimits {
  types: readonly string[] | undefined
  /** Whether the caller may see that the account was closed. */
  shows_closing: boolean
  account_closed: boolean
}

class EventStream implements EventSubscriber {
  readonly account_id: string
  position: number
  readonly token_hash: Buffer
  readonly account_closed: boolean
  readonly readable: Readable
  readonly #options: StreamOptions
  #ready = true
  #wrote_ms = performance.now()
  /** The last sequence number sent to the client. */
  #sent: number

  constructor(
    cursor: { account_id: string; position: number; token_hash: Buffer },
    options: StreamOptions,
  ) {
    this.account_id = cursor.account_id
    this.position = cursor.position
    this.#sent = cursor.position
    this.token_hash = cursor.token_hash
    this.account_closed = options.account_closed
    this.#options = options
    const read = () => {
      this.#ready = true
    }
    this.readable = new Readable({ highWaterMark: waiting_max_bytes, read })
    // Sent at once, so that the client receives the headers. It includes the position, or a
    // client that disconnects before its first event would lose its position and miss
    // events.
    this.#write(`retry: 1000\nid: ${this.position}\n\n`)
  }

  isReady(): boolean {
    return this.#ready
  }

  // One at a time, so that a stalled client buffers at most the limit plus one event.
  deliver(events: EventRow[]): number {
    let reached = this.position
    for (const event of events) {
      if (!this.#ready) break
      reached = event.sequence
      if (!this.#wants(event.type)) continue
      this.#sent = reached
      this.#write(toBlock(event))
    }
    return reached
  }

  heartbeat(now_ms: number): void {
    const silent_ms = now_ms - this.#wrote_ms
    // Disconnect a stalled client. It can reconnect and resume at its position.
    if (!this.#ready && silent_ms > this.#options.stalled_max_ms) this.readable.destroy()
    else if (this.#ready && silent_ms > this.#options.heartbeat_every_ms)
      this.#write(this.#heartbeat())
  }

  // An id without data is not an event, but updates the client's Last-Event-ID. A client with
  // a filter would otherwise resume far back and cause all skipped events to be read again.
  #heartbeat(): string {
    if (this.position === this.#sent) return ':\n\n'
    this.#sent = this.position
    return `id: ${this.position}\n\n`
  }

  end(): void {
    if (this.readable.destroyed) return
    // Send the final position, so that a client whose filter skipped the last events
    // reconnects after them.
    if (this.#ready && this.position !== this.#sent) this.#write(this.#heartbeat())
    if (!this.readable.destroyed) this.readable.push(null)
  }

  /** Includes account.closed in every filter: a client that misses it would reconnect forever. */
  #wants(type: string): boolean {
    const { types, shows_closing } = this.#options
    return (
      types === undefined || types.includes(type) || (shows_closing && type === 'account.closed')
    )
  }

  #write(text: string): void {
    if (this.readable.destroyed) return
    this.#wrote_ms = performance.now()
    this.#ready = this.readable.push(text)
  }
}

function toBlock(event: EventRow): string {
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`
}
