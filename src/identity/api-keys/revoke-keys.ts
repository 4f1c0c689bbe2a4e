// Revokes API keys: one by one, with their creator, or with the account. The token is deleted in
// the same database transaction under the account lock, so the key is invalid for the next request.

import { type Actor, recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import { appendEvent, appendEvents, timeUnderLock } from '../../ledger/account-lock.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import type { IdPage } from '../../postgres/page-clause.ts'
import { findUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { namesNoAccount } from '../permissions.ts'
import { actorOf } from '../sessions/actor.ts'
import { dropKeyTokens } from '../sessions/key-tokens.ts'
import { revokeSessionsOfCreatedUsers } from '../sessions/revoke-sessions.ts'
import { type ApiKey, type KeyRow, presentKey } from './api-key.ts'
import { getKeyOwner, type KeyOwner, lockKeyOwner } from './key-owner.ts'
import {
  lockKey,
  lockLiveKeysOfAccount,
  lockLiveKeysOfCreator,
  selectAccountsOfCreator,
  selectKey,
  selectSuspendingKeys,
  updateRevoked,
  updateSuspendingUsers,
} from './queries.ts'

/** Idempotent: revoking a revoked key changes nothing and returns the same response. */
export async function revokeApiKey(db: Db, caller: Caller, key_id: string): Promise<ApiKey> {
  const owner = getKeyOwner(caller, true)
  const id = requireKeyId(caller, key_id)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockKeyOwner(tx, caller, owner)
    if ((await selectKey(tx, owner, id)) === undefined) throw unknownKey(caller, owner)
    // The key before its token: the global lock order prevents deadlocks.
    const row = (await lockKey(tx, id))!
    if (row.revoked_at !== null) return presentKey(row)
    await revoke(tx, lock, row)
    await revokeCreatedUsers(tx, actorOf(caller), row)
    await recordAuditEntry(tx, actorOf(caller), {
      action: 'api_key.revoked',
      object_id: row.id,
      account_id: owner,
    })
    return presentKey(row)
  })
}

/** A malformed id is rejected before the body is validated. */
export function requireKeyId(caller: Caller, key_id: string): string {
  const id = findUuid('api_key', key_id)
  if (id === undefined) throw unknownKey(caller, getKeyOwner(caller, true))
  return id
}

// Without the header an admin can revoke only platform keys. Other ids require the header.
function unknownKey(caller: Caller, owner: KeyOwner): Refusal {
  if (owner === null) return namesNoAccount(caller)
  return new Refusal('not_found', 'No API key with this id exists in the account.')
}

/** The accounts that must be locked to revoke the keys that this user created. */
export async function listAccountsOfCreator(tx: Tx, user_id: string): Promise<string[]> {
  return (await selectAccountsOfCreator(tx, user_id)).map(({ account_id }) => account_id)
}

/** Revokes the keys that a user created. All accounts of these keys must be locked. */
export async function revokeKeysOfCreator(
  tx: Tx,
  actor: Actor,
  user_id: string,
  locks: ReadonlyMap<string, AccountLock>,
): Promise<void> {
  for (const row of await lockLiveKeysOfCreator(tx, user_id)) {
    const lock = row.account_id === null ? undefined : locks.get(row.account_id)
    if (row.account_id !== null && lock === undefined) throw new Error('an account is not locked')
    await revoke(tx, lock, row)
    await revokeCreatedUsers(tx, actor, row)
    // One entry per key, so that a search for a rejected key finds the reason.
    const { id: object_id, account_id } = row
    await recordAuditEntry(tx, actor, { action: 'api_key.revoked', object_id, account_id })
  }
}

/** Revokes one page of a closed account's keys and returns their ids. */
export async function revokeKeysOfAccount(
  tx: Tx,
  lock: AccountLock,
  page: IdPage,
): Promise<string[]> {
  const rows = await lockLiveKeysOfAccount(tx, lock.account_id, page)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  const revoked_at = timeUnderLock(tx, lock)
  await updateRevoked(tx, ids, revoked_at)
  await dropKeyTokens(tx, ids)
  const events = rows.map((row) => {
    return {
      type: 'api_key.revoked',
      object_id: row.id,
      data: presentKey({ ...row, revoked_at }),
    } as const
  })
  appendEvents(tx, lock, events)
  return ids
}

/**
 * The users that a platform key created lose access in this transaction. The worker suspends them
 * afterwards (users/suspend-created-users.ts).
 */
async function revokeCreatedUsers(tx: Tx, actor: Actor, row: KeyRow): Promise<void> {
  if (row.role !== 'platform') return
  await revokeSessionsOfCreatedUsers(tx, row.id)
  await updateSuspendingUsers(tx, row.id, actor.user_id ?? row.user_id)
}

/** Revoked keys whose users still have to be suspended, and the user who revoked each. */
export function listSuspendingKeys(
  db: Queryable,
  limit: number,
): Promise<{ id: string; users_suspended_by: string }[]> {
  return selectSuspendingKeys(db, limit)
}

/** Marks that all users that the key created are suspended. */
export async function endSuspending(db: Queryable, key_id: string): Promise<void> {
  await updateSuspendingUsers(db, key_id, null)
}

async function revoke(tx: Tx, lock: AccountLock | undefined, row: KeyRow): Promise<void> {
  row.revoked_at = lock === undefined ? tx.now : timeUnderLock(tx, lock)
  await updateRevoked(tx, [row.id], row.revoked_at)
  await dropKeyTokens(tx, [row.id])
  if (lock === undefined) return
  await appendEvent(tx, lock, { type: 'api_key.revoked', object_id: row.id, data: presentKey(row) })
}
