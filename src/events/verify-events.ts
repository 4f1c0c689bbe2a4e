// Events of an account are numbered without gaps, up to the number in the account's row. Old ones
// are pruned from the front, so what is kept is the end of the numbers, without gaps.

import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../primitives/difference.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { sequenceOf } from './event-id.ts'
import {
  type BrokenEvent,
  type EventFacts,
  selectBrokenEvents,
  selectEventFacts,
} from './queries.ts'

/** How long an event is kept: SPEC.md §8. */
export const event_retention_ms = 90 * 86_400_000

/** What the account's row says. */
export interface EventCounter {
  account_id: string
  event_sequence: number
  last_at: Date
}

export async function verifyEvents(
  db: Queryable,
  range: AccountRange,
  books: EventCounter[],
  now: Date,
): Promise<Difference[]> {
  const facts = await selectEventFacts(db, range)
  const facts_of = new Map(facts.map((one) => [one.account_id, one]))
  const known = new Set(books.map(({ account_id }) => account_id))
  const oldest_kept = new Date(now.getTime() - event_retention_ms)
  const differences = [
    ...books.flatMap((book) => checkEvents(book, facts_of.get(book.account_id), oldest_kept)),
    ...facts.filter(({ account_id }) => !known.has(account_id)).map(checkOrphan),
  ]
  for (const { account_id, broken } of facts) {
    if (broken === 0) continue
    const events = await selectBrokenEvents(db, account_id, differences_max)
    differences.push(
      ...events.flatMap((event) => checkEvent(toTypeId('account', account_id), event)),
    )
  }
  return differences
}

/** What is kept against the account's row. An event younger than the oldest kept time is there. */
export function checkEvents(
  book: EventCounter,
  facts: EventFacts | undefined,
  oldest_kept: Date,
): Difference[] {
  const account_id = toTypeId('account', book.account_id)
  const differences: Difference[] = []
  const tell = (rule: string, object: string, found: string, expected: string) =>
    differences.push({ rule, account_id, object, found, expected })
  const first = facts?.first_sequence ?? book.event_sequence + 1
  const last = facts?.last_sequence ?? 0
  // An account that is younger than what is pruned has all of its events.
  if (timeOfUuid(book.account_id) > oldest_kept && first !== 1) {
    tell('events_have_no_gaps', 'events', `the first is number ${first}`, 'number 1')
  }
  // Money and people leave an event at the time they change, so a young change has a young event.
  const may_be_pruned = facts === undefined && book.last_at <= oldest_kept
  if (last !== book.event_sequence && !may_be_pruned) {
    tell('event_sequence_matches', 'event_sequence', String(book.event_sequence), String(last))
  }
  if (facts !== undefined && facts.last_at > book.last_at) {
    const expected = `none after ${toIso(book.last_at)}`
    tell('last_at_is_latest', 'last_at', `an event of ${toIso(facts.last_at)}`, expected)
  }
  return differences
}

export function checkEvent(account_id: string, event: BrokenEvent): Difference[] {
  const { id, sequence, sequence_expected, at, at_before } = event
  const object = `event ${sequence}`
  const differences: Difference[] = []
  if (sequenceOf(id) !== sequence) {
    const numbers = { found: `number ${sequenceOf(id)}`, expected: `number ${sequence}` }
    differences.push({ rule: 'event_ids_carry_their_number', account_id, object, ...numbers })
  }
  if (sequence_expected !== null && sequence !== sequence_expected) {
    const numbers = { found: `number ${sequence}`, expected: `number ${sequence_expected}` }
    differences.push({ rule: 'events_have_no_gaps', account_id, object, ...numbers })
  }
  if (at_before !== null && at < at_before) {
    const times = { found: toIso(at), expected: `${toIso(at_before)} or later` }
    differences.push({ rule: 'times_do_not_decrease', account_id, object, ...times })
  }
  return differences
}

function checkOrphan({ account_id, events }: EventFacts): Difference {
  return {
    rule: 'events_have_a_balance',
    account_id: toTypeId('account', account_id),
    object: 'events',
    found: `${events} events of an account without books`,
    expected: 'none',
  }
}
