// What a batch of commands is decided over: the locked rows of its accounts and the transactions
// its commands name, read after the locks. Commands are decided in arrival order, each on what the
// ones before it left; what they changed is written at the end in one go.

import { newEventId } from '../events/event-id.ts'
import type { NumberedEvent } from '../events/numbered-event.ts'
import type { EventType } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Posting } from '../ledger/post.ts'
import { newUuid, nextUuid, timeOfUuid } from '../primitives/ids.ts'
import type { RequestState } from './payment-requests.ts'
import { type TransactionRow, wholeJson } from './transaction.ts'

export class WorkingSet {
  /** Stands still for a batch; seeding moves it on from one command to the next. */
  now: Date
  readonly locks: Map<string, AccountLock>
  readonly rows: Map<string, TransactionRow>
  /** What has been refunded of each payment. */
  readonly refunded: Map<string, RefundTotal>
  /** The payment requests that refunds name by their id. */
  readonly requests: Map<string, RequestState>

  readonly inserted: TransactionRow[] = []
  /** Rows that were read and have changed, with the status they are still stored under. */
  readonly changed = new Map<TransactionRow, TransactionRow['status']>()
  readonly touched = new Set<AccountLock>()
  /** Keys of the totals that have changed. */
  readonly refunds_touched = new Set<string>()
  readonly postings: Posting[] = []
  readonly events: NumberedEvent[] = []
  readonly #unstored = new Set<TransactionRow>()

  constructor(
    now: Date,
    read: {
      locks: AccountLock[]
      rows: TransactionRow[]
      refunded: RefundTotal[]
      requests?: RequestState[]
    },
  ) {
    this.now = now
    this.locks = new Map(read.locks.map((lock) => [lock.account_id, lock]))
    this.rows = new Map(read.rows.map((row) => [rowKey(row.account_id, row.id), row]))
    this.refunded = new Map(
      read.refunded.map((total) => [rowKey(total.account_id, total.payment_id), total]),
    )
    this.requests = new Map(
      read.requests?.map((request) => [rowKey(request.account_id, request.id), request]),
    )
  }

  findRow(account_id: string, id: string): TransactionRow | undefined {
    return this.rows.get(rowKey(account_id, id))
  }

  /** Never earlier than what was written under this lock before. */
  timeOf(lock: AccountLock): Date {
    return this.now > lock.last_at ? this.now : lock.last_at
  }

  /**
   * The greater of now's id and the account's last plus one: id order is commit order. Transactions
   * and payment requests share the last one: docs/decisions/0009.
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
    // A row made in this very batch is not stored yet: it is inserted as it ends up.
    if (!this.#unstored.has(row)) this.changed.set(row, stored)
    Object.assign(row, changes)
    this.touch(lock, row.updated_at)
  }

  findRequest(account_id: string, id: string): RequestState | undefined {
    return this.requests.get(rowKey(account_id, id))
  }

  /** A new refund adds its amount; one that fails or is canceled takes it off again. */
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

  /** Pending and succeeded together: what counts against the payment's amount. */
  refundedOf(account_id: string, payment_id: string): number {
    return this.#refundTotal(account_id, payment_id).amount
  }

  addEvent(lock: AccountLock, type: EventType, row: TransactionRow): void {
    this.addObjectEvent(lock, type, row.id, wholeJson(row))
  }

  /** Of any object of the account: its events have one order. */
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

  /** Something of this account changed: its row is written, and later times come no earlier. */
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
