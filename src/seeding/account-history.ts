// A year of one account, played by the same functions that decide about real requests, so that a
// demo's books are right for the same reason as everybody's.

import type { AccountLock } from '../ledger/lock-row.ts'
import { toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type CreateCommand, decide } from '../transactions/decide.ts'
import { metadataText } from '../transactions/metadata.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import { type RefundTotal, rowKey, type WorkingSet } from '../transactions/working-set.ts'
import {
  demoAmount,
  demoEnding,
  demoMetadata,
  demoReference,
  type Ending,
  inBusinessHours,
  pickType,
} from './demo-transactions.ts'
import type { Random } from './random.ts'

interface Open {
  row: TransactionRow
  ends_ms: number
  to: Ending['to']
}

// Enough to choose from; a refund of something old is rare.
const remembered_max = 50

export class AccountHistory {
  readonly #random: Random
  readonly #lock: AccountLock
  readonly #median_amount: number
  readonly #until_ms: number
  /** Ordered by when they end. Short: nearly all end within minutes. */
  readonly #open: Open[] = []
  readonly #payments: TransactionRow[] = []
  readonly #refunded = new Map<string, RefundTotal>()
  #set!: WorkingSet
  #left: number
  #drawn_ms: number

  constructor(
    random: Random,
    lock: AccountLock,
    plan: { count: number; median_amount: number; until: Date },
  ) {
    this.#random = random
    this.#lock = lock
    this.#median_amount = plan.median_amount
    this.#until_ms = plan.until.getTime()
    this.#left = plan.count
    this.#drawn_ms = lock.last_at.getTime()
  }

  get isOver(): boolean {
    return this.#left === 0
  }

  /** Plays on for at most so many transactions. What must be written is in the set then. */
  play(set: WorkingSet, count_max: number): void {
    this.#enter(set)
    for (let played = 0; played < count_max && this.#left > 0; played += 1) {
      const at_ms = this.#nextTime()
      this.#endUntil(at_ms)
      this.#create(at_ms)
    }
    if (this.isOver) this.#endUntil(this.#until_ms)
    this.#leave()
  }

  /** Brings along what may still be named, and nothing else: a long history needs little memory. */
  #enter(set: WorkingSet): void {
    this.#set = set
    const { account_id } = this.#lock
    set.locks.set(account_id, this.#lock)
    for (const row of this.#nameable()) set.rows.set(rowKey(account_id, row.id), row)
    for (const [key, total] of this.#refunded) set.refunded.set(key, total)
  }

  #leave(): void {
    const { account_id } = this.#lock
    this.#refunded.clear()
    for (const { id, refund_of } of this.#nameable()) {
      const key = rowKey(account_id, refund_of ?? id)
      const total = this.#set.refunded.get(key)
      if (total !== undefined) this.#refunded.set(key, total)
    }
  }

  #nameable(): TransactionRow[] {
    return [...this.#open.map(({ row }) => row), ...this.#payments]
  }

  // Times in order without sorting: the least of n that are left, then the least of n − 1 after it.
  #nextTime(): number {
    const share = 1 - this.#random.fraction() ** (1 / this.#left)
    this.#drawn_ms += (this.#until_ms - this.#drawn_ms) * share
    this.#left -= 1
    const drawn_ms = Math.floor(this.#drawn_ms)
    const at_ms = inBusinessHours(drawn_ms)
    return at_ms <= this.#until_ms ? at_ms : drawn_ms
  }

  #create(at_ms: number): void {
    this.#set.now = new Date(at_ms)
    const row = this.#tryCreditOrRefund() ?? decide(this.#set, this.#command('payment', null))
    const { to, after_ms } = demoEnding(this.#random)
    // The newest of every second account waits, so that a demo always has something pending.
    const waits = this.#left === 0 && this.#random.chance(0.5)
    if (waits || at_ms + after_ms > this.#until_ms) return
    const place = this.#open.findLastIndex(({ ends_ms }) => ends_ms <= at_ms + after_ms)
    this.#open.splice(place + 1, 0, { row, ends_ms: at_ms + after_ms, to })
  }

  /** Not every refund can be paid, nor has every payment something left: then it is none. */
  #tryCreditOrRefund(): TransactionRow | undefined {
    const type = pickType(this.#random)
    if (type === 'payment') return undefined
    const payment = this.#random.chance(0.7) ? this.#random.pick(this.#payments) : undefined
    const linked = type === 'refund' && payment !== undefined ? payment : null
    try {
      return decide(this.#set, this.#command(type, linked))
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  #command(type: CreateCommand['type'], linked: TransactionRow | null): CreateCommand {
    const random = this.#random
    const drawn = demoAmount(random, this.#median_amount)
    return {
      kind: 'create',
      account_id: this.#lock.account_id,
      amount: linked ? Math.min(drawn, linked.amount) : drawn,
      currency: this.#lock.currency,
      type,
      reference: linked
        ? toTypeId('transaction', linked.id)
        : demoReference(random, type, this.#set.now),
      metadata: metadataText(demoMetadata(random)),
      linked_id: linked?.id,
      // What is pending waits for a person: a worker would settle all of it within the minute.
      settle_after_ms: undefined,
    }
  }

  #endUntil(at_ms: number): void {
    while (this.#open[0] !== undefined && this.#open[0].ends_ms <= at_ms) {
      const { row, ends_ms, to } = this.#open.shift()!
      this.#set.now = new Date(ends_ms)
      const { account_id, id } = row
      decide(this.#set, { kind: 'end', account_id, id, to, if_not_pending: 'conflict' })
      if (row.type === 'payment' && to === 'succeeded') this.#remember(row)
    }
  }

  #remember(row: TransactionRow): void {
    if (this.#payments.length < remembered_max) this.#payments.push(row)
    else this.#payments[this.#random.below(remembered_max)] = row
  }
}
