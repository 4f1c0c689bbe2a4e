// Converts the days of a filter to the instants that the API takes, in the account's time zone.

import type { ReactNode } from 'react'
import { useAccount, useAccountSettings } from '../api/account-settings.ts'
import { useAccountId } from '../api/use-florin.ts'
import { endOfDay, isInstant, startOfDay } from './days.ts'
import { Failure } from './failure.tsx'

interface DayBounds {
  /** The start of the first day and the end of the last. */
  bounds: { date_from: string | undefined; date_to: string | undefined }
  /** False while the account's time zone is loading: the list cannot be requested yet. */
  isReady: boolean
  /** Shown instead of the list if the time zone could not be loaded. */
  failure: ReactNode
}

export function useDayBounds(first: string | undefined, last: string | undefined): DayBounds {
  const { timezone } = useAccountSettings()
  const account = useAccount()
  // Lists over all accounts use UTC days.
  const is_known = useAccountId() === undefined || account.data !== undefined
  const isReady = is_known || (first === undefined && last === undefined)
  const bounds = {
    date_from: first && (isInstant(first) ? first : startOfDay(first, timezone)),
    date_to: last && (isInstant(last) ? last : endOfDay(last, timezone)),
  }
  const failed = !isReady && account.isError
  const failure = failed && <Failure error={account.error} retry={() => account.refetch()} />
  return { bounds, isReady, failure }
}
