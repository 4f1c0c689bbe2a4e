// The accounts of a batch: their locked balance rows, and the postings and events that are added
// under these locks. Commands are decided in arrival order, each on the result of the previous
// ones. All changes are written at the end.

import type { NumberedEvent } from '../events/event.ts'
import { newEventId } from '../events/event-id.ts'
import type { EventType } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Posting } from '../ledger/post.ts'
import { newUuid, nextUuid } from '../primitives/ids.ts'

export class LockedAccounts {
  /** Constant within a batch; seeding advances it between commands. */
  now: Date
  readonly locks: Map<string, AccountLock>
  readonly touched = new Set<AccountLock>()
  readonly postings: Posting[] = []
  readonly events: NumberedEvent[] = []
  readonly #closing: readonly string[] | undefined

  /**
   * `closing` is given in lanes: the accounts whose closing is in progress. Money may still arrive
   * for a closed account, but it gets no events: account.closed is the last one.
   */
  constructor(now: Date, locks: AccountLock[], closing?: readonly string[]) {
    this.now = now
    this.#closing = closing
    this.locks = new Map(locks.map((lock) => [lock.account_id, lock]))
  }

  /** Never earlier than the previous write under this lock. */
  timeOf(lock: AccountLock): Date {
    // While open rows remain, `last_at` is the closing time: see ledger/closings.ts.
    if (this.#closing?.includes(lock.account_id)) return lock.last_at
    return this.now > lock.last_at ? this.now : lock.last_at
  }

  /**
   * The greater of a new id and the account's last id plus one, so ids are in commit order. All
   * nouns share one last id: docs/decisions/0009.
   */
  nextId(lock: AccountLock): string {
    const fresh = newUuid(this.timeOf(lock).getTime())
    return fresh > lock.last_transaction_id ? fresh : nextUuid(lock.last_transaction_id)
  }

  /** Marks the account as changed: its row is written, and later writes are not earlier. */
  touch(lock: AccountLock, at: Date): void {
    if (at > lock.last_at) lock.last_at = at
    this.touched.add(lock)
  }

  /** All events of an account share one sequence. */
  addEvent(lock: AccountLock, type: EventType, object_id: string, data: string): void {
    if (lock.status === 'closed' && this.#closing !== undefined) return
    lock.event_sequence += 1
    this.events.push({
      account_id: lock.account_id,
      sequence: lock.event_sequence,
      id: newEventId(lock.last_at, lock.event_sequence),
      type,
      object_id,
      at: lock.last_at,
      data,
    })
  }

  /** Returns a function that undoes all changes of the account since this call. */
  savepoint(account_id: string): () => void {
    const lock = this.locks.get(account_id)
    const before = { ...lock }
    const was_touched = lock !== undefined && this.touched.has(lock)
    const { length: postings } = this.postings
    const { length: events } = this.events
    return () => {
      if (lock === undefined) return
      Object.assign(lock, before)
      if (!was_touched) this.touched.delete(lock)
      this.postings.length = postings
      this.events.length = events
    }
  }
}
