// Approval, cancellation, and what the bank did with a payout.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import { unknownActingAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { forbidden } from '../identity/permissions.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import type { RowSet } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { getPayout } from './find-payout.ts'
import { changeUnderLock, movePayout, type NextStatus } from './move-payout.ts'
import { type Payout, type PayoutRow, type PayoutStatus, presentPayout } from './payout.ts'
import { findSettings } from './payout-settings.ts'
import { upsertSettings } from './queries.ts'

/** What a bank does: it executes a payout, rejects it, or returns it after executing it. */
export const payoutOutcomes = ['paid', 'failed', 'returned'] as const

type PayoutOutcome = (typeof payoutOutcomes)[number]

/** POST /v1/payouts/{payout_id}/approve. */
export async function approvePayout(db: Db, caller: Caller, payout_id: string): Promise<Payout> {
  return change(db, caller, payout_id, 'approved', async (tx, set, lock, row) => {
    requireStatus(row, ['pending_approval'], 'approved')
    requireOpen(caller, lock)
    if (row.created_by === caller.user_id) {
      throw forbidden('You created this payout, so another admin or platform user must approve it.')
    }
    // A payout keeps its destination, and with it who set it, whatever has changed since.
    if (row.destination_set_by === caller.user_id) {
      throw forbidden(
        'You set the destination of this payout, so another admin or platform user must ' +
          'approve it.',
      )
    }
    movePayout(set, lock, row, { status: 'approved', approved_by: caller.user_id })
    await confirmDestination(tx, caller, row)
  })
}

/** Another person has seen the destination: further payouts to it are within the limit. */
async function confirmDestination(tx: Tx, caller: Caller, row: PayoutRow): Promise<void> {
  const settings = await findSettings(tx, row.account_id)
  const { name, iban, bic } = settings
  // Set again, by the approver, since the payout was created.
  if (settings.destination_set_by === caller.user_id) return
  if (settings.is_confirmed || name !== row.name || iban !== row.iban || bic !== row.bic) return
  await upsertSettings(tx, { ...settings, is_confirmed: true })
}

/** POST /v1/payouts/{payout_id}/cancel. Also how an approver rejects a payout. */
export async function cancelPayout(db: Db, caller: Caller, payout_id: string): Promise<Payout> {
  return change(db, caller, payout_id, 'canceled', async (_, set, lock, row) => {
    requireStatus(row, ['pending_approval', 'approved'], 'canceled')
    requireOpen(caller, lock)
    movePayout(set, lock, row, { status: 'canceled' })
  })
}

/**
 * POST /v1/payouts/{payout_id}/resolve: what the bank did, if no statement shows it. Money may come
 * back after the account was closed.
 */
export async function resolvePayout(
  db: Db,
  caller: Caller,
  payout_id: string,
  outcome: { status: PayoutOutcome; reason?: string | null | undefined },
): Promise<Payout> {
  const { status, reason = null } = outcome
  return change(db, caller, payout_id, status, async (_, set, lock, row) => {
    requireStatus(row, [status_before[status]], status)
    movePayout(set, lock, row, { status, reason })
  })
}

const status_before: Record<PayoutOutcome, PayoutStatus> = {
  paid: 'in_transit',
  failed: 'in_transit',
  returned: 'paid',
}

type Decide = (tx: Tx, set: RowSet<PayoutRow>, lock: AccountLock, row: PayoutRow) => Promise<void>

async function change(
  db: Db,
  caller: Caller,
  payout_id: string,
  verb: NextStatus,
  decide: Decide,
): Promise<Payout> {
  const { account_id, id } = await getPayout(db, caller, payout_id)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const authorize = () => requireLiveToken(tx, caller)
    const row = await changeUnderLock(
      tx,
      { account_id, id },
      async (set, lock, found) => {
        await decide(tx, set, lock, found)
        return found
      },
      authorize,
    )
    if (isAdminOrPlatform(caller)) {
      const action = `payout.${verb}` as const
      await recordAuditEntry(tx, actorOf(caller), { action, object_id: id, account_id })
    }
    return presentPayout(row)
  })
}

function requireStatus(
  { status }: PayoutRow,
  expected: readonly PayoutStatus[],
  verb: string,
): void {
  if (expected.includes(status)) return
  throw new Refusal(
    'conflict',
    `The payout is ${status}. Only a payout that is ${expected.join(' or ')} can be ${verb}.`,
  )
}

/** A closed account has no open payouts: see requireNoOpenPayouts. */
function requireOpen(caller: Caller, lock: AccountLock): void {
  if (lock.status === 'closed') throw unknownActingAccount(caller)
}
