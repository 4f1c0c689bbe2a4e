// Live lists. Each visible tab opens one event stream; hidden tabs open none, because browsers
// share six HTTP/1.1 connections to a server among all tabs.

import type { InfiniteData, Query } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { CursorList, FlorinEvent } from './api-types.ts'
import type { Florin } from './florin.ts'
import { live_lists, queryClient, useAccountId, useFlorin, useUser } from './use-florin.ts'

// Batches events: lists are refetched at most once a second.
const collect_ms = 1_000
// Webhooks are sent shortly after their event.
const delivered_ms = 4_000
const reconnect_ms = 30_000
// A stream follows one account. Over all accounts, lists are fetched again at this interval.
const poll_ms = 10_000

let is_live = false
const listeners = new Set<() => void>()

/** Whether the event stream is connected. */
export function useIsLive(): boolean {
  return useSyncExternalStore(onChange, () => is_live)
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function setLive(to: boolean): void {
  is_live = to
  for (const listener of listeners) listener()
}

/** Follows the selected account by its events, or all accounts by polling. Mounted in the shell. */
export function LiveUpdates(): null {
  useLiveUpdates()
  return null
}

function useLiveUpdates(): void {
  const florin = useFlorin()
  const account = useAccountId()
  const may = useUser().may.includes('read_events')
  const is_visible = useSyncExternalStore(onVisibility, () => !document.hidden)
  const has_followed = useRef(false)
  useEffect(() => {
    if (!is_visible || (account !== undefined && !may)) return
    const control = new AbortController()
    const updates = new Updates(account ?? 'all')
    // Loads changes made while the tab was hidden.
    if (has_followed.current) updates.refreshAll()
    has_followed.current = true
    if (account === undefined) updates.later(() => poll(updates, control.signal), poll_ms)
    else void follow(florin, updates, control.signal)
    return () => {
      control.abort()
      updates.stop()
      setLive(false)
    }
  }, [florin, account, may, is_visible])
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

async function follow(florin: Florin, updates: Updates, signal: AbortSignal): Promise<void> {
  try {
    setLive(true)
    for await (const event of florin.events.stream({}, { signal })) updates.note(event)
  } catch {
    // Not reported here: each page reports its own load errors.
  }
  if (signal.aborted) return
  setLive(false)
  updates.later(again, reconnect_ms)
  function again(): void {
    updates.refreshAll()
    void follow(florin, updates, signal)
  }
}

/** Waits for each round before the next: a slow list is never canceled by its own update. */
async function poll(updates: Updates, signal: AbortSignal): Promise<void> {
  await updates.refreshLists()
  if (!signal.aborted) updates.later(() => poll(updates, signal), poll_ms)
}

/** Applies events to an account's cached queries, in batches. */
class Updates {
  readonly #account: string
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #noted: FlorinEvent[] = []

  constructor(account: string) {
    this.#account = account
  }

  note(event: FlorinEvent): void {
    if (this.#noted.push(event) > 1) return
    this.later(() => this.#apply(), collect_ms)
  }

  refreshAll(): void {
    void this.#refresh(() => true)
  }

  refreshLists(): Promise<void> {
    return this.#refresh((query) => live_lists.includes(query.queryKey[1]) && isList(query))
  }

  later(work: () => unknown, after_ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, after_ms)
    this.#timers.add(timer)
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #apply(): void {
    const events = this.#noted
    this.#noted = []
    const nouns = new Set(events.flatMap(({ type }) => listsOfNoun[type.split('.')[0]!] ?? []))
    const ids = new Set(events.flatMap(({ data }) => idsIn(data)))
    void this.#refresh((query) => isAbout(query, nouns, ids))
    this.#patch(events)
    this.later(() => this.#refresh((query) => isListOf(query, 'webhook deliveries')), delivered_ms)
  }

  #refresh(isWanted: (query: Query) => boolean): Promise<void> {
    return queryClient.invalidateQueries({
      predicate: (query) =>
        query.queryKey[0] === this.#account && !isPagedDown(query) && isWanted(query),
    })
  }

  /** A list with more than one page loaded is not refetched; only its changed rows are replaced. */
  #patch(events: FlorinEvent[]): void {
    const changed = new Map(events.map(({ data }) => [data.id, data]))
    queryClient.setQueriesData<InfiniteData<CursorList<{ id: string }>>>(
      { predicate: (query) => query.queryKey[0] === this.#account && isPagedDown(query) },
      (list) => list && { ...list, pages: list.pages.map((page) => withRows(page, changed)) },
    )
  }
}

function withRows(page: CursorList<{ id: string }>, changed: Map<string, object>) {
  return { ...page, data: page.data.map((row) => ({ ...row, ...changed.get(row.id) })) }
}

/** A dispute also changes its payment. */
const listsOfNoun: Record<string, string[]> = {
  transaction: ['transactions'],
  payment: ['payments', 'payment links'],
  payment_link: ['payment links'],
  subscription: ['subscriptions'],
  dispute: ['disputes', 'transactions'],
  transfer: ['transfers'],
  payout: ['payouts'],
}

/** The object's id and, for a refund or a dispute, the id of the payment. */
function idsIn(data: FlorinEvent['data']): string[] {
  const { reference, transaction_id } = data as {
    reference?: string | null
    transaction_id?: string | null
  }
  return [data.id, reference, transaction_id].filter((id) => id != null)
}

function isAbout(query: Query, nouns: Set<string>, ids: Set<string>): boolean {
  const [, name, ...rest] = query.queryKey
  if (name === 'balance')
    return ['transactions', 'transfers', 'payouts'].some((of) => nouns.has(of))
  const is_of_noun = name === 'events' || nouns.has(name as string)
  if (!is_of_noun) return false
  // A payment changes the uses of its link, and its events do not name the link.
  if (name === 'payment links') return true
  return isList(query) || rest.some((part) => ids.has(part as string))
}

function isListOf(query: Query, name: string): boolean {
  return query.queryKey[1] === name && isList(query)
}

function isList(query: Query): boolean {
  const last = query.queryKey.at(-1)
  return isInfinite(query) || last === 'count' || last === 'newest'
}

function isInfinite({ state }: Query): boolean {
  const data = state.data as InfiniteData<unknown> | null | undefined
  return Array.isArray(data?.pages)
}

function isPagedDown(query: Query): boolean {
  return isInfinite(query) && (query.state.data as InfiniteData<unknown>).pages.length > 1
}
