// Verifies that the events of an account are numbered without gaps, up to the number in its balance
// row. Old events are pruned, so the retained numbers start later, but have no gaps either.

import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { sequenceOf } from './event-id.ts'
import {
  type BrokenEvent,
  type EventFacts,
  selectBrokenEvents,
  selectEventFacts,
} from './queries.ts'
import { event_retention_ms } from './sweep-events.ts'

/** The last event number and time in the account's balance row. */
interface EventCounter {
  account_id: string
  event_sequence: number
  last_at: Date
}

export async function verifyEvents(
  db: Queryable,
  range: AccountRange,
  counters: EventCounter[],
  now: Date,
): Promise<Difference[]> {
  const facts = await selectEventFacts(db, range)
  const facts_of = new Map(facts.map((one) => [one.account_id, one]))
  const known = new Set(counters.map(({ account_id }) => account_id))
  const retained_from = new Date(now.getTime() - event_retention_ms)
  const differences = [
    ...counters.flatMap((one) => checkEvents(one, facts_of.get(one.account_id), retained_from)),
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

/** Compares the retained events with the counter. Events after `retained_from` must exist. */
function checkEvents(
  counter: EventCounter,
  facts: EventFacts | undefined,
  retained_from: Date,
): Difference[] {
  const account_id = toTypeId('account', counter.account_id)
  const differences: Difference[] = []
  const report = (rule: string, object: string, found: string, expected: string) =>
    differences.push({ rule, account_id, object, found, expected })
  const first = facts?.first_sequence ?? counter.event_sequence + 1
  const last = facts?.last_sequence ?? 0
  // An account that was created within the retention time has all of its events.
  if (timeOfUuid(counter.account_id) > retained_from && first !== 1) {
    report('events_have_no_gaps', 'events', `the first is number ${first}`, 'number 1')
  }
  // Every change writes an event with the same time, so a recent change has a retained event.
  const may_be_pruned = facts === undefined && counter.last_at <= retained_from
  if (last !== counter.event_sequence && !may_be_pruned) {
    report('event_sequence_matches', 'event_sequence', String(counter.event_sequence), String(last))
  }
  if (facts !== undefined && facts.last_at > counter.last_at) {
    const expected = `none after ${toIso(counter.last_at)}`
    report('last_at_is_latest', 'last_at', `an event at ${toIso(facts.last_at)}`, expected)
  }
  return differences
}

function checkEvent(account_id: string, event: BrokenEvent): Difference[] {
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
    found: `${events} events of an account without a balance`,
    expected: 'none',
  }
}
