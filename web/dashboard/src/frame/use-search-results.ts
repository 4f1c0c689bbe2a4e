// Search results: objects from the server, actions and pages by name. The server returns the kind
// and account of each object, so an admin is taken to the right account.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SearchResponse } from '../../../../client/src/florin.ts'
import { useAccountId, useFlorin, useUser } from '../api/use-florin.ts'
import type { IconName } from '../parts/icon.tsx'
import { shortenId } from '../parts/short-id.tsx'
import { humanize } from '../parts/status.tsx'
import { useSearchActions } from './search-actions.ts'
import { useHasPage, usePageOfId, useSections } from './use-navigation.ts'

export interface SearchResult {
  /** Unique among the results. */
  key: string
  group: string
  name: string
  note?: string
  icon: IconName
  /** The page to open, unless `run` is set. */
  to?: string
  id?: string
  search?: Record<string, string>
  run?: () => void | Promise<void>
  /** The account of the object, for users who can view several. */
  account?: string
  amount?: number | null
  currency?: string | null
  status?: string | null
}

interface SearchResults {
  results: SearchResult[]
  /** True while the request runs. */
  busy: boolean
  /** Why there are no results. */
  reason: string | undefined
  /** What was not searched. */
  note: string | undefined
}

const no_results =
  'No results. Search for an email, an amount, a reference, an ID or the name of a page.'

export function useSearchResults(typed: string): SearchResults {
  const named = useNamed(typed)
  const lookup = useLookup(typed)
  const resultOf = useResultOf()
  const objects = lookup.isEnabled ? (lookup.data?.data ?? []).flatMap(resultOf) : []
  const older = lookup.isEnabled && lookup.data?.searched_from
  return {
    results: [...objects, ...named],
    busy: lookup.isEnabled && lookup.isBusy,
    reason: lookup.error?.message ?? no_results,
    note: older ? `Objects before ${older.slice(0, 10)} were not searched.` : undefined,
  }
}

/** Actions and pages whose name contains the text; all of them before anything is typed. */
function useNamed(typed: string): SearchResult[] {
  const pageOfId = usePageOfId()
  const sections = useSections()
  const actions = useSearchActions()
  // The search endpoint does not cover emails and request logs; their prefix gives the page.
  const page = is_searchable.test(typed) ? undefined : pageOfId(typed)
  if (page !== undefined) {
    return [{ key: typed, group: 'Open', name: typed, icon: 'arrow', to: page, id: typed }]
  }
  const text = typed.toLowerCase()
  const matches = ({ name }: { name: string }) => name.toLowerCase().includes(text)
  const own = { name: 'Your sessions', icon: 'person' as const, to: '/sessions' }
  const pages = [...sections.flatMap(({ entries }) => entries), own].filter(matches)
  return [
    ...actions.filter(matches).map((one) => ({ key: one.name, group: 'Actions', ...one })),
    ...pages.map(({ name, icon, to }) => ({ key: `page ${to}`, group: 'Pages', name, icon, to })),
  ]
}

// Full ids that the search endpoint covers.
const is_searchable =
  /^(txn|pay|dsp|tr|po|bse|stl|lnk|sub|cus|acct|usr|evt|we|wd|key)_[0-9a-z]{26}$/

const debounce_ms = 200

function useLookup(typed: string) {
  const florin = useFlorin()
  const user = useUser()
  // Objects are searched in the selected account, so the account is part of the key.
  const account = useAccountId() ?? 'all'
  const settled = useSettled(typed)
  const isEnabled = user.may.includes('search') && typed !== ''
  const query = useQuery({
    queryKey: [account, 'search', settled],
    queryFn: ({ signal }) => florin.search.find({ q: settled }, { signal }),
    enabled: isEnabled && settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const isBusy = settled !== typed || query.isFetching
  return { data: query.data, error: query.error, isBusy, isEnabled }
}

/** The text, once typing has paused. A pasted id is used at once. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), debounce_ms)
    return () => clearTimeout(timer)
  }, [typed])
  return is_searchable.test(typed) || typed === '' ? typed : settled
}

type FoundObject = SearchResponse['data'][number]

const kinds: Record<FoundObject['kind'], { group: string; icon: IconName; page: string }> = {
  customer: { group: 'Customers', icon: 'person', page: '/customers/$id' },
  payment: { group: 'Payment requests', icon: 'payments', page: '/payments/$id' },
  transaction: { group: 'Transactions', icon: 'transactions', page: '/transactions/$id' },
  subscription: { group: 'Subscriptions', icon: 'subscriptions', page: '/subscriptions/$id' },
  dispute: { group: 'Disputes', icon: 'disputes', page: '/disputes/$id' },
  transfer: { group: 'Transfers', icon: 'transfers', page: '/transfers/$id' },
  payout: { group: 'Payouts', icon: 'payouts', page: '/payouts/$id' },
  payment_link: { group: 'Payment links', icon: 'links', page: '/payment-links/$id' },
  event: { group: 'Events', icon: 'events', page: '/events/$id' },
  webhook_endpoint: { group: 'Webhooks', icon: 'webhooks', page: '/webhooks/$id' },
  webhook_delivery: { group: 'Webhooks', icon: 'webhooks', page: '/webhooks/deliveries/$id' },
  user: { group: 'Users', icon: 'users', page: '/users/$id' },
  account: { group: 'Accounts', icon: 'accounts', page: '/accounts/$id' },
  api_key: { group: 'API keys', icon: 'key', page: '/api-keys' },
  bank_entry: { group: 'Bank', icon: 'bank', page: '/bank/$id' },
  settlement: { group: 'Reconciliation', icon: 'reconciliation', page: '/reconciliation/$id' },
}

function useResultOf(): (found: FoundObject) => SearchResult[] {
  const hasPage = useHasPage()
  const user = useUser()
  return ({ kind, id, account_id, title, customer_email, amount, currency, status }) => {
    const { group, icon, page } = kinds[kind]
    const acts_on_many = user.account_id === null
    const account = acts_on_many && account_id !== null ? { account: account_id } : {}
    const email = customer_email === title ? undefined : customer_email
    const note = [title === id ? humanize(kind) : shortenId(id), email].filter(Boolean).join(' · ')
    const shown = { key: id, group, name: title, note, icon, id, amount, currency, status }
    const result = { ...shown, ...account }
    if (hasPage(page)) return [{ ...result, to: page }]
    // Users without access to account pages see their own account under Settings.
    return kind === 'account' ? [{ ...result, to: '/settings' }] : []
  }
}
