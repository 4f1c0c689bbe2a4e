// What people did to a subscription, the latest first. What it asked for is a list of its own.

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
  const told = momentsOfEvents(events.data?.data ?? [])
  if (told.length > 0) return told
  const created: TimelineEntry = { key: 'created', at: created_at, title: 'Created', tone: 'good' }
  const ended: TimelineEntry = { key: 'canceled', at: updated_at, title: 'Canceled' }
  return status === 'canceled' ? [ended, created] : [created]
}

/** Oldest first in, latest first out: a change is told by what it changed. */
function momentsOfEvents(events: FlorinEvent[]): TimelineEntry[] {
  const oldest_first = [...events].sort((one, other) =>
    one.created_at < other.created_at ? -1 : 1,
  )
  let before: string | undefined
  const moments = oldest_first.map((event) => {
    const status = (event.data as Subscription).status
    const moment = momentOf(event, status === before ? undefined : status)
    before = status
    return moment
  })
  return moments.reverse()
}

function momentOf(
  { id, type, created_at }: FlorinEvent,
  turned_to: string | undefined,
): TimelineEntry {
  const moment = { key: id, at: created_at }
  if (type === 'subscription.created') {
    return { ...moment, title: 'Created', text: 'The first period began.', tone: 'good' }
  }
  if (type === 'subscription.canceled') {
    return { ...moment, title: 'Canceled', text: 'It asks for nothing anymore.' }
  }
  if (turned_to === 'paused') return { ...moment, title: 'Paused', tone: 'waiting' }
  if (turned_to === 'active') return { ...moment, title: 'Resumed', tone: 'good' }
  return { ...moment, title: 'Updated' }
}
