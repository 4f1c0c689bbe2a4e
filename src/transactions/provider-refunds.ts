// The steps of a refund that a provider pays out: it is marked as submitted before the provider is
// called, and the result is applied afterwards. Both run in the lanes, under the account lock.

import { AlreadyHandled } from '../jobs/due-work.ts'
import { decideByKind } from '../lanes/decide-by-kind.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { ProviderRefund } from '../processors/provider.ts'
import { nextAttemptAt } from './charge.ts'
import type { ChargeKey } from './charge-queries.ts'
import { applyRefunds, failRefund } from './charges.ts'
import { type Command, decide } from './decide.ts'
import type { TransactionRow } from './transaction.ts'
import { type TransactionSet, unknownTransaction } from './transaction-set.ts'

/** From now on the refund cannot be canceled. */
interface SubmitCommand {
  kind: 'submit'
  account_id: string
  id: string
  /** The refund must be due by this time. */
  by: Date
}

interface ResultCommand extends ChargeKey {
  kind: 'result'
  /** The refund transaction. */
  id: string
  refund: RefundResult
}

/** `rejected`: the provider created no refund. */
export type RefundResult = ProviderRefund | 'rejected'

type RefundStep = SubmitCommand | ResultCommand

/** Everything that the lanes of transactions decide. */
export type LaneCommand = Command | RefundStep

const decideStep = decideByKind<TransactionSet, RefundStep, TransactionRow>(
  { submit, result },
  unknownTransaction,
)

export function decideInLane(set: TransactionSet, command: LaneCommand): TransactionRow {
  const is_step = command.kind === 'submit' || command.kind === 'result'
  return is_step ? decideStep(set, command) : decide(set, command)
}

// The next attempt is scheduled before the call, so a worker that crashes, or that receives no
// response, has nothing to write.
function submit(set: TransactionSet, lock: AccountLock, command: SubmitCommand): TransactionRow {
  const row = set.getRow(command)
  const refund = set.findProviderRefund(command.account_id, command.id)
  if (!refund?.next_at || refund.next_at > command.by) throw new AlreadyHandled()
  // The account has been closed, and the slice that ends this row is still to come.
  if (refund.state === 'queued' && row.status === 'canceled') throw new AlreadyHandled()
  const at = set.locked.timeOf(lock)
  const attempts = refund.attempts + 1
  const submitted_at = refund.submitted_at ?? at
  const next_at = nextAttemptAt(at, attempts)
  set.changeProviderRefund(refund, { state: 'submitted', submitted_at, attempts, next_at })
  return row
}

function result(set: TransactionSet, lock: AccountLock, command: ResultCommand): TransactionRow {
  const row = set.getRow(command)
  const refund = set.findProviderRefund(command.account_id, command.id)
  const charge = refund && set.findCharge(refund.account_id, refund.payment_id)
  if (charge === undefined) throw new Error(`refund ${command.id} has no charge`)
  if (command.refund !== 'rejected') applyRefunds(set, lock, charge, [command.refund])
  // With an id, a snapshot has shown the refund meanwhile: only the provider's state ends it.
  else if (refund!.state === 'submitted' && refund!.provider_refund_id === null) {
    failRefund(set, lock, refund!)
  }
  return row
}
