// Changes the status of a payout under the lock of its account, with its postings and its event.

import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { RowKey, RowSet } from '../lanes/row-set.ts'
import { lockAccountIfExists } from '../ledger/account-lock.ts'
import { listClosings } from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../postgres/database.ts'
import { type PayoutRow, payoutSet, unknownPayout } from './payout.ts'
import { selectPayouts, writePayouts } from './queries.ts'

const movementTo = {
  approved: undefined,
  paid: 'payout_pay',
  failed: 'payout_release',
  canceled: 'payout_release',
  returned: 'payout_return',
} as const

export type NextStatus = keyof typeof movementTo

export type PayoutChange = Partial<PayoutRow> & { status: NextStatus }

export function movePayout(
  set: RowSet<PayoutRow>,
  lock: AccountLock,
  row: PayoutRow,
  change: PayoutChange,
): void {
  const at = set.locked.timeOf(lock)
  const has_moved = row.status !== change.status
  const movement = movementTo[change.status]
  if (has_moved && movement !== undefined) {
    const posting = { transaction_id: row.id, movement, amount: row.amount, at }
    set.locked.postings.push(...post(lock, posting))
  }
  set.change(lock, row, { ...change, updated_at: at })
  if (has_moved) set.addEvent(lock, `payout.${change.status}`, row)
}

type Decide<Result> = (
  set: RowSet<PayoutRow>,
  lock: AccountLock,
  row: PayoutRow,
) => Result | Promise<Result>

/** Money may come back after the account was closed. `authorize` runs under the lock. */
export async function changeUnderLock<Result>(
  tx: Tx,
  { account_id, id }: RowKey,
  decide: Decide<Result>,
  authorize = async () => {},
): Promise<Result> {
  const lock = await lockAccountIfExists(tx, account_id)
  await authorize()
  if (lock === undefined) throw unknownPayout()
  const [row] = await selectPayouts(tx, [{ account_id, id }])
  if (row === undefined) throw unknownPayout()
  const closings = lock.status === 'closed' ? await listClosings(tx) : []
  const set = payoutSet(new LockedAccounts(tx.now, [lock], closings), [row])
  const result = await decide(set, lock, row)
  if (set.changed.size > 0) writeChanges(tx, set, writePayouts)
  return result
}
