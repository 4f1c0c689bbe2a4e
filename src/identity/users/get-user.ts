// GET /v1/users/{user_id}. Returns 404 for a user that the caller may not see.

import { isClosed } from '../../ledger/closings.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { findUuid } from '../../primitives/ids.ts'
import type { Caller } from '../caller.ts'
import { unknownUser } from './add-user.ts'
import { selectUser } from './queries.ts'
import { presentUser, type User, type UserRow } from './user.ts'
import { isWithinReach } from './user-access.ts'

export async function getUser(db: Db, caller: Caller, user_id: string): Promise<User> {
  return presentUser(await getVisibleUser(db, caller, user_id))
}

export async function getVisibleUser(
  db: Queryable,
  caller: Caller,
  user_id: string,
): Promise<UserRow> {
  const row = await findVisibleUser(db, caller, requireUserId(user_id))
  if (row === undefined) throw unknownUser()
  return row
}

export async function findVisibleUser(
  db: Queryable,
  caller: Caller,
  id: string,
): Promise<UserRow | undefined> {
  const row = await findUser(db, id)
  return row !== undefined && isWithinReach(caller, 'retrieve_user', row) ? row : undefined
}

/** A malformed id is rejected before the body is validated. */
export function requireUserId(text: string): string {
  const id = findUuid('user', text)
  if (id === undefined) throw unknownUser()
  return id
}

/** For a user that was known to exist, such as the caller. Throws if it was deleted since. */
export async function getUserById(db: Queryable, id: string): Promise<UserRow> {
  const row = await findUser(db, id)
  if (row === undefined) throw unknownUser()
  return row
}

/** Users of a closed account count as deleted, even before clean-up has deleted their rows. */
export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const row = await selectUser(db, id)
  return row && !(await isClosed(db, row.account_id)) ? row : undefined
}
