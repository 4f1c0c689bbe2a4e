// Days of a filter, as a list is asked for them. The API takes instants, and a day begins and ends
// where the account is.

import type { ReactNode } from 'react'
import { useAccount, useAccountSettings } from '../api/account-settings.ts'
import { useAccountId } from '../api/use-florin.ts'
import { endOfDay, isInstant, startOfDay } from './days.ts'
import { Failure } from './failure.tsx'

interface DayBounds {
  /** The instants at which the days begin and end. */
  bounds: { date_from: string | undefined; date_to: string | undefined }
  /** False while it is not known where the account is: nothing can be asked for yet. */
  isReady: boolean
  /** Stands in place of the list where that could not be learned. */
  failure: ReactNode
}

export function useDayBounds(first: string | undefined, last: string | undefined): DayBounds {
  const { timezone } = useAccountSettings()
  const account = useAccount()
  // Of all accounts at once, days are those of UTC.
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
