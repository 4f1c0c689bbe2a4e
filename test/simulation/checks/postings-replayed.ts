// Replayed from the first posting, every balance comes out as it is stored, no place was ever below
// nothing, and each posting says what was available after it. `florin verify` says so too.

import type { FinalBalance, FinalPosting, History } from '../history.ts'
import { groupBy } from '../writes.ts'

// Written from the specification and not from the code: from where, to where.
const moves: Record<string, [from: Bucket, to: Bucket]> = {
  arrive: ['external', 'incoming'],
  settle: ['incoming', 'available'],
  return: ['incoming', 'external'],
  hold: ['available', 'held'],
  pay_out: ['held', 'external'],
  release: ['held', 'available'],
}

type Bucket = 'external' | 'incoming' | 'available' | 'held'
type Buckets = Record<Bucket, number>

export function postingsReplayed({ final }: History): string[] {
  const postings = groupBy(final.postings, ({ account }) => account)
  const known = new Set(final.balances.map(({ account }) => account))
  return [
    ...final.balances.flatMap((balances) => check(balances, postings.get(balances.account) ?? [])),
    ...[...postings.keys()]
      .filter((account) => !known.has(account))
      .map((account) => `${account} has postings and no balances`),
    ...final.differences.map((difference) => `florin verify: ${difference}`),
  ]
}

function check(balances: FinalBalance, postings: FinalPosting[]): string[] {
  const found: string[] = []
  const places: Buckets = { external: 0, incoming: 0, available: 0, held: 0 }
  for (const posting of inOrder(postings)) {
    const at = `${balances.account} posting ${posting.sequence}`
    moveBuckets(places, posting)
    for (const place of ['incoming', 'available', 'held'] as const) {
      if (places[place] < 0) found.push(`${at}: ${place} is ${places[place]}`)
    }
    if (posting.available_after !== places.available) {
      found.push(`${at}: says ${posting.available_after}, and ${places.available} is available`)
    }
  }
  for (const place of ['incoming', 'available', 'held'] as const) {
    if (balances[place] === places[place]) continue
    found.push(
      `${balances.account}: ${place} is kept as ${balances[place]}, replayed ${places[place]}`,
    )
  }
  return found
}

export function inOrder(postings: FinalPosting[]): FinalPosting[] {
  return postings.toSorted((one, other) => one.sequence - other.sequence)
}

function moveBuckets(places: Buckets, { movement, amount }: FinalPosting): void {
  const move = moves[movement]
  if (move === undefined) throw new Error(`${movement} is no movement`)
  places[move[0]] -= amount
  places[move[1]] += amount
}

/** What was available after each posting, the state before the first included. */
export function availableAfterEach(postings: FinalPosting[]): number[] {
  const places: Buckets = { external: 0, incoming: 0, available: 0, held: 0 }
  return [
    0,
    ...inOrder(postings).map((posting) => {
      moveBuckets(places, posting)
      return places.available
    }),
  ]
}
