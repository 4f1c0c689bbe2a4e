// Status changes of a subscription, newest first. Its payment requests are listed separately.

import type { FlorinEvent, Subscription } from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import type { TimelineEntry } from '../../parts/timeline.tsx'

export function useSubscriptionTimeline(subscription: Subscription): TimelineEntry[] {
  const { may } = useUser()
  const { id, updated_at, created_at, status } = subscription
  const events = useApiQuery(
    ['events', id, updated_at],
    (florin, signal) => florin.events.list({ object: id, limit: 100 }, { signal }),
    { enabled: may.includes('read_events') },
  )
  const entries = entriesOf(events.data?.data ?? [])
  if (entries.length > 0) return entries
  const created: TimelineEntry = { key: 'created', at: created_at, title: 'Created', tone: 'good' }
  const ended: TimelineEntry = { key: 'canceled', at: updated_at, title: 'Canceled' }
  return status === 'canceled' ? [ended, created] : [created]
}

/** Newest first. An update is described by the status that it changed. */
function entriesOf(events: FlorinEvent[]): TimelineEntry[] {
  const oldest_first = [...events].sort((one, other) =>
    one.created_at < other.created_at ? -1 : 1,
  )
  let before: string | undefined
  const entries = oldest_first.map((event) => {
    const status = (event.data as Subscription).status
    const entry = entryOf(event, status === before ? undefined : status)
    before = status
    return entry
  })
  return entries.reverse()
}

function entryOf(
  { id, type, created_at }: FlorinEvent,
  new_status: string | undefined,
): TimelineEntry {
  const entry = { key: id, at: created_at }
  if (type === 'subscription.created') {
    return { ...entry, title: 'Created', text: 'The first period started.', tone: 'good' }
  }
  if (type === 'subscription.canceled') {
    return { ...entry, title: 'Canceled', text: 'No more payment requests are created.' }
  }
  if (new_status === 'paused') return { ...entry, title: 'Paused', tone: 'waiting' }
  if (new_status === 'active') return { ...entry, title: 'Resumed', tone: 'good' }
  return { ...entry, title: 'Updated' }
}
