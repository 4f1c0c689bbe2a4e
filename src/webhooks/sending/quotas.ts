// Who gets the quotas of a worker. Each delivery holds one from its claim until its end is written
// down, and a receiver that is well may take its time: whoever was served by lot alone would wait
// behind fifty that are slow.

import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'

export interface DeliveryQuotas {
  healthy: DeliveryQuota
  failing: DeliveryQuota
}

export interface DeliveryQuota {
  all: number
  /** What the queues of one account hold together. */
  per_account: number
}

// In memory at the most, with their bodies. Those that fail have a share of their own, so that a
// thousand dead endpoints do not take the place of the living. No account has more than a tenth:
// its twenty endpoints could hold 800. Two hundred under way are more than a worker's 540 a second
// need, where the receivers answer within a third of one.
export const default_quotas: DeliveryQuotas = {
  healthy: { all: 2_000, per_account: 200 },
  failing: { all: 500, per_account: 50 },
}

export interface QuotaAllocation {
  /** How many more are claimed in all. */
  limit: number
  /** In the order of their turn. */
  accounts: AccountShare[]
}

export interface AccountShare {
  account_id: string
  capacity: number
  queues: EndpointQueue[]
}

/**
 * Whoever holds least is served first, accounts and then the queues of each, and only equals by lot:
 * so the place that a slow one leaves goes to one that has none. `held` are all queues of a kind,
 * `asking` those of them that have capacity.
 */
export function allocateQuota(
  held: EndpointQueue[],
  asking: EndpointQueue[],
  quotas: DeliveryQuota,
): QuotaAllocation {
  const held_by = new Map<string, number>()
  let limit = quotas.all
  for (const { endpoint, held: count } of held) {
    held_by.set(endpoint.account_id, (held_by.get(endpoint.account_id) ?? 0) + count)
    limit -= count
  }
  const heldBy = (account_id: string) => held_by.get(account_id) ?? 0
  const queues_of = Map.groupBy(asking, ({ endpoint }) => endpoint.account_id)
  const accounts = [...queues_of].map(([account_id, queues]) => ({
    account_id,
    capacity: quotas.per_account - heldBy(account_id),
    queues: leastFirst(queues, (queue) => queue.held),
  }))
  return { limit, accounts: leastFirst(accounts, ({ account_id }) => heldBy(account_id)) }
}

function leastFirst<Item>(items: Item[], holds: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, holds: holds(item), lot: Math.random() }))
    .sort((one, other) => one.holds - other.holds || one.lot - other.lot)
    .map(({ item }) => item)
}

/**
 * Claims are made in the order of the allocation, and end where its quotas do. A queue that had no turn is
 * told nothing: to it, nothing claimed would mean that nothing is there.
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
      const own = claimed.get(queue.endpoint.id) ?? []
      left -= own.length
      left_of_account -= own.length
      queue.take(own, left <= 0 || left_of_account <= 0)
    }
  }
}
