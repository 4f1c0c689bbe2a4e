// Resolves the id of a user or an account to its email or name. Cached per id: a list repeats few
// ids many times.

import { useApiQuery, useUser } from '../../api/use-florin.ts'

export function useDisplayName(id: string): string | undefined {
  const { may } = useUser()
  const is_user = id.startsWith('usr_') && may.includes('retrieve_user')
  const is_account = id.startsWith('acct_') && may.includes('retrieve_account_by_id')
  const { data } = useApiQuery(
    ['name', id],
    async (florin, signal) => {
      // A deleted user or account is not an error: the id is shown instead.
      const found = is_user
        ? florin.users.get(id, { signal }).then(({ email }) => email)
        : florin.accounts.get(id, { signal }).then(({ name }) => name)
      return found.catch(() => null)
    },
    { enabled: is_user || is_account },
  )
  return data ?? undefined
}
