// Search results: pages by name, and the object with the given id. The server returns the object's
// kind and account, so an admin is taken to the right account.

import { useQuery } from '@tanstack/react-query'
import { FlorinError, type SearchResponse } from '../../../../client/src/florin.ts'
import { useAccountId, useFlorin, useUser } from '../api/use-florin.ts'
import type { IconName } from '../parts/icon.tsx'
import { humanize } from '../parts/status.tsx'
import { useHasPage, usePageOfId, useSections } from './use-navigation.ts'

export interface SearchResult {
  name: string
  note?: string
  icon: IconName
  to: string
  id?: string
  /** The account of the object, for users who can view several. */
  account?: string
}

interface SearchResults {
  results: SearchResult[]
  /** True while the request runs. */
  busy: boolean
  /** Why there are no results. */
  reason: string | undefined
}

const no_results = 'No results. Enter a full ID or the name of a page.'

export function useSearchResults(typed: string): SearchResults {
  const pages = useNamedPages(typed)
  const lookup = useLookup(typed)
  const resultOf = useResultOf()
  if (!lookup.isEnabled) return { results: pages, busy: false, reason: no_results }
  if (lookup.isLoading) return { results: [], busy: true, reason: undefined }
  const result = lookup.data && resultOf(lookup.data)
  if (result) return { results: [result], busy: false, reason: undefined }
  return { results: [], busy: false, reason: lookup.error?.message ?? no_results }
}

function useNamedPages(typed: string): SearchResult[] {
  const pageOfId = usePageOfId()
  const pages = useSections().flatMap((section) =>
    section.entries.map(({ name, icon, to }) => ({ name, icon, to })),
  )
  // The search endpoint does not cover emails and request logs; their prefix gives the page.
  const page = pageOfId(typed)
  if (page !== undefined) {
    return [{ name: typed, note: 'Open', icon: 'arrow', to: page, id: typed }]
  }
  const own = { name: 'Your sessions', icon: 'person' as const, to: '/sessions' }
  const text = typed.toLowerCase()
  return [...pages, own].filter(({ name }) => name.toLowerCase().includes(text))
}

// The ids that the search endpoint covers.
const searchable_id = /^(txn|pay|dsp|sub|acct|usr|evt|we|wd|key)_[0-9a-z]{26}$/

function useLookup(typed: string) {
  const florin = useFlorin()
  const user = useUser()
  // Events are searched in the selected account only, so the account is part of the key.
  const account = useAccountId() ?? 'all'
  const isEmail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed) && user.may.includes('list_users')
  const isEnabled = user.may.includes('search') && (searchable_id.test(typed) || isEmail)
  const query = useQuery({
    queryKey: [account, 'search', typed],
    queryFn: ({ signal }) => florin.search.find({ q: typed }, { signal }),
    enabled: isEnabled,
    staleTime: 60_000,
  })
  const is_missing = query.error instanceof FlorinError && query.error.status === 404
  const error = is_missing ? new Error('No results for this search') : query.error
  return { ...query, error, isEnabled }
}

const page_of_kind: Record<SearchResponse['kind'], string> = {
  transaction: '/transactions/$id',
  payment: '/payments/$id',
  subscription: '/subscriptions/$id',
  dispute: '/disputes/$id',
  event: '/events/$id',
  webhook_endpoint: '/webhooks/$id',
  webhook_delivery: '/webhooks/deliveries/$id',
  user: '/users/$id',
  account: '/accounts/$id',
  api_key: '/api-keys',
}

function useResultOf(): (found: SearchResponse) => SearchResult | undefined {
  const hasPage = useHasPage()
  const user = useUser()
  return ({ kind, id, account_id }) => {
    const acts_on_many = user.account_id === null
    const account = acts_on_many && account_id !== null ? { account: account_id } : {}
    const result = { name: id, note: humanize(kind), icon: 'arrow' as const, id, ...account }
    const page = page_of_kind[kind]
    if (hasPage(page)) return { ...result, to: page }
    // Users without access to account pages see their own account under Settings.
    return kind === 'account' ? { ...result, to: '/settings' } : undefined
  }
}
