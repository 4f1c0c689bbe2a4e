// Who gets the places of a worker. Each delivery holds one from its claim until its end is written
// down, and a receiver that is well may take its time: whoever was served by lot alone would wait
// behind fifty that are slow.

import type { Line, Waiting } from './line.ts'

export interface Places {
  well: PlacesOfKind
  failing: PlacesOfKind
}

export interface PlacesOfKind {
  all: number
  /** What the lines of one account hold together. */
  of_account: number
}

// In memory at the most, with their bodies. Those that fail have a share of their own, so that a
// thousand dead endpoints do not take the place of the living. No account has more than a tenth:
// its twenty endpoints could hold 800. Two hundred under way are more than a worker's 540 a second
// need, where the receivers answer within a third of one.
export const usual_places: Places = {
  well: { all: 2_000, of_account: 200 },
  failing: { all: 500, of_account: 50 },
}

export interface Deal {
  /** How many more are claimed in all. */
  limit: number
  /** In the order of their turn. */
  accounts: AccountShare[]
}

export interface AccountShare {
  account_id: string
  room: number
  lines: Line[]
}

/**
 * Whoever holds least is served first, accounts and then the lines of each, and only equals by lot:
 * so the place that a slow one leaves goes to one that has none. `held` are all lines of a kind,
 * `asking` those of them that have room.
 */
export function dealPlaces(held: Line[], asking: Line[], places: PlacesOfKind): Deal {
  const held_by = new Map<string, number>()
  let limit = places.all
  for (const { endpoint, held: count } of held) {
    held_by.set(endpoint.account_id, (held_by.get(endpoint.account_id) ?? 0) + count)
    limit -= count
  }
  const heldBy = (account_id: string) => held_by.get(account_id) ?? 0
  const lines_of = Map.groupBy(asking, ({ endpoint }) => endpoint.account_id)
  const accounts = [...lines_of].map(([account_id, lines]) => ({
    account_id,
    room: places.of_account - heldBy(account_id),
    lines: leastFirst(lines, (line) => line.held),
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
 * Claims are made in the order of the deal, and end where its places do. A line that had no turn is
 * told nothing: to it, nothing claimed would mean that nothing is there.
 */
export function handOut(deal: Deal, claimed: Map<string, Waiting[]>): void {
  let left = deal.limit
  for (const { room, lines } of deal.accounts) {
    let left_of_account = room
    for (const line of lines) {
      if (left <= 0 || left_of_account <= 0) break
      const own = claimed.get(line.endpoint.id) ?? []
      left -= own.length
      left_of_account -= own.length
      line.take(own, left <= 0 || left_of_account <= 0)
    }
  }
}
