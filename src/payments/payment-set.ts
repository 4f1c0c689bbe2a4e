// The in-memory state of a batch of payment request commands: the requests that the commands name
// and the emails to send, on top of the working set of transactions. A paid request creates a
// transaction, and both update the same locked balance row.

import type { AccountRow } from '../accounts/account.ts'
import type { Email } from '../email/email.ts'
import type { EventType } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import type { CardAttempt } from '../processors/processor.ts'
import { rowKey, type WorkingSet } from '../transactions/working-set.ts'
import type { AttemptRow } from './attempt.ts'
import { type PaymentRow, type PaymentStatus, wholeJson } from './payment.ts'

export interface LoadedRows {
  rows: PaymentRow[]
  /** For the emails: the name, language and time zone of the account. */
  accounts: AccountRow[]
}

export class PaymentSet {
  readonly money: WorkingSet
  readonly public_url: string
  readonly rows: Map<string, PaymentRow>
  readonly accounts: Map<string, AccountRow>

  readonly inserted: PaymentRow[] = []
  /** Changed rows, each with the status it still has in the database. */
  readonly changed = new Map<PaymentRow, PaymentStatus>()
  readonly attempts: AttemptRow[] = []
  readonly emails: Email[] = []
  readonly #unstored = new Set<PaymentRow>()

  constructor(money: WorkingSet, public_url: string, { rows, accounts }: LoadedRows) {
    this.money = money
    this.public_url = public_url
    this.rows = new Map(rows.map((row) => [rowKey(row.account_id, row.id), row]))
    this.accounts = new Map(accounts.map((account) => [account.id, account]))
  }

  findRow(account_id: string, id: string): PaymentRow | undefined {
    return this.rows.get(rowKey(account_id, id))
  }

  insert(lock: AccountLock, row: PaymentRow): void {
    // Requests and transactions take their ids from one sequence: docs/decisions/0009.
    lock.last_transaction_id = row.id
    this.inserted.push(row)
    this.#unstored.add(row)
    this.rows.set(rowKey(row.account_id, row.id), row)
    this.money.touch(lock, timeOfUuid(row.id))
  }

  change(lock: AccountLock, row: PaymentRow, changes: Partial<PaymentRow>): void {
    const stored = this.changed.get(row) ?? row.status
    // A row created in this batch is not stored yet: it is inserted in its final state.
    if (!this.#unstored.has(row)) this.changed.set(row, stored)
    Object.assign(row, changes)
    this.money.touch(lock, row.updated_at)
  }

  addAttempt(lock: AccountLock, row: PaymentRow, attempt: CardAttempt & { number: number }): void {
    const created_at = this.money.timeOf(lock)
    this.attempts.push({
      account_id: row.account_id,
      payment_id: row.id,
      number: attempt.number,
      created_at,
      outcome: attempt.decline_code === null ? 'succeeded' : 'declined',
      decline_code: attempt.decline_code,
      card_brand: attempt.card.brand,
      card_last4: attempt.card.last4,
    })
    // Null for requests that predate stored attempts: their total is unknown.
    if (row.attempts !== null) row.attempts += 1
    this.money.touch(lock, created_at)
  }

  addEvent(lock: AccountLock, type: EventType, row: PaymentRow): void {
    this.money.addObjectEvent(lock, type, row.id, wholeJson(row, this.public_url))
  }

  /** Grows with every change that a command makes. */
  get changes(): number {
    return this.money.events.length + this.emails.length + this.attempts.length
  }
}
