// DELETE /v1/account. Closing affects rows of many folders, so this folder is above them. One short
// transaction closes the account. Slices then end its open rows (clean-up.ts); all reads treat them
// as ended from the first transaction on (docs/decisions/0018).

import { markClosed } from '../accounts/mark-closed.ts'
import { type Actor, recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  lockOpenAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { revokeTokensOfAccount } from '../identity/sessions/revoke-sessions.ts'
import { addClosing } from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { requireNoOpenPayouts } from '../payouts/find-payout.ts'
import type { Tx } from '../postgres/database.ts'
import { changeCounts } from '../postgres/list-counts.ts'
import { nil_uuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { requireNoneActive } from '../subscriptions/end-subscriptions.ts'
import { type CleanUpParts, cleanUpInline } from './clean-up.ts'

interface ClosedAccount {
  id: string
  status: 'closed'
  closed_at: string
  message: string
}

export async function closeAccount(parts: CleanUpParts, caller: Caller): Promise<ClosedAccount> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  const closed = await changeOnce(parts.db, caller.idempotency, (tx) =>
    close(tx, caller, account_id),
  )
  await cleanUpInline(parts, account_id)
  return closed
}

/** Writes a fixed number of rows, regardless of how many rows the account has. */
async function close(tx: Tx, caller: Caller, account_id: string): Promise<ClosedAccount> {
  const lock = await lockOpenAccount(tx, caller, account_id)
  const closed_at = await closeLocked(tx, actorOf(caller), lock)
  return {
    id: toTypeId('account', account_id),
    status: 'closed',
    closed_at: toIso(closed_at),
    message: 'The account has been closed. This cannot be undone.',
  }
}

/** Returns the closing time. The caller runs cleanUpInline after the transaction. */
export async function closeLocked(tx: Tx, actor: Actor, lock: AccountLock): Promise<Date> {
  const { account_id } = lock
  await requireNoneActive(tx, account_id)
  await requireNoOpenPayouts(tx, account_id)
  const { closed_at, counts } = await markClosed(tx, lock)
  await revokeTokensOfAccount(tx, account_id)
  await addClosing(tx, {
    account_id,
    closed_at,
    stage: 'subscriptions',
    after_id: nil_uuid,
    actor_role: actor.role,
    actor_id: actor.user_id ?? null,
    request_id: actor.request_id ?? null,
  })
  await recordAuditEntry(tx, actor, { action: 'account.closed', object_id: account_id, account_id })
  await changeCounts(tx, counts)
  return closed_at
}
