// A revoked key is dead for the very next request: its token is deleted in the same database
// transaction, under the account's lock. By hand, with its creator, or with the whole account.

import { type Actor, recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import { appendEvent, appendEvents, timeUnderLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { actorOf } from '../sessions/actor.ts'
import type { Caller } from '../sessions/caller.ts'
import { dropKeyTokens } from '../sessions/key-tokens.ts'
import { namesNoAccount } from '../sessions/permissions.ts'
import { revokeSessionsOfCreatedUsers } from '../sessions/revoke-sessions.ts'
import { type ApiKey, type KeyRow, presentKey } from './api-key.ts'
import { getKeyOwner, lockKeyOwner } from './key-owner.ts'
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

/** Revoking one that is revoked changes nothing, and is answered alike. */
export async function revokeApiKey(db: Db, caller: Caller, key_id: string): Promise<ApiKey> {
  const place = getKeyOwner(caller, true)
  const id = requireKeyId(caller, key_id)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockKeyOwner(tx, caller, place)
    if ((await selectKey(tx, place, id)) === undefined) throw unknownKey(caller, place)
    // The key before its token, as everywhere: one order prevents deadlocks.
    const row = (await lockKey(tx, id))!
    if (row.revoked_at !== null) return presentKey(row)
    await revoke(tx, lock, row)
    await revokeCreatedUsers(tx, actorOf(caller), row)
    await recordAuditEntry(tx, actorOf(caller), {
      action: 'api_key.revoked',
      object_id: row.id,
      account_id: place,
    })
    return presentKey(row)
  })
}

/** What cannot be an id is no key: that is told before the body is looked at. */
export function requireKeyId(caller: Caller, key_id: string): string {
  const id = findUuid('api_key', key_id)
  if (id === undefined) throw unknownKey(caller, getKeyOwner(caller, true))
  return id
}

// Without the header an admin reaches the keys of platforms and nothing else: whatever else the id
// may name, an account has to be named first.
function unknownKey(caller: Caller, place: string | null): Refusal {
  if (place === null) return namesNoAccount(caller)
  return new Refusal('not_found', 'No API key that you may see has this id.')
}

/** Accounts whose locks are needed to revoke what this user has made. */
export async function listAccountsOfCreator(tx: Tx, user_id: string): Promise<string[]> {
  return (await selectAccountsOfCreator(tx, user_id)).map(({ account_id }) => account_id)
}

/** With their creator. The caller holds the lock of every account that has one of these keys. */
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
    // By name, whoever looks for why a server is suddenly refused: it is not its key that they did.
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
 * Users that a platform key created lose their access in this very transaction; the worker suspends
 * them one by one (users/suspend-created-users.ts).
 */
async function revokeCreatedUsers(tx: Tx, actor: Actor, row: KeyRow): Promise<void> {
  if (row.role !== 'platform') return
  await revokeSessionsOfCreatedUsers(tx, row.id)
  await updateSuspendingUsers(tx, row.id, actor.user_id ?? row.user_id)
}

/** Revoked keys with users that are still to be suspended, and who revoked each. */
export function listSuspendingKeys(
  db: Queryable,
  limit: number,
): Promise<{ id: string; users_suspended_by: string }[]> {
  return selectSuspendingKeys(db, limit)
}

/** All users that the key created are suspended. */
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
