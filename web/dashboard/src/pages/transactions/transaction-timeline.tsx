// The timeline of a transaction: events, refunds and webhook deliveries, newest first.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type {
  FlorinEvent,
  ListedTransaction,
  ListedWebhookDelivery,
  Transaction,
} from '../../api/api-types.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Money } from '../../parts/money.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import type { TimelineEntry } from '../../parts/timeline.tsx'
import type { RelatedRecords } from './transaction-related.ts'

const labels: Record<string, Pick<TimelineEntry, 'title' | 'text' | 'tone'>> = {
  'transaction.created': { title: 'Created', text: 'Waiting to settle.', tone: 'waiting' },
  'transaction.updated': { title: 'Updated', tone: 'quiet' },
  'transaction.succeeded': { title: 'Succeeded', text: 'The money has moved.', tone: 'good' },
  'transaction.failed': { title: 'Failed', text: 'No money has moved.', tone: 'bad' },
  'transaction.canceled': { title: 'Canceled', text: 'No money will move.', tone: 'quiet' },
}

export function timelineOf(transaction: Transaction, related: RelatedRecords): TimelineEntry[] {
  const events = related.events.map((event) => eventEntry(event, related.deliveries))
  const types = new Set(related.events.map(({ type }) => type as string))
  // Events expire; for older transactions the entries come from the transaction itself.
  const own = ownEntries(transaction).filter(({ key }) => !types.has(key))
  const refunds = (related.refunds ?? []).map(refundEntry)
  // Each list is newest first and the sort is stable, so equal times keep their order.
  return [...refunds, ...events, ...own].sort((one, other) => compare(other.at, one.at))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function ownEntries({ status, created_at, updated_at }: Transaction): TimelineEntry[] {
  const created = { key: 'transaction.created', at: created_at }
  const ended = { key: `transaction.${status}`, at: updated_at }
  const entries = status === 'pending' ? [created] : [ended, created]
  return entries.map((entry) => ({ ...entry, ...labels[entry.key]! }))
}

export function refundEntry(refund: ListedTransaction): TimelineEntry {
  const { id, amount, currency, status, created_at } = refund
  return {
    key: id,
    at: created_at,
    tone: status === 'failed' ? 'bad' : status === 'pending' ? 'waiting' : 'quiet',
    title: (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Link to="/transactions/$id" params={{ id }} className="text-brand hover:underline">
          Refund of <Money amount={amount} currency={currency} />
        </Link>
        <Status of={status} />
      </span>
    ),
  }
}

function eventEntry(event: FlorinEvent, all: ListedWebhookDelivery[]): TimelineEntry {
  const { title, text, tone = 'quiet' } = labels[event.type] ?? { title: event.type }
  const deliveries = all.filter(({ event_id }) => event_id === event.id)
  return {
    key: event.id,
    at: event.created_at,
    title,
    tone,
    text: (
      <>
        {text}
        <EventLine event={event} />
        {deliveries.map((delivery) => (
          <DeliveryLine key={delivery.id} delivery={delivery} />
        ))}
      </>
    ),
  }
}

function EventLine({ event }: { event: FlorinEvent }) {
  return (
    <div className="text-xs">
      <PageOf path="/events/$id" id={event.id}>
        {event.type}
      </PageOf>
    </div>
  )
}

function DeliveryLine({ delivery }: { delivery: ListedWebhookDelivery }) {
  const { id, endpoint_id, status, attempts, response_status } = delivery
  const attempts_text = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  const response = response_status === null ? '' : `, response ${response_status}`
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
      <Status of={status} />
      <span>
        <PageOf path="/webhooks/deliveries/$id" id={id}>
          Delivery
        </PageOf>{' '}
        to <ShortId id={endpoint_id} />, {attempts_text}
        {response}
      </span>
    </div>
  )
}

function PageOf({ path, id, children }: { path: string; id: string; children: ReactNode }) {
  const hasPage = useHasPage()
  if (!hasPage(path)) return children
  return (
    <Link to={path as '/transactions/$id'} params={{ id }} className="text-brand hover:underline">
      {children}
    </Link>
  )
}
