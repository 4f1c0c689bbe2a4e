// GET /v1/users/{user_id}. What the caller may not see does not exist for them.

import type { Db, Queryable } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import type { Caller } from '../sessions/caller.ts'
import { unknownUser } from './add-user.ts'
import { isWithinReach } from './judge-user.ts'
import { selectUser } from './queries.ts'
import { presentUser, type User, type UserRow } from './user.ts'

export async function getUser(db: Db, caller: Caller, user_id: string): Promise<User> {
  return presentUser(await getVisibleUser(db, caller, user_id))
}

export async function getVisibleUser(
  db: Queryable,
  caller: Caller,
  user_id: string,
): Promise<UserRow> {
  const id = findUuid('user', user_id)
  const row = id === undefined ? undefined : await selectUser(db, id)
  if (row === undefined || !isWithinReach(caller, 'retrieve_user', row)) throw unknownUser()
  return row
}

/** A user known to exist, such as the caller: gone only when deleted a moment ago. */
export async function getUserById(db: Queryable, id: string): Promise<UserRow> {
  const row = await selectUser(db, id)
  if (row === undefined) throw unknownUser()
  return row
}
