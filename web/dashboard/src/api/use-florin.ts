// Query hooks. Every query key starts with the selected account, so switching accounts never shows
// another account's data.

import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { CursorList } from './api-types.ts'
import { type Florin, makeFlorin } from './florin.ts'
import { session } from './session.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The SDK has already retried what can be retried.
      retry: false,
    },
  },
})

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => session.retrieve(),
  staleTime: 5 * 60_000,
})

/** The logged-in user. Only inside the shell, which requires a session. */
export function useUser() {
  const { data } = useQuery(sessionQuery)
  if (!data?.user) throw new Error('useUser was called outside the shell')
  return data.user
}

export function useMode(): 'sandbox' | 'live' {
  return useQuery(sessionQuery).data?.mode ?? 'live'
}

/** False when customers pay by bank transfer and the operator settles payments manually. */
export function useTakesCards(): boolean {
  return useQuery(sessionQuery).data?.takes_cards ?? false
}

/** False without a mail server: an admin passes links on. */
export function useSendsEmail(): boolean {
  return useQuery(sessionQuery).data?.sends_email ?? true
}

export function usePasswordMin(): number {
  // Until the session is loaded, assume the longest minimum that the server uses by default.
  return useQuery(sessionQuery).data?.password_min ?? 15
}

export function useHasPasskeys(): boolean {
  return useQuery(sessionQuery).data?.has_passkeys ?? false
}

/** The user's own account or, for admins and platforms, the account in the URL. */
export function useAccountId(): string | undefined {
  const { account } = useSearch({ strict: false }) as { account?: string }
  const user = useUser()
  return user.account_id ?? account
}

export function useFlorin(): Florin {
  const user = useUser()
  const id = useAccountId()
  const account = user.account_id === null ? id : undefined
  return useMemo(() => makeFlorin({ account }), [account])
}

/** Loads one object. The key identifies it, for example ['transactions', id]. */
export function useApiQuery<Result>(
  key: readonly unknown[],
  load: (florin: Florin, signal: AbortSignal) => Promise<Result>,
  /** `refresh_ms` polls while the tab is visible. */
  options: { enabled?: boolean; refresh_ms?: number } = {},
) {
  const florin = useFlorin()
  const account = useAccountId() ?? 'all'
  return useQuery({
    queryKey: [account, ...key],
    queryFn: ({ signal }) => load(florin, signal),
    enabled: options.enabled ?? true,
    refetchInterval: options.refresh_ms ?? false,
  })
}

export const page_size = 20

type PageCall<Row> = (
  florin: Florin,
  page: { limit: number; starting_after: string | undefined },
  signal: AbortSignal,
) => Promise<CursorList<Row>>

export type ListQuery<Row> = UseInfiniteQueryResult<InfiniteData<CursorList<Row>>> & {
  /** New rows above the loaded pages, at most one page. */
  unseen?: number
  showUnseen?: () => void
}

/**
 * A cursor-paginated list; further pages are appended. A list with one page updates live (live.ts).
 * A list with more pages keeps its rows in place and counts the new ones above them.
 */
export function useList<Row extends { id: string }>(
  key: readonly unknown[],
  load: PageCall<Row>,
  options: { enabled?: boolean } = {},
): ListQuery<Row> {
  const florin = useFlorin()
  const account = useAccountId() ?? 'all'
  const query = useInfiniteQuery({
    ...infiniteQueryOptions<
      CursorList<Row>,
      Error,
      InfiniteData<CursorList<Row>>,
      readonly unknown[],
      string | undefined
    >({
      queryKey: [account, ...key],
      queryFn: ({ pageParam, signal }) =>
        load(florin, { limit: page_size, starting_after: pageParam }, signal),
      initialPageParam: undefined,
      getNextPageParam: (last) => (last.has_more ? last.data.at(-1)?.id : undefined),
    }),
    enabled: options.enabled ?? true,
    refetchOnWindowFocus: false,
  })
  return { ...query, ...useUnseen([account, ...key], query.data, load) }
}

/** Those that live.ts updates. */
export const live_lists: unknown[] = [
  'transactions',
  'payments',
  'payment links',
  'disputes',
  'transfers',
  'payouts',
  'subscriptions',
  'events',
  'webhook deliveries',
]

/** Refetches the first page on each event to count rows above the loaded pages. */
function useUnseen<Row extends { id: string }>(
  key: readonly unknown[],
  list: InfiniteData<CursorList<Row>> | undefined,
  load: PageCall<Row>,
): { unseen: number; showUnseen: () => void } {
  const florin = useFlorin()
  const pages = list?.pages ?? []
  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: ({ signal }) => load(florin, { limit: page_size, starting_after: undefined }, signal),
    enabled: pages.length > 1 && live_lists.includes(key[1]),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  if (newest === undefined || pages.length < 2) return { unseen: 0, showUnseen: () => {} }
  const seen = new Set(pages.flatMap((page) => page.data.map(({ id }) => id)))
  const at = newest.data.findIndex(({ id }) => seen.has(id))
  return {
    unseen: at === -1 ? newest.data.length : at,
    showUnseen: () => queryClient.setQueryData(key, { pages: [newest], pageParams: [undefined] }),
  }
}

export interface ListCount {
  count: number
  /** False when the server stopped counting at its limit: there are at least this many. */
  is_exact: boolean
}

/**
 * The total number of rows in a cursor-paginated list, for one account only. Undefined while it
 * loads and when the server takes too long to count.
 */
export function useCount(
  key: readonly unknown[],
  load: (florin: Florin, signal: AbortSignal) => Promise<ListCount>,
  options: { enabled?: boolean } = {},
): ListCount | undefined {
  const is_counted = useAccountId() !== undefined && options.enabled !== false
  return useApiQuery([...key, 'count'], load, { enabled: is_counted }).data
}

/** Call after a change: refetches every active query of the account. */
export function useRefresh(): () => Promise<void> {
  const account = useAccountId() ?? 'all'
  return () => queryClient.invalidateQueries({ queryKey: [account] })
}
