// A list with numbered pages. The previous page stays visible until the next one is loaded.

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Florin } from './florin.ts'
import { useAccountId, useFlorin } from './use-florin.ts'

export const numbered_page_size = 25

export interface NumberedRows<Row> {
  rows: Row[]
  page: number
  total: number
}

/** The API names the total differently for users and for accounts. */
interface NumberedResponse<Row> {
  data: Row[]
  pagination: { page: number } & ({ total: number } | { total_records: number })
}

type PageCall<Row> = (
  florin: Florin,
  page: { page: number; limit: number },
  signal: AbortSignal,
) => Promise<NumberedResponse<Row>>

export function useNumberedList<Row>(
  key: readonly unknown[],
  page: number,
  load: PageCall<Row>,
): UseQueryResult<NumberedRows<Row>> {
  const florin = useFlorin()
  const account = useAccountId() ?? 'all'
  return useQuery({
    queryKey: [account, ...key, page],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await load(florin, { page, limit: numbered_page_size }, signal)
      const total = 'total' in pagination ? pagination.total : pagination.total_records
      return { rows: data, page: pagination.page, total }
    },
    placeholderData: keepPreviousData,
  })
}
