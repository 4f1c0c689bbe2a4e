// The sandbox decides disputes: a request resolves one, and one without a response in time is lost.
// Not a lane, because these changes are rare. A provider decides its disputes itself.

import { findAccounts } from '../accounts/find-accounts.ts'
import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import { lockOpenAccount } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import {
  AlreadyHandled,
  type DueRowKey,
  type DueWork,
  dueJob,
  runAllDue,
} from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import { lockAccountIfExists } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findCharges } from '../transactions/charges.ts'
import { writeTransactions } from '../transactions/lanes.ts'
import { TransactionSet } from '../transactions/transaction-set.ts'
import { applyDisputes } from './apply-disputes.ts'
import {
  type Dispute,
  type DisputeRow,
  type DisputeStatus,
  isOpen,
  presentDispute,
  unknownDispute,
} from './dispute.ts'
import { DisputeSet, loadDisputes, writeDisputes } from './dispute-set.ts'
import { getDispute } from './find-dispute.ts'
import { selectDisputes, selectDueDisputes } from './queries.ts'

/** `under_review`: as if evidence had been submitted. */
type Resolution = Exclude<DisputeStatus, 'needs_response'>

/** POST /v1/disputes/{dispute_id}/resolve, in a sandbox only. */
export async function resolveDispute(
  { db, sandbox }: { db: Db; sandbox: boolean },
  caller: Caller,
  dispute_id: string,
  status: Resolution,
): Promise<Dispute> {
  const { account_id, id } = await getDispute(db, caller, dispute_id)
  if (!sandbox) throw onlyInSandbox()
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const row = await decide(tx, lock, id, status, requireResolvable)
    if (caller.role === 'admin') {
      const details = { outcome: status }
      const entry = { action: 'dispute.resolved', object_id: id, account_id, details } as const
      await recordAuditEntry(tx, actorOf(caller), entry)
    }
    return presentDispute(row)
  })
}

function requireResolvable(row: DisputeRow): void {
  if (row.provider !== 'sandbox') {
    throw new Refusal(
      'invalid_request',
      `Only disputes of sandbox cards can be resolved; "${row.provider}" decides this one.`,
    )
  }
  if (isOpen(row)) return
  throw new Refusal('conflict', `The dispute has already been ${row.status}.`)
}

function onlyInSandbox(): Refusal {
  return new Refusal(
    'invalid_request',
    'Disputes can be resolved in a sandbox only. In live mode the payment provider decides: ' +
      'submit evidence there.',
  )
}

async function decide(
  tx: Tx,
  lock: AccountLock,
  id: string,
  status: Resolution,
  check: (row: DisputeRow) => void,
): Promise<DisputeRow> {
  const { account_id } = lock
  const [found] = await selectDisputes(tx, [{ account_id, id }])
  if (found === undefined) throw unknownDispute()
  check(found)
  const set = await loadSet(tx, lock, found.transaction_id)
  const row = set.getRow({ account_id, id })
  const charge = set.transactions.findCharge(account_id, row.transaction_id)
  if (charge === undefined) throw new Error(`dispute ${id} has no charge`)
  const { provider_dispute_id, amount, reason, due_at } = row
  const dispute = { id: provider_dispute_id, amount, reason, status, due_at }
  applyDisputes(set, lock, charge, [dispute])
  writeChanges(tx, set, writeAll)
  return row
}

async function loadSet(tx: Tx, lock: AccountLock, transaction_id: string): Promise<DisputeSet> {
  const { account_id } = lock
  const [charges, rows, accounts] = await Promise.all([
    findCharges(tx, [{ account_id, id: transaction_id }]),
    loadDisputes(tx, [{ account_id, transaction_id }]),
    findAccounts(tx, [account_id]),
  ])
  const transactions = new TransactionSet(new LockedAccounts(tx.now, [lock]), { charges })
  return new DisputeSet(transactions, new Map([[account_id, accounts[0]!]]), rows)
}

function writeAll(tx: Tx, set: DisputeSet): void {
  writeTransactions(tx, set.transactions)
  writeDisputes(tx, set)
}

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function dueDisputeJob(
  db: Db,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(db, workOf(db), report)
}

/** Handles everything due by `by` now, regardless of job leases. */
export function runAllDueDisputes(db: Db, by: Date, within_ms: number): Promise<void> {
  return runAllDue(workOf(db), by, within_ms)
}

function workOf(db: Db): DueWork<DueRowKey> {
  return {
    find: (search) => selectDueDisputes(db, search),
    act: ({ account_id, id }, { by }) =>
      db.transaction(async (tx) => {
        const lock = await lockAccountIfExists(tx, account_id)
        if (lock === undefined) throw new AlreadyHandled()
        await decide(tx, lock, id, 'lost', (row) => {
          if (!isOpen(row) || row.due_at === null || row.due_at > by) throw new AlreadyHandled()
        })
      }),
  }
}
