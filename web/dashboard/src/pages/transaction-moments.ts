// What happened to a transaction, the latest first.

import type { FlorinEvent, Transaction } from '../api/shapes.ts'
import type { Moment } from '../parts/timeline.tsx'

const words: Record<string, Pick<Moment, 'title' | 'text' | 'tone'>> = {
  'transaction.created': { title: 'Created', text: 'Waiting to settle.', tone: 'waiting' },
  'transaction.updated': { title: 'Updated', tone: 'quiet' },
  'transaction.succeeded': { title: 'Succeeded', text: 'The money has moved.', tone: 'good' },
  'transaction.failed': { title: 'Failed', text: 'No money has moved.', tone: 'bad' },
  'transaction.canceled': { title: 'Canceled', text: 'No money will move.', tone: 'quiet' },
}

export function momentsOf(transaction: Transaction, events: FlorinEvent[]): Moment[] {
  const told = events.filter(({ data }) => isAbout(data, transaction)).map(momentOfEvent)
  const have = new Set(told.map(({ key }) => key.split(' ')[0]))
  // Events older than the list goes back are told by the transaction itself.
  const own = ownMoments(transaction).filter(({ key }) => !have.has(key))
  return [...told, ...own].sort((one, other) => (one.at < other.at ? 1 : -1))
}

function ownMoments({ status, created_at, updated_at }: Transaction): Moment[] {
  const created = { key: 'transaction.created', at: created_at }
  const ended = { key: `transaction.${status}`, at: updated_at }
  const moments = status === 'pending' ? [created] : [ended, created]
  return moments.map((moment) => ({ ...moment, ...words[moment.key]! }))
}

function momentOfEvent(event: FlorinEvent): Moment {
  const { title, ...rest } = words[event.type] ?? { title: event.type }
  return { key: `${event.type} ${event.id}`, at: event.created_at, title, ...rest }
}

function isAbout(data: FlorinEvent['data'], transaction: Transaction): boolean {
  return data.id === transaction.id
}
