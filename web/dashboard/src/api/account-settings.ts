// The account's own time zone and language: amounts and times are shown in them.

import { useAccountId, useOne } from './use-florin.ts'

export interface AccountSettings {
  currency: string | undefined
  timezone: string
  language: string
}

// Those who look at all accounts at once read one time for all of them.
const without_account: AccountSettings = { currency: undefined, timezone: 'UTC', language: 'en' }

export function useAccount() {
  const id = useAccountId()
  return useOne(['account'], (florin, signal) => florin.account.get({ signal }), {
    enabled: id !== undefined,
  })
}

export function useAccountSettings(): AccountSettings {
  return useAccount().data?.settings ?? without_account
}
