// POST /v1/payouts. Holds the amount under the account lock, so that of a payout and a refund for
// the last cent exactly one succeeds. Not a lane, because payouts are rare.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { sepa_amount_max } from '../bank/epc-qr.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  lockOpenAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { post } from '../ledger/post.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { firstUuidAt, timeOfUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import {
  type Destination,
  type Payout,
  type PayoutRow,
  payoutSet,
  presentPayout,
  type SettingsRow,
} from './payout.ts'
import { destinationOf, findSettings, limitOf } from './payout-settings.ts'
import { sumPayoutsSince, writePayouts } from './queries.ts'

interface NewPayout {
  amount: number
  currency?: string | undefined
  reference?: string | null | undefined
}

export async function createPayout(
  { db, sandbox }: { db: Db; sandbox: boolean },
  caller: Caller,
  input: NewPayout,
): Promise<Payout> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const settings = await findSettings(tx, account_id)
    const destination = check(lock, settings, input)
    const needs_approval = await needsApproval(tx, lock, settings, input.amount, sandbox)
    const set = payoutSet(new LockedAccounts(tx.now, [lock]), [])
    const id = set.locked.nextId(lock)
    const at = timeOfUuid(id)
    const { amount, reference = null } = input
    const posting = { transaction_id: id, movement: 'payout_hold', amount, at } as const
    set.locked.postings.push(...post(lock, posting))
    const row: PayoutRow = {
      account_id,
      id,
      amount,
      currency: lock.currency,
      status: needs_approval ? 'pending_approval' : 'approved',
      ...destination,
      reference,
      created_by: caller.user_id,
      destination_set_by: settings.is_confirmed ? null : settings.destination_set_by,
      approved_by: null,
      export_id: null,
      reason: null,
      paid_entry_id: null,
      returned_entry_id: null,
      updated_at: at,
    }
    set.insert(lock, row)
    set.addEvent(lock, 'payout.created', row)
    writeChanges(tx, set, writePayouts)
    if (isAdminOrPlatform(caller)) {
      const details = { amount }
      const entry = { action: 'payout.created', object_id: id, account_id, details } as const
      await recordAuditEntry(tx, actorOf(caller), entry)
    }
    return presentPayout(row)
  })
}

function check(lock: AccountLock, settings: SettingsRow, input: NewPayout): Destination {
  const { amount, currency } = input
  if (lock.status !== 'active') {
    throw new Refusal(
      'invalid_request',
      `The account must be active to be paid out; it is ${lock.status}. An admin can activate it.`,
    )
  }
  if (currency !== undefined && currency !== lock.currency) {
    throw new Refusal(
      'currency_mismatch',
      `"currency" must be ${lock.currency}, the currency of the account; got ${quote(currency)}. ` +
        'Leave it out.',
    )
  }
  // Rejected now rather than when it is exported, where it would stop the payouts of others.
  if (lock.currency === 'EUR' && amount > sepa_amount_max) {
    throw new Refusal(
      'invalid_request',
      `"amount" must be at most ${sepa_amount_max}, the largest SEPA transfer; got ${amount}. ` +
        'Create several payouts.',
    )
  }
  const destination = destinationOf(settings)
  if (destination === null) {
    throw new Refusal(
      'conflict',
      'The account has no payout destination. Set one with PATCH /v1/account/payout_destination.',
    )
  }
  if (amount > lock.available) {
    throw new Refusal(
      'insufficient_funds',
      `"amount" must be at most ${lock.available}, the available balance; got ${amount}. ` +
        'Wait for pending payments to settle, or pay out less.',
    )
  }
  return destination
}

const day_ms = 24 * 3_600_000

/** A destination must have been approved once, and the total of 24 hours be within the limit. */
async function needsApproval(
  tx: Tx,
  lock: AccountLock,
  settings: SettingsRow,
  amount: number,
  sandbox: boolean,
): Promise<boolean> {
  if (!settings.is_confirmed) return true
  const limit = limitOf(settings, sandbox)
  if (limit === undefined) return false
  const since = firstUuidAt(Math.max(tx.now.getTime() - day_ms, 0))
  return (await sumPayoutsSince(tx, lock.account_id, since)) + amount > limit
}
