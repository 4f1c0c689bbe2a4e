// Finds the object of a filtered event list, and the time range of its events: the id contains the
// creation time, and transactions and payment requests have updated_at. The range makes the search
// fast without an index on the object, which every payment would have to update.

import type { EventObject } from '../../events/list-events.ts'
import { findPayments } from '../../payments/find-payment.ts'
import type { Queryable } from '../../postgres/database.ts'
import { findUuid, type IdKind, idPrefixes, timeOfUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { quote } from '../../primitives/text.ts'
import { findTransactions } from '../../transactions/find-transaction.ts'

const kinds = [
  'transaction',
  'payment',
  'subscription',
  'dispute',
  'transfer',
  'payout',
  'user',
  'account',
  'api_key',
] as const

// The time in an id can be slightly ahead of the clock.
const slack_ms = 1_000

export async function findEventObject(
  db: Queryable,
  account_id: string,
  text: string | undefined,
): Promise<EventObject | undefined> {
  if (text === undefined) return undefined
  const { kind, id } = readObject(text)
  const [row] = await find(db, kind, { account_id, id })
  const from = new Date(Math.max(timeOfUuid(id).getTime() - slack_ms, 0))
  return { id, from, to: row?.updated_at }
}

function readObject(text: string): { kind: IdKind; id: string } {
  for (const kind of kinds) {
    const id = findUuid(kind, text)
    if (id !== undefined) return { kind, id }
  }
  const prefixes = kinds.map((kind) => `${idPrefixes[kind]}_`).join(', ')
  throw new Refusal(
    'invalid_request',
    `"object" must be an id that starts with ${prefixes}; got ${quote(text)}. ` +
      'Omit it to list all events.',
  )
}

async function find(
  db: Queryable,
  kind: IdKind,
  key: { account_id: string; id: string },
): Promise<{ updated_at: Date }[]> {
  if (kind === 'transaction') return findTransactions(db, [key])
  if (kind === 'payment') return findPayments(db, [key])
  return []
}
