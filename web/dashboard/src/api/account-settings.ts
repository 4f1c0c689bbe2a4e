// The time zone, currency and locale of the selected account.

import { useAccountId, useApiQuery } from './use-florin.ts'

interface AccountSettings {
  currency: string | undefined
  timezone: string
  /** Formats amounts and percentages. */
  language: string
  /** Formats dates. Always English, because dates appear inside English sentences. */
  locale: string
}

// Used when an admin views all accounts at once.
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
  // Other languages get day before month and a 24-hour clock.
  return { ...settings, locale: /^en\b/i.test(language) ? language : 'en-GB' }
}
