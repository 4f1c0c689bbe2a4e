// The worker credits transfers in transit. Three steps, each a transaction that locks one account:
// the target's receipt, the receipt of the fee account, and the end of the transfer in the source.
// A receipt is written once under the lock of its account, with the posting or with the reason for
// the rejection, and never changes. So a crash between two steps loses nothing and repeats nothing:
// the next attempt finds the receipts. What was rejected returns to the source in the last step.

import { AlreadyHandled, type DueWork, dueJob, runAllDue } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { lockAccountIfExists } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { hasRoom, post } from '../ledger/post.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { selectTransfers, selectTransfersInTransit, type TransferInTransit } from './queries.ts'
import { type RejectionReason, receivedAmount, type TransferRow } from './transfer.ts'
import { openTransferSet, type TransferSet, writeTransfers } from './transfer-set.ts'

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function completeTransfersJob(
  db: Db,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(db, workOf(db), report)
}

/** Completes everything that is in transit now, regardless of job leases. */
export function completeAllTransfers(db: Db, by: Date, within_ms: number): Promise<void> {
  return runAllDue(workOf(db), by, within_ms)
}

// A worker has four clients. A round has up to a thousand rows, and those of one target would only
// wait for each other's lock.
const turns = { concurrency_max: 3, wait_max_ms: 60_000 }

function workOf(db: Db): DueWork<TransferInTransit> {
  const takeTurn = createFairQueue(turns)
  return {
    find: (search) => selectTransfersInTransit(db, search),
    act: (row, { signal }) =>
      takeTurn(row.to_account_id, () => complete(db, row), {
        isWanted: () => signal?.aborted !== true,
      }),
  }
}

async function complete(db: Db, { account_id, id }: TransferInTransit): Promise<void> {
  const [row] = await selectTransfers(db, [{ account_id, id }])
  if (row?.status !== 'in_transit') throw new AlreadyHandled()
  const target = await receive(db, { ...row, side: 'in', account_id: row.to_account_id })
  if (target !== null) return end(db, row, 'returned', { amount: row.amount, reason: target })
  if (row.fee_account_id === null) return end(db, row, 'completed')
  const fee = await receive(db, { ...row, side: 'fee', account_id: row.fee_account_id })
  // The target has its money, so the transfer is completed. The source gets the fee back.
  return end(db, row, 'completed', fee === null ? none : { amount: row.fee_amount, reason: fee })
}

/** Returns null if the account has the money, else why it was rejected. */
function receive(db: Db, receipt: TransferRow): Promise<RejectionReason | null> {
  return db.transaction(async (tx) => {
    const { account_id, id } = receipt
    const lock = await lockAccountIfExists(tx, account_id)
    if (lock === undefined) throw new Error(`transfer ${id} names an account without a balance`)
    const [known] = await selectTransfers(tx, [{ account_id, id }])
    if (known !== undefined) return known.reason
    const reason = rejectionOf(lock, receipt)
    if (reason === null) await credit(tx, lock, receipt)
    else await reject(tx, lock, { ...receipt, status: 'rejected', reason })
    return reason
  })
}

function rejectionOf(lock: AccountLock, receipt: TransferRow): RejectionReason | null {
  if (lock.status === 'closed') return 'account_closed'
  if (lock.status !== 'active') return 'account_not_active'
  if (lock.currency !== receipt.currency) return 'currency_changed'
  return hasRoom(lock, receivedAmount(receipt)) ? null : 'balance_limit'
}

async function credit(tx: Tx, lock: AccountLock, receipt: TransferRow): Promise<void> {
  const set = await openTransferSet(tx, lock)
  const at = latest(set.locked.timeOf(lock), timeOfUuid(receipt.id))
  const row: TransferRow = { ...receipt, status: 'completed', updated_at: at }
  const { id: transaction_id } = row
  const posting = {
    transaction_id,
    movement: 'reinstate',
    amount: receivedAmount(row),
    at,
  } as const
  set.locked.postings.push(...post(lock, posting))
  set.receipts.push(row)
  set.locked.touch(lock, at)
  set.addEvent(lock, 'transfer.received', row)
  writeTransfers(tx, set)
}

/** The account itself does not change: it may be closed. */
async function reject(tx: Tx, lock: AccountLock, row: TransferRow): Promise<void> {
  const set = await openTransferSet(tx, lock)
  set.receipts.push(row)
  writeTransfers(tx, set)
  tx.proveByRow(lock.account_id)
}

/** The clock of the source may have been ahead when the transfer was created. */
function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}

interface ReturnedPart {
  amount: number
  reason: RejectionReason | null
}

const none: ReturnedPart = { amount: 0, reason: null }

function end(
  db: Db,
  { account_id, id }: TransferRow,
  status: 'completed' | 'returned',
  returned: ReturnedPart = none,
): Promise<void> {
  return db.transaction(async (tx) => {
    const lock = await lockAccountIfExists(tx, account_id)
    const [row] = lock === undefined ? [] : await selectTransfers(tx, [{ account_id, id }])
    if (lock === undefined || row?.status !== 'in_transit') throw new AlreadyHandled()
    const set = await openTransferSet(tx, lock, [row])
    finish(set, lock, row, status, returned)
    writeTransfers(tx, set)
  })
}

/** Returned money reaches a closed source, too: it has no other owner. */
function finish(
  set: TransferSet,
  lock: AccountLock,
  row: TransferRow,
  status: 'completed' | 'returned',
  { amount, reason }: ReturnedPart,
): void {
  const at = set.locked.timeOf(lock)
  if (amount > 0) {
    const posting = { transaction_id: row.id, movement: 'reinstate', amount, at } as const
    set.locked.postings.push(...post(lock, posting))
  }
  set.change(lock, row, { status, returned_amount: amount, reason, updated_at: at })
  set.addEvent(lock, `transfer.${status}`, row)
}
