// Changes of the caller's own factors, under the same locks as other changes of a user.

import { changeOnce } from '../../idempotency/change-once.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { findUuid, toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { actorOf } from '../sessions/actor.ts'
import { revokeSessionsOfUser } from '../sessions/revoke-sessions.ts'
import { unknownUser } from '../users/add-user.ts'
import { getUserById } from '../users/get-user.ts'
import { lockForChange } from '../users/lock-for-change.ts'
import type { UserRow } from '../users/user.ts'
import { type Factor, type FactorRow, isConfirmed, presentFactor } from './factor.ts'
import { countRecoveryCodes, deleteFactor, deleteRecoveryCodes, selectFactors } from './queries.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { listConfirmedFactors, recordFactorChange } from './use-code.ts'

interface FactorList {
  data: Factor[]
  recovery_codes_left: number
}

/** Factors that are being set up are left out. */
export async function listFactors(db: Db, caller: Caller): Promise<FactorList> {
  const rows = (await selectFactors(db, caller.user_id)).filter(isConfirmed)
  const recovery_codes_left = await countRecoveryCodes(db, caller.user_id)
  return { data: rows.map(presentFactor), recovery_codes_left }
}

/** Runs one change with the user's row and sessions locked. */
export async function changeOwnFactors<Result>(
  db: Db,
  caller: Caller,
  change: (tx: Tx, user: UserRow) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const seen = await getUserById(db, caller.user_id)
    const result = await changeOnce(db, caller.idempotency, async (tx) => {
      const { row, moved } = await lockForChange(tx, caller, seen)
      if (row === undefined) throw unknownUser()
      return moved ? undefined : change(tx, row)
    })
    if (result !== undefined) return result
  }
}

export interface AddedFactor {
  factor: Factor
  /** Null unless this is the first factor. */
  recovery_codes: string[] | null
}

/**
 * The first factor turns two-factor authentication on: it gives the user recovery codes, and ends
 * the other sessions, which were opened with a password only.
 */
export async function finishAdding(
  tx: Tx,
  caller: Caller,
  user: UserRow,
  added: FactorRow,
): Promise<AddedFactor> {
  await recordFactorChange(tx, actorOf(caller), user, 'factor_added', { kind: added.kind })
  const factor = presentFactor(added)
  const { length } = await listConfirmedFactors(tx, user.id)
  if (length > 1) return { factor, recovery_codes: null }
  await revokeSessionsOfUser(tx, user.id, caller.principal_id)
  return { factor, recovery_codes: await replaceRecoveryCodes(tx, user.id) }
}

export async function removeFactor(
  db: Db,
  caller: Caller,
  factor_id: string,
): Promise<{ message: string; id: string }> {
  const id = requireFactorId(factor_id)
  return changeOwnFactors(db, caller, async (tx, user) => {
    const rows = await selectFactors(tx, user.id)
    const removed = rows.find((row) => row.id === id)
    if (removed === undefined) throw unknownFactor()
    await deleteFactor(tx, user.id, id)
    const left = rows.filter((row) => row !== removed && isConfirmed(row))
    if (left.length === 0) await deleteRecoveryCodes(tx, [user.id])
    const details = { kind: removed.kind }
    await recordFactorChange(tx, actorOf(caller), user, 'factor_removed', details)
    return { message: 'The factor has been removed.', id: toTypeId('factor', id) }
  })
}

/** A malformed id is rejected before the body is validated. */
export function requireFactorId(text: string): string {
  const id = findUuid('factor', text)
  if (id === undefined) throw unknownFactor()
  return id
}

function unknownFactor(): Refusal {
  return new Refusal(
    'not_found',
    'You have no factor with this id. List your factors with GET /v1/user/factors.',
  )
}

export function createRecoveryCodes(db: Db, caller: Caller): Promise<{ recovery_codes: string[] }> {
  return changeOwnFactors(db, caller, async (tx, user) => {
    const { length } = await listConfirmedFactors(tx, user.id)
    if (length === 0) throw noFactor()
    await recordFactorChange(tx, actorOf(caller), user, 'recovery_codes_created')
    return { recovery_codes: await replaceRecoveryCodes(tx, user.id) }
  })
}

function noFactor(): Refusal {
  return new Refusal(
    'conflict',
    'Recovery codes replace a factor, and you have none. Add an authenticator app or a passkey.',
  )
}
