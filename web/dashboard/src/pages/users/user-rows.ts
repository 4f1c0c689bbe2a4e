// A page of users with what the list endpoint, whose fields are fixed, does not have: role and
// account.

import type { User } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'

interface UserDetails {
  user_id: string
  role: string
  account_id: string | null
}

export type UserRow = User & Partial<UserDetails>

export async function withDetails(
  florin: Florin,
  users: User[],
  signal: AbortSignal,
): Promise<UserRow[]> {
  if (users.length === 0) return []
  const ids = users.map(({ id }) => id).join(',')
  const path = `/v1/user_details?user_ids=${ids}`
  const { text } = await florin.request('GET', path, { signal })
  const { data }: { data: UserDetails[] } = JSON.parse(text)
  const details = new Map(data.map((one) => [one.user_id, one]))
  return users.map((user) => ({ ...user, ...details.get(user.id) }))
}
