// How an account reads: its time zone, and how it writes amounts and dates.

import { useAccountId, useApiQuery } from './use-florin.ts'

export interface AccountSettings {
  currency: string | undefined
  timezone: string
  /** Amounts and shares are written as in this one. */
  language: string
  /** Of dates, which are locale among ours: "vor 4 Std." has no place in an English sentence. */
  locale: string
}

// Those who look at all accounts at once read one time for all of them.
const without_account = { currency: undefined, timezone: 'UTC', language: 'en', locale: 'en' }

export function useAccount() {
  const id = useAccountId()
  return useApiQuery(['account'], (florin, signal) => florin.account.get({ signal }), {
    enabled: id !== undefined,
  })
}

export function useAccountSettings(): AccountSettings {
  const settings = useAccount().data?.settings
  if (settings === undefined) return without_account
  const { language } = settings
  // Where no English is spoken, the day goes before the month and no clock has an AM.
  return { ...settings, locale: /^en\b/i.test(language) ? language : 'en-GB' }
}
