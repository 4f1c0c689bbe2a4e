// What people call a user or an account, for lines that hold ids alone. Asked once for each, and
// kept: a list names the same few again and again.

import { useApiQuery, useUser } from '../../api/use-florin.ts'

export function useDisplayName(id: string): string | undefined {
  const { may } = useUser()
  const is_user = id.startsWith('usr_') && may.includes('retrieve_user')
  const is_account = id.startsWith('acct_') && may.includes('retrieve_account_by_id')
  const { data } = useApiQuery(
    ['name', id],
    async (florin, signal) => {
      // Who was deleted since has no name any more, and that is no fault.
      const found = is_user
        ? florin.users.get(id, { signal }).then(({ email }) => email)
        : florin.accounts.get(id, { signal }).then(({ name }) => name)
      return found.catch(() => null)
    },
    { enabled: is_user || is_account },
  )
  return data ?? undefined
}
