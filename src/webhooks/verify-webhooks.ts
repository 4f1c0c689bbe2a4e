// Checks webhook invariants for `florin verify`: cursors are not ahead of the account's events,
// disabled and deleted endpoints have no pending deliveries, endpoints of closed accounts have a
// final event, deliveries refer to existing events, and attempts to existing deliveries.

import { sequenceOf } from '../events/event-id.ts'
import { mustHaveNoOpenRows } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
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
} from './verify-queries.ts'

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
    ...(await selectMisnamed(db, range, differences_max)).map(misnamedDifference),
    ...(await selectOrphanedAttempts(db, range, differences_max)).map(orphanDifference),
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
      const found = `${fact.pending} pending deliveries without an endpoint`
      return [{ rule: 'deliveries_have_an_endpoint', ...about, found, expected: 'none' }]
    }
    return checkEndpoint(fact, lock_of.get(fact.account_id)).map((it) => ({ ...about, ...it }))
  })
}

type Finding = Omit<Difference, 'account_id' | 'object'>

export function checkEndpoint(
  fact: EndpointFacts,
  lock: Pick<CheckedLock, 'event_sequence' | 'status' | 'is_closing'> | undefined,
): Finding[] {
  const findings: Finding[] = []
  const report = (rule: string, found: string, expected: string) =>
    findings.push({ rule, found, expected })
  const last = lock?.event_sequence ?? 0
  if (fact.event_sequence > last) {
    report('endpoints_follow_events', `event ${fact.event_sequence}`, `${last} or less`)
  }
  if (fact.status === 'disabled' && fact.pending > 0) {
    report('disabled_endpoints_have_no_pending', `${fact.pending} pending deliveries`, 'none')
  }
  if (lock !== undefined && mustHaveNoOpenRows(lock) && fact.final_sequence === null) {
    report(
      'closed_accounts_end_webhooks',
      'an endpoint without a final event',
      'one with a final event',
    )
  }
  return findings
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

function misnamedDifference(delivery: NumberedDelivery): Difference {
  return {
    rule: 'deliveries_name_their_event',
    account_id: toTypeId('account', delivery.account_id),
    object: toTypeId('webhook_delivery', delivery.id),
    found: `event ${sequenceOf(delivery.event_id)}`,
    expected: `event ${delivery.event_sequence}`,
  }
}

function orphanDifference({ account_id, delivery_id, attempts }: OrphanedAttempts): Difference {
  return {
    rule: 'attempts_have_a_delivery',
    account_id: toTypeId('account', account_id),
    object: toTypeId('webhook_delivery', delivery_id),
    found: `${attempts} attempts without a delivery`,
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
    expected: `at least the ${recorded} recorded`,
  }
}
