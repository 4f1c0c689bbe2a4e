// What happened with a customer, from the payment requests and subscriptions on the page.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Payment, Subscription } from '../../api/api-types.ts'
import { Money } from '../../parts/money.tsx'
import type { TimelineEntry } from '../../parts/timeline.tsx'

interface Rows {
  payments: Payment[]
  subscriptions: Subscription[]
}

const entries_max = 20

/** Newest first. */
export function historyOf({ payments, subscriptions }: Rows): TimelineEntry[] {
  return [...payments.flatMap(paymentEntries), ...subscriptions.flatMap(subscriptionEntries)]
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, entries_max)
}

const ended = {
  succeeded: { title: 'Paid', tone: 'good' },
  failed: { title: 'Payment request failed', tone: 'bad' },
  canceled: { title: 'Payment request canceled', tone: 'quiet' },
} as const

function paymentEntries(payment: Payment): TimelineEntry[] {
  const { id, status, amount, currency, reference, created_at, updated_at } = payment
  const text = (
    <Link to="/payments/$id" params={{ id }} className="hover:underline">
      <Money amount={amount} currency={currency} />
      {reference !== null && ` · ${reference}`}
    </Link>
  )
  const tone = status === 'pending' ? 'waiting' : 'quiet'
  const requested = { key: `${id} created`, at: created_at, title: 'Payment requested', text, tone }
  if (status === 'pending') return [requested as TimelineEntry]
  return [requested as TimelineEntry, { key: id, at: updated_at, text, ...ended[status] }]
}

function subscriptionEntries(subscription: Subscription): TimelineEntry[] {
  const { id, status, amount, currency, created_at, updated_at } = subscription
  const text: ReactNode = (
    <Link to="/subscriptions/$id" params={{ id }} className="hover:underline">
      <Money amount={amount} currency={currency} />
      {` per ${subscription.interval}`}
    </Link>
  )
  const started = { key: `${id} created`, at: created_at, title: 'Subscribed', text } as const
  if (status === 'active') return [started]
  return [started, { key: id, at: updated_at, title: `Subscription ${status}`, text }]
}
