// The in-memory state of a batch: the locked balance rows of its accounts, and the transactions its
// commands name, read after the locks. Commands are decided in arrival order, each on the result of
// the previous ones. All changes are written at the end.

import type { NumberedEvent } from '../events/event.ts'
import { newEventId } from '../events/event-id.ts'
import type { EventType } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Posting } from '../ledger/post.ts'
import { newUuid, nextUuid, timeOfUuid } from '../primitives/ids.ts'
import type { RequestState } from './payment-requests.ts'
import { type TransactionRow, wholeJson } from './transaction.ts'

export class WorkingSet {
  /** Constant within a batch; seeding advances it between commands. */
  now: Date
  readonly locks: Map<string, AccountLock>
  readonly rows: Map<string, TransactionRow>
  /** The refund totals of payments, by rowKey. */
  readonly refunded: Map<string, RefundTotal>
  /** The payment requests that refunds name by their id. */
  readonly requests: Map<string, RequestState>

  readonly inserted: TransactionRow[] = []
  /** Changed rows, each with the status it still has in the database. */
  readonly changed = new Map<TransactionRow, TransactionRow['status']>()
  readonly touched = new Set<AccountLock>()
  /** Keys of the totals that have changed. */
  readonly refunds_touched = new Set<string>()
  readonly postings: Posting[] = []
  readonly events: NumberedEvent[] = []
  readonly #unstored = new Set<TransactionRow>()

  constructor(
    now: Date,
    loaded: {
      locks: AccountLock[]
      rows: TransactionRow[]
      refunded: RefundTotal[]
      requests?: RequestState[]
    },
  ) {
    this.now = now
    this.locks = new Map(loaded.locks.map((lock) => [lock.account_id, lock]))
    this.rows = new Map(loaded.rows.map((row) => [rowKey(row.account_id, row.id), row]))
    this.refunded = new Map(
      loaded.refunded.map((total) => [rowKey(total.account_id, total.payment_id), total]),
    )
    this.requests = new Map(
      loaded.requests?.map((request) => [rowKey(request.account_id, request.id), request]),
    )
  }

  findRow(account_id: string, id: string): TransactionRow | undefined {
    return this.rows.get(rowKey(account_id, id))
  }

  /** Never earlier than the previous write under this lock. */
  timeOf(lock: AccountLock): Date {
    return this.now > lock.last_at ? this.now : lock.last_at
  }

  /**
   * The greater of a new id and the account's last id plus one, so ids are in commit order.
   * Transactions and payment requests share one last id: docs/decisions/0009.
   */
  nextId(lock: AccountLock): string {
    const fresh = newUuid(this.timeOf(lock).getTime())
    return fresh > lock.last_transaction_id ? fresh : nextUuid(lock.last_transaction_id)
  }

  insert(lock: AccountLock, row: TransactionRow): void {
    lock.last_transaction_id = row.id
    this.inserted.push(row)
    this.#unstored.add(row)
    this.rows.set(rowKey(row.account_id, row.id), row)
    this.touch(lock, timeOfUuid(row.id))
  }

  change(lock: AccountLock, row: TransactionRow, changes: Partial<TransactionRow>): void {
    const stored = this.changed.get(row) ?? row.status
    // A row created in this batch is not stored yet: it is inserted in its final state.
    if (!this.#unstored.has(row)) this.changed.set(row, stored)
    Object.assign(row, changes)
    this.touch(lock, row.updated_at)
  }

  findRequest(account_id: string, id: string): RequestState | undefined {
    return this.requests.get(rowKey(account_id, id))
  }

  /** A new refund adds its amount; a failed or canceled refund passes a negative amount. */
  addRefunded(account_id: string, payment_id: string, amount: number): void {
    const total = this.#refundTotal(account_id, payment_id)
    this.#changeRefunds({ ...total, amount: total.amount + amount })
  }

  settleRefund(account_id: string, payment_id: string, amount: number, at: Date): void {
    const total = this.#refundTotal(account_id, payment_id)
    const succeeded_amount = total.succeeded_amount + amount
    this.#changeRefunds({ ...total, succeeded_amount, last_succeeded_at: at })
  }

  #changeRefunds(total: RefundTotal): void {
    const key = rowKey(total.account_id, total.payment_id)
    this.refunded.set(key, total)
    this.refunds_touched.add(key)
  }

  #refundTotal(account_id: string, payment_id: string): RefundTotal {
    const known = this.refunded.get(rowKey(account_id, payment_id))
    const none = { amount: 0, succeeded_amount: 0, last_succeeded_at: null }
    return known ?? { account_id, payment_id, ...none }
  }

  /** The sum of pending and succeeded refunds, which counts against the payment's amount. */
  refundedOf(account_id: string, payment_id: string): number {
    return this.#refundTotal(account_id, payment_id).amount
  }

  addEvent(lock: AccountLock, type: EventType, row: TransactionRow): void {
    this.addObjectEvent(lock, type, row.id, wholeJson(row))
  }

  /** For any object of the account: all events of an account share one sequence. */
  addObjectEvent(lock: AccountLock, type: EventType, object_id: string, data: string): void {
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

  /** Marks the account as changed: its row is written, and later writes are not earlier. */
  touch(lock: AccountLock, at: Date): void {
    if (at > lock.last_at) lock.last_at = at
    this.touched.add(lock)
  }
}

export interface RefundTotal {
  account_id: string
  payment_id: string
  /** Pending and succeeded refunds together. */
  amount: number
  succeeded_amount: number
  last_succeeded_at: Date | null
}

export function rowKey(account_id: string, id: string): string {
  return account_id + id
}
