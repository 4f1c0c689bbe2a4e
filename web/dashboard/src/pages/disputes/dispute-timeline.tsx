// The past and upcoming steps of a dispute, newest first.

import type { Dispute, FlorinEvent } from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import { useMoneyText } from '../../parts/money.tsx'
import type { TimelineEntry } from '../../parts/timeline.tsx'
import { useAccountOption } from '../transactions/transaction-related.ts'

interface DisputeTimeline {
  entries: TimelineEntry[]
  failure: { error: Error; retry: () => void } | undefined
}

/** Built from events; for users who may not read them, and after they expire, from the dispute. */
export function useDisputeTimeline(dispute: Dispute): DisputeTimeline {
  const { id, updated_at } = dispute
  const on = useAccountOption(dispute)
  const events = useApiQuery(
    ['events', 'of', id, updated_at],
    async (florin, signal) =>
      (await florin.events.list({ object: id, limit: 100 }, { signal, ...on })).data,
    { enabled: useUser().may.includes('read_events') },
  )
  const money = useMoneyText()(dispute.amount, dispute.currency)
  const found = events.data ?? []
  const types = new Set(found.map(({ type }) => type as string))
  const own = ownEvents(dispute).filter(({ type }) => !types.has(type))
  const past = [...found, ...own].map((event) => entryOf(event, money)).sort(latestFirst)
  return {
    entries: [...upcoming(dispute), ...past],
    failure: events.isError
      ? { error: events.error, retry: () => void events.refetch() }
      : undefined,
  }
}

function latestFirst(one: TimelineEntry, other: TimelineEntry): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1
}

type EventLike = Pick<FlorinEvent, 'id' | 'created_at'> & { type: string; data: unknown }

function ownEvents(dispute: Dispute): EventLike[] {
  const { status, created_at, updated_at } = dispute
  const event = (type: string, at: string) => ({ id: type, type, created_at: at, data: dispute })
  const created = event('dispute.created', created_at)
  if (status === 'needs_response') return [created]
  return [
    event(status === 'under_review' ? 'dispute.updated' : `dispute.${status}`, updated_at),
    created,
  ]
}

function entryOf({ id, type, created_at, data }: EventLike, money: string): TimelineEntry {
  return { key: id, at: created_at, ...textOf(type, (data as Dispute).status, money) }
}

function textOf(
  type: string,
  status: Dispute['status'],
  money: string,
): Pick<TimelineEntry, 'title' | 'text' | 'tone'> {
  switch (type) {
    case 'dispute.created':
      return {
        title: 'Opened',
        text: `The customer disputes the payment. ${money} was withdrawn from your balance.`,
        tone: 'bad',
      }
    case 'dispute.won':
      return { title: 'Won', text: `${money} was returned to your balance.`, tone: 'good' }
    case 'dispute.lost':
      return {
        title: 'Lost',
        text: 'The customer keeps the money. The payment cannot be refunded.',
        tone: 'bad',
      }
    default:
      return status === 'under_review'
        ? {
            title: 'Under review',
            text: 'The customer’s bank reviews the evidence.',
            tone: 'waiting',
          }
        : { title: 'Updated' }
  }
}

/** The sandbox loses a dispute at this time; a provider no longer accepts evidence. */
function upcoming({ status, due_at, provider }: Dispute): TimelineEntry[] {
  if (due_at === null || status === 'won' || status === 'lost') return []
  if (status === 'under_review' && provider !== 'sandbox') return []
  const text =
    provider === 'sandbox'
      ? 'Lost if you have not decided it by then.'
      : 'Submit evidence by then, or the dispute is lost.'
  return [{ key: 'due', at: due_at, title: 'Response due', text, tone: 'coming' }]
}
