// The transfers of one account that a change reads or writes, under the account lock. Not a lane:
// every step locks one account only, so transfers in opposite directions cannot deadlock.

import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import { RowSet } from '../lanes/row-set.ts'
import { listClosings } from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Tx } from '../postgres/database.ts'
import { sendNewTransfers, sendTransferChanges } from './queries.ts'
import { presentTransfer, type TransferRow, unknownTransfer } from './transfer.ts'

export class TransferSet extends RowSet<TransferRow> {
  /** A receipt has the id of its transfer, so it does not advance the ids of its account. */
  readonly receipts: TransferRow[] = []

  constructor(locked: LockedAccounts, rows: TransferRow[] = []) {
    super(locked, rows, { jsonOf, unknown: unknownTransfer })
  }
}

const jsonOf = (row: TransferRow) => JSON.stringify(presentTransfer(row))

/** A closed account gets no events, and while its closing is in progress, no later times. */
export async function openTransferSet(
  tx: Tx,
  lock: AccountLock,
  rows: TransferRow[] = [],
): Promise<TransferSet> {
  const closings = lock.status === 'closed' ? await listClosings(tx) : []
  return new TransferSet(new LockedAccounts(tx.now, [lock], closings), rows)
}

export function writeTransfers(tx: Tx, set: TransferSet): void {
  writeChanges(tx, set, writeRows)
}

function writeRows(tx: Tx, { inserted, receipts, changed }: TransferSet): void {
  const added = [...inserted, ...receipts]
  if (added.length > 0) sendNewTransfers(tx, added)
  if (changed.size > 0) sendTransferChanges(tx, [...changed.keys()])
}
