// Which object a list of events is asked about, and when things can have happened to it. An id says
// when it was made; rows of money also say when they last changed. So the events of a transaction
// are looked for among those of its own life, and no index is needed that every payment would
// write.

import type { EventObject } from '../events/list-events.ts'
import { findPayments } from '../payments/find-payment.ts'
import type { Queryable } from '../postgres/database.ts'
import { findUuid, type IdKind, idPrefixes, timeOfUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findTransactions } from '../transactions/find-transaction.ts'

const kinds = ['transaction', 'payment', 'subscription', 'user', 'account', 'api_key'] as const

// An id may borrow a millisecond from the one after it.
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
    `object must be an id that begins with one of ${prefixes}. Leave it out for all events.`,
  )
}

async function find(
  db: Queryable,
  kind: IdKind,
  name: { account_id: string; id: string },
): Promise<{ updated_at: Date }[]> {
  if (kind === 'transaction') return findTransactions(db, [name])
  if (kind === 'payment') return findPayments(db, [name])
  return []
}
