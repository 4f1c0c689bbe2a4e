// A page of users with what the list endpoint, whose fields are fixed, does not have: role and
// account.

import type { UserDetails } from '../../../../../client/src/florin.ts'
import type { User } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'

export type UserRow = User & Partial<UserDetails>

export async function withDetails(
  florin: Florin,
  users: User[],
  signal: AbortSignal,
): Promise<UserRow[]> {
  if (users.length === 0) return []
  const user_ids = users.map(({ id }) => id).join(',')
  const { data } = await florin.users.listDetails({ user_ids }, { signal })
  const details = new Map(data.map((one) => [one.user_id, one]))
  return users.map((user) => ({ ...user, ...details.get(user.id) }))
}
