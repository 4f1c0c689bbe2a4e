// Runs a change to the account that the caller acts on: once per Idempotency-Key, under the account
// lock, with an audit entry if the caller is an admin or a platform.

import { type NewAuditEntry, recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { findActingAccount, lockOpenAccount, unknownActingAccount } from '../acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../caller.ts'
import { actorOf } from '../sessions/actor.ts'

type AuditEntryFor<Result> = (response: Result) => Omit<NewAuditEntry, 'account_id'>

export async function changeAccount<Result>(
  db: Db,
  caller: Caller,
  auditEntryFor: AuditEntryFor<Result>,
  change: (tx: Tx, lock: AccountLock) => Promise<Result>,
): Promise<Result> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const response = await change(tx, lock)
    if (isAdminOrPlatform(caller)) {
      await recordAuditEntry(tx, actorOf(caller), { ...auditEntryFor(response), account_id })
    }
    return response
  })
}
