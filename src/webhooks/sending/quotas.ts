// Fair queueing: how a worker divides its capacity among accounts and endpoints. A delivery counts
// from its claim until its outcome is recorded. A healthy receiver can be slow, so random selection
// would let many slow endpoints take all of the capacity.

import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'

export interface DeliveryQuotas {
  healthy: DeliveryQuota
  failing: DeliveryQuota
}

interface DeliveryQuota {
  all: number
  /** The limit for all queues of one account together. */
  per_account: number
}

// Bounds the deliveries in memory, with their bodies. Failing endpoints have a separate quota, so a
// thousand dead endpoints do not displace healthy ones. One account gets at most a tenth: its
// twenty endpoints could hold 800 otherwise. With receivers that respond within 300 ms, 200 in
// flight are enough for a worker's 540 requests per second.
export const default_quotas: DeliveryQuotas = {
  healthy: { all: 2_000, per_account: 200 },
  failing: { all: 500, per_account: 50 },
}

export interface QuotaAllocation {
  /** How many more deliveries to claim in total. */
  limit: number
  /** In the order in which they are served. */
  accounts: AccountShare[]
}

interface AccountShare {
  account_id: string
  capacity: number
  queues: EndpointQueue[]
}

/**
 * Serves the account with the fewest deliveries first, then its queues in the same way, and breaks
 * ties at random. `all` are the queues that share the quota, `candidates` those with capacity.
 */
export function allocateQuota(
  all: EndpointQueue[],
  candidates: EndpointQueue[],
  quotas: DeliveryQuota,
): QuotaAllocation {
  const sizes = new Map<string, number>()
  let limit = quotas.all
  for (const { endpoint, size } of all) {
    sizes.set(endpoint.account_id, (sizes.get(endpoint.account_id) ?? 0) + size)
    limit -= size
  }
  const sizeOf = (account_id: string) => sizes.get(account_id) ?? 0
  const queues_of = Map.groupBy(candidates, ({ endpoint }) => endpoint.account_id)
  const accounts = [...queues_of].map(([account_id, queues]) => ({
    account_id,
    capacity: quotas.per_account - sizeOf(account_id),
    queues: leastFirst(queues, (queue) => queue.size),
  }))
  return { limit, accounts: leastFirst(accounts, ({ account_id }) => sizeOf(account_id)) }
}

function leastFirst<Item>(items: Item[], sizeOf: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, size: sizeOf(item), tie_breaker: Math.random() }))
    .sort((one, other) => one.size - other.size || one.tie_breaker - other.tie_breaker)
    .map(({ item }) => item)
}

/**
 * Claims follow the order of the allocation until the quota is used up. Queues after that point are
 * not updated, because an empty claim would mean that nothing is due.
 */
export function enqueueClaimed(
  allocation: QuotaAllocation,
  claimed: Map<string, QueuedDelivery[]>,
): void {
  let left = allocation.limit
  for (const { capacity, queues } of allocation.accounts) {
    let left_of_account = capacity
    for (const queue of queues) {
      if (left <= 0 || left_of_account <= 0) break
      const deliveries = claimed.get(queue.endpoint.id) ?? []
      left -= deliveries.length
      left_of_account -= deliveries.length
      queue.enqueue(deliveries, left <= 0 || left_of_account <= 0)
    }
  }
}
