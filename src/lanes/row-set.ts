// The rows of one noun that the commands of a batch name or create, on top of the locked accounts.

import type { EventType } from '../events/record-event.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import type { LockedAccounts } from './locked-accounts.ts'

export interface RowKey {
  account_id: string
  id: string
}

export interface LaneRow extends RowKey {
  status: string
  updated_at: Date
}

/** What a set needs to know about its noun. */
interface RowKind<Row> {
  /** The data of events. */
  jsonOf(row: Row): string
  /** The error for an id without a row. */
  unknown(): Error
}

export class RowSet<Row extends LaneRow> {
  readonly locked: LockedAccounts
  readonly rows: Map<string, Row>
  readonly inserted: Row[] = []
  /** Changed rows, each with the status it still has in the database. */
  readonly changed = new Map<Row, Row['status']>()
  readonly #kind: RowKind<Row>
  readonly #unstored = new Set<Row>()

  constructor(locked: LockedAccounts, rows: Row[], kind: RowKind<Row>) {
    this.locked = locked
    this.#kind = kind
    this.rows = new Map(rows.map((row) => [rowKey(row.account_id, row.id), row]))
  }

  findRow(account_id: string, id: string): Row | undefined {
    return this.rows.get(rowKey(account_id, id))
  }

  getRow({ account_id, id }: RowKey): Row {
    const row = this.findRow(account_id, id)
    if (row === undefined) throw this.#kind.unknown()
    return row
  }

  insert(lock: AccountLock, row: Row): void {
    lock.last_transaction_id = row.id
    this.inserted.push(row)
    this.#unstored.add(row)
    this.rows.set(rowKey(row.account_id, row.id), row)
    this.locked.touch(lock, timeOfUuid(row.id))
  }

  change(lock: AccountLock, row: Row, changes: Partial<Row>): void {
    // A row created in this batch is not stored yet: it is inserted in its final state.
    if (!this.#unstored.has(row)) this.changed.set(row, this.changed.get(row) ?? row.status)
    Object.assign(row, changes)
    this.locked.touch(lock, row.updated_at)
  }

  addEvent(lock: AccountLock, type: EventType, row: Row): void {
    this.locked.addEvent(lock, type, row.id, this.#kind.jsonOf(row))
  }

  /**
   * Returns a function that undoes all inserts of the account since this call. It does not undo
   * changes of rows.
   */
  savepoint(account_id: string): () => void {
    const undoLedger = this.locked.savepoint(account_id)
    const inserted_before = this.inserted.length
    return () => {
      for (const row of this.inserted.splice(inserted_before)) {
        this.#unstored.delete(row)
        this.rows.delete(rowKey(row.account_id, row.id))
      }
      undoLedger()
    }
  }

  /** Grows with every change that a command makes. */
  get changes(): number {
    return this.locked.events.length
  }
}

export function rowKey(account_id: string, id: string): string {
  return account_id + id
}
