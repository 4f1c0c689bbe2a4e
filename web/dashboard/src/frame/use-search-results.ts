// What the search offers for what was typed: pages by their names, and whatever an id names. The
// server says what that is and whose, so an admin is led to the account it belongs to.

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
  /** Whose it is, for those who act on many. */
  account?: string
}

export interface SearchResults {
  finds: SearchResult[]
  /** While the server is asked. */
  busy: boolean
  /** Why there is nothing. */
  reason: string | undefined
}

const no_page = 'No page has this name, and this is not the id of anything that has a page.'

export function useSearchResults(typed: string): SearchResults {
  const named = useNamedPages(typed)
  const asked = useFound(typed)
  const leadTo = useLeadTo()
  if (!asked.isAsked) return { finds: named, busy: false, reason: no_page }
  if (asked.isLoading) return { finds: [], busy: true, reason: undefined }
  const find = asked.data && leadTo(asked.data)
  if (find) return { finds: [find], busy: false, reason: undefined }
  return { finds: [], busy: false, reason: asked.error?.message ?? no_page }
}

function useNamedPages(typed: string): SearchResult[] {
  const pageOfId = usePageOfId()
  const pages = useSections().flatMap((section) =>
    section.entries.map(({ name, icon, to }) => ({ name, icon, to })),
  )
  // Emails and requests are not among what the server finds; their prefix says where they are.
  const page = pageOfId(typed)
  if (page !== undefined) {
    return [{ name: typed, note: 'Open', icon: 'arrow', to: page, id: typed }]
  }
  const own = { name: 'Your sessions', icon: 'person' as const, to: '/sessions' }
  const wanted = typed.toLowerCase()
  return [...pages, own].filter(({ name }) => name.toLowerCase().includes(wanted))
}

// What the server finds by its id; the rest has an email, or is the name of a page.
const searched = /^(txn|pay|sub|acct|usr|evt|we|wd|key)_[0-9a-z]{26}$/

function useFound(typed: string) {
  const florin = useFlorin()
  const user = useUser()
  // An event is found in the chosen account only, so the answer is that account's.
  const account = useAccountId() ?? 'all'
  const isEmail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed) && user.may.includes('list_users')
  const isAsked = user.may.includes('search') && (searched.test(typed) || isEmail)
  const query = useQuery({
    queryKey: [account, 'search', typed],
    queryFn: ({ signal }) => florin.search.find({ q: typed }, { signal }),
    enabled: isAsked,
    staleTime: 60_000,
  })
  const missed = query.error instanceof FlorinError && query.error.status === 404
  const error = missed ? new Error('Nothing that you may see has this id.') : query.error
  return { ...query, error, isAsked }
}

const pages: Record<SearchResponse['kind'], string> = {
  transaction: '/transactions/$id',
  payment: '/payments/$id',
  subscription: '/subscriptions/$id',
  event: '/events/$id',
  webhook_endpoint: '/webhooks/$id',
  webhook_delivery: '/webhooks/deliveries/$id',
  user: '/users/$id',
  account: '/accounts/$id',
  api_key: '/api-keys',
}

function useLeadTo(): (found: SearchResponse) => SearchResult | undefined {
  const hasPage = useHasPage()
  const user = useUser()
  return ({ kind, id, account_id }) => {
    const acts_on_many = user.account_id === null
    const account = acts_on_many && account_id !== null ? { account: account_id } : {}
    const find = { name: id, note: humanize(kind), icon: 'arrow' as const, id, ...account }
    if (hasPage(pages[kind])) return { ...find, to: pages[kind] }
    // Whoever may not open the page of an account finds the own one under Settings.
    return kind === 'account' ? { ...find, to: '/settings' } : undefined
  }
}
