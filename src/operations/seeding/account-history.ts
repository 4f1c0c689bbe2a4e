// Generates a year of transactions of one account with the functions that decide real requests, so
// demo data follows the same ledger rules.

import { rowKey } from '../../lanes/row-set.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { type CreateCommand, decide } from '../../transactions/decide.ts'
import { metadataText } from '../../transactions/metadata.ts'
import type { TransactionRow } from '../../transactions/transaction.ts'
import type { RefundTotal, TransactionSet } from '../../transactions/transaction-set.ts'
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

interface OpenTransaction {
  row: TransactionRow
  ends_ms: number
  to: Ending['to']
}

// Candidates for linked refunds; refunds of old payments are rare.
const remembered_max = 50

export class AccountHistory {
  readonly #random: Random
  readonly #lock: AccountLock
  readonly #median_amount: number
  readonly #until_ms: number
  /** Ordered by end time. Short, because nearly all end within minutes. */
  readonly #open: OpenTransaction[] = []
  readonly #payments: TransactionRow[] = []
  readonly #refunded = new Map<string, RefundTotal>()
  #set!: TransactionSet
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

  /** Generates at most `count_max` transactions and adds the changes to the set. */
  play(set: TransactionSet, count_max: number): void {
    this.#enter(set)
    for (let played = 0; played < count_max && this.#left > 0; played += 1) {
      const at_ms = this.#nextTime()
      this.#endUntil(at_ms)
      this.#create(at_ms)
    }
    if (this.isOver) this.#endUntil(this.#until_ms)
    this.#leave()
  }

  /** Loads only the rows that later commands can reference, to bound memory. */
  #enter(set: TransactionSet): void {
    this.#set = set
    const { account_id } = this.#lock
    set.locked.locks.set(account_id, this.#lock)
    for (const row of this.#referable()) set.rows.set(rowKey(account_id, row.id), row)
    for (const [key, total] of this.#refunded) set.refunded.set(key, total)
  }

  #leave(): void {
    const { account_id } = this.#lock
    this.#refunded.clear()
    for (const { id, refund_of } of this.#referable()) {
      const key = rowKey(account_id, refund_of ?? id)
      const total = this.#set.refunded.get(key)
      if (total !== undefined) this.#refunded.set(key, total)
    }
  }

  #referable(): TransactionRow[] {
    return [...this.#open.map(({ row }) => row), ...this.#payments]
  }

  // Draws sorted random times without sorting: the minimum of n draws, then of n − 1 after it.
  #nextTime(): number {
    const share = 1 - this.#random.fraction() ** (1 / this.#left)
    this.#drawn_ms += (this.#until_ms - this.#drawn_ms) * share
    this.#left -= 1
    const drawn_ms = Math.floor(this.#drawn_ms)
    const at_ms = inBusinessHours(drawn_ms)
    return at_ms <= this.#until_ms ? at_ms : drawn_ms
  }

  #create(at_ms: number): void {
    this.#set.locked.now = new Date(at_ms)
    const row = this.#tryCreditOrRefund() ?? decide(this.#set, this.#command('payment', null))
    const { to, after_ms } = demoEnding(this.#random)
    // In half of the accounts the newest transaction stays pending, so a demo always has some.
    const waits = this.#left === 0 && this.#random.chance(0.5)
    if (waits || at_ms + after_ms > this.#until_ms) return
    const previous = this.#open.findLastIndex(({ ends_ms }) => ends_ms <= at_ms + after_ms)
    this.#open.splice(previous + 1, 0, { row, ends_ms: at_ms + after_ms, to })
  }

  /** Returns undefined if the funds or the payment's refundable amount are too small. */
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
        : demoReference(random, type, this.#set.locked.now),
      metadata: metadataText(demoMetadata(random)),
      linked_id: linked?.id,
      // Pending transactions must stay pending: with a due time, a worker would settle them.
      settle_after_ms: undefined,
    }
  }

  #endUntil(at_ms: number): void {
    while (this.#open[0] !== undefined && this.#open[0].ends_ms <= at_ms) {
      const { row, ends_ms, to } = this.#open.shift()!
      this.#set.locked.now = new Date(ends_ms)
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
