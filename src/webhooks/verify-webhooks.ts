// An endpoint never looked further than its account's events go, and what waits has somewhere to
// go: a disabled or deleted endpoint has nothing pending, a closed account nothing that never ends.
// What was sent is an event that the account has had, and every try is of a delivery.

import { sequenceOf } from '../events/event-id.ts'
import { mustHaveNoOpenRows } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../primitives/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import {
  type EndpointFacts,
  type FurthestDelivery,
  type MiscountedDelivery,
  type NumberedDelivery,
  type OrphanedAttempts,
  selectEndpointFacts,
  selectFurthestDeliveries,
  selectMiscounted,
  selectMisnamed,
  selectOrphanedAttempts,
} from './verify/queries.ts'

export async function verifyWebhooks(
  db: Queryable,
  range: AccountRange,
  locks: Pick<CheckedLock, 'account_id' | 'event_sequence' | 'status' | 'is_closing'>[],
): Promise<Difference[]> {
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  return [
    ...(await verifyEndpoints(db, range, lock_of)),
    ...(await selectFurthestDeliveries(db, range)).flatMap((furthest) =>
      checkFurthest(furthest, lock_of.get(furthest.account_id)?.event_sequence ?? 0),
    ),
    ...(await selectMisnamed(db, range, differences_max)).map(checkMisnamed),
    ...(await selectOrphanedAttempts(db, range, differences_max)).map(checkStray),
    ...(await selectMiscounted(db, range, differences_max)).map(miscountDifference),
  ]
}

type LockOf = Map<string, Pick<CheckedLock, 'event_sequence' | 'status' | 'is_closing'>>

async function verifyEndpoints(
  db: Queryable,
  range: AccountRange,
  lock_of: LockOf,
): Promise<Difference[]> {
  const facts = await selectEndpointFacts(db, range)
  return facts.flatMap((fact) => {
    const about = {
      account_id: toTypeId('account', fact.account_id),
      object: toTypeId('webhook_endpoint', fact.id),
    }
    if (fact.status === null) {
      const found = `${fact.pending} deliveries that wait for no endpoint`
      return [{ rule: 'deliveries_have_an_endpoint', ...about, found, expected: 'none' }]
    }
    return checkEndpoint(fact, lock_of.get(fact.account_id)).map((it) => ({ ...about, ...it }))
  })
}

type Fault = Omit<Difference, 'account_id' | 'object'>

export function checkEndpoint(
  fact: EndpointFacts,
  lock: Pick<CheckedLock, 'event_sequence' | 'status' | 'is_closing'> | undefined,
): Fault[] {
  const faults: Fault[] = []
  const tell = (rule: string, found: string, expected: string) =>
    faults.push({ rule, found, expected })
  const last = lock?.event_sequence ?? 0
  if (fact.event_sequence > last) {
    tell('endpoints_follow_events', `event ${fact.event_sequence}`, `${last} or less`)
  }
  if (fact.status === 'disabled' && fact.pending > 0) {
    tell('disabled_endpoints_rest', `${fact.pending} pending deliveries`, 'none')
  }
  if (lock !== undefined && mustHaveNoOpenRows(lock) && fact.final_sequence === null) {
    tell('closed_accounts_end_webhooks', 'an endpoint without an end', 'one with its last event')
  }
  return faults
}

function checkFurthest(
  { account_id, event_sequence }: FurthestDelivery,
  last: number,
): Difference[] {
  if (event_sequence <= last) return []
  return [
    {
      rule: 'deliveries_follow_events',
      account_id: toTypeId('account', account_id),
      object: 'webhook deliveries',
      found: `one of event ${event_sequence}`,
      expected: `${last} or less`,
    },
  ]
}

function checkMisnamed(delivery: NumberedDelivery): Difference {
  return {
    rule: 'deliveries_name_their_event',
    account_id: toTypeId('account', delivery.account_id),
    object: toTypeId('webhook_delivery', delivery.id),
    found: `event ${sequenceOf(delivery.event_id)}`,
    expected: `event ${delivery.event_sequence}`,
  }
}

function checkStray({ account_id, delivery_id, attempts }: OrphanedAttempts): Difference {
  return {
    rule: 'attempts_have_a_delivery',
    account_id: toTypeId('account', account_id),
    object: toTypeId('webhook_delivery', delivery_id),
    found: `${attempts} tries of no delivery`,
    expected: 'none',
  }
}

function miscountDifference({
  account_id,
  id,
  attempts,
  recorded,
}: MiscountedDelivery): Difference {
  return {
    rule: 'attempts_are_counted',
    account_id: toTypeId('account', account_id),
    object: toTypeId('webhook_delivery', id),
    found: `${attempts} attempts`,
    expected: `${recorded} or more, which are recorded`,
  }
}
