// How pages ask: one client for the account that is acted on, and queries that are kept apart by
// that account, so that switching it never shows another's data.

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
import { type Florin, makeFlorin } from './florin.ts'
import { session } from './session.ts'
import type { CursorList } from './api-types.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The SDK has tried again already where that makes sense.
      retry: false,
    },
  },
})

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => session.retrieve(),
  staleTime: 5 * 60_000,
})

/** Who is signed in. Only under the shell, which nobody enters without. */
export function useUser() {
  const { data } = useQuery(sessionQuery)
  if (!data?.user) throw new Error('a page outside of the shell asked who is signed in')
  return data.user
}

export function useMode(): 'sandbox' | 'live' {
  return useQuery(sessionQuery).data?.mode ?? 'live'
}

/** Where it does not, money comes by transfer, and whoever runs the service settles it. */
export function useTakesCards(): boolean {
  return useQuery(sessionQuery).data?.takes_cards ?? false
}

export function usePasswordMin(): number {
  // The most that is asked for unless told otherwise: too much is promised to nobody.
  return useQuery(sessionQuery).data?.password_min ?? 15
}

/** The account in the address, for those who act on many; others have their own. */
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

/** One thing. The key says what it is, such as ['transactions', id]. */
export function useApiQuery<Result>(
  key: readonly unknown[],
  ask: (florin: Florin, signal: AbortSignal) => Promise<Result>,
  /** `refresh_ms`: asked again and again while somebody looks. */
  options: { enabled?: boolean; refresh_ms?: number } = {},
) {
  const florin = useFlorin()
  const account = useAccountId() ?? 'all'
  return useQuery({
    queryKey: [account, ...key],
    queryFn: ({ signal }) => ask(florin, signal),
    enabled: options.enabled ?? true,
    // Only while the page is looked at.
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
  /** Rows that came while the list was paged down, up to a page of them. */
  unseen?: number
  showUnseen?: () => void
}

/**
 * A list by cursor. Pages are added below. A list of one page updates itself (live.ts); one that
 * was paged down keeps its rows where they are, and counts those that came above them.
 */
export function useList<Row extends { id: string }>(
  key: readonly unknown[],
  ask: PageCall<Row>,
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
        ask(florin, { limit: page_size, starting_after: pageParam }, signal),
      initialPageParam: undefined,
      getNextPageParam: (last) => (last.has_more ? last.data.at(-1)?.id : undefined),
    }),
    enabled: options.enabled ?? true,
    refetchOnWindowFocus: false,
  })
  return { ...query, ...useUnseen([account, ...key], query.data, ask) }
}

/** Those that live.ts updates. */
export const live_lists: unknown[] = [
  'transactions',
  'payments',
  'subscriptions',
  'events',
  'webhook deliveries',
]

/** The first page of a list that was paged down, asked for again with each event. */
function useUnseen<Row extends { id: string }>(
  key: readonly unknown[],
  list: InfiniteData<CursorList<Row>> | undefined,
  ask: PageCall<Row>,
): { unseen: number; showUnseen: () => void } {
  const florin = useFlorin()
  const pages = list?.pages ?? []
  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: ({ signal }) => ask(florin, { limit: page_size, starting_after: undefined }, signal),
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
  /** False where the server stopped counting: there are at least this many. */
  is_exact: boolean
}

/**
 * How many rows a list by cursor has in all. Counted for one account only; undefined until it is
 * known, and where it takes the server too long.
 */
export function useCount(
  key: readonly unknown[],
  ask: (florin: Florin, signal: AbortSignal) => Promise<ListCount>,
  options: { enabled?: boolean } = {},
): ListCount | undefined {
  const is_counted = useAccountId() !== undefined && options.enabled !== false
  return useApiQuery([...key, 'count'], ask, { enabled: is_counted }).data
}

/** After a change: whatever of the account is shown is asked for again. */
export function useRefresh(): () => Promise<void> {
  const account = useAccountId() ?? 'all'
  return () => queryClient.invalidateQueries({ queryKey: [account] })
}
