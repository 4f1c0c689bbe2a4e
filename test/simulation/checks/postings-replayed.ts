// Replaying all postings gives the stored balances, no bucket is ever negative, each posting has
// the correct available amount, and `florin verify` reports no difference.

import type { FinalBalance, FinalPosting, History } from '../history.ts'
import { groupBy } from '../writes.ts'

// Written from the specification, independently of the code.
const moves: Record<string, [from: Bucket, to: Bucket]> = {
  arrive: ['external', 'incoming'],
  settle: ['incoming', 'available'],
  return: ['incoming', 'external'],
  hold: ['available', 'held'],
  pay_out: ['held', 'external'],
  release: ['held', 'available'],
  fee: ['available', 'external'],
  withdraw: ['available', 'external'],
  reinstate: ['external', 'available'],
  overdraw: ['owed', 'available'],
  repay: ['available', 'owed'],
  payout_hold: ['available', 'held'],
  payout_pay: ['held', 'external'],
  payout_release: ['held', 'available'],
  payout_return: ['external', 'available'],
}

type Bucket = 'external' | 'incoming' | 'available' | 'held' | 'owed'
type Buckets = Record<Bucket, number>

export function postingsReplayed({ final }: History): string[] {
  const postings = groupBy(final.postings, ({ account }) => account)
  const known = new Set(final.balances.map(({ account }) => account))
  return [
    ...final.balances.flatMap((balances) => check(balances, postings.get(balances.account) ?? [])),
    ...[...postings.keys()]
      .filter((account) => !known.has(account))
      .map((account) => `${account} has postings but no balances`),
    ...final.differences.map((difference) => `florin verify: ${difference}`),
  ]
}

function check(balances: FinalBalance, postings: FinalPosting[]): string[] {
  const found: string[] = []
  const buckets = emptyBuckets()
  for (const posting of inOrder(postings)) {
    const at = `${balances.account} posting ${posting.sequence}`
    moveBuckets(buckets, posting)
    for (const bucket of ['incoming', 'available', 'held'] as const) {
      if (buckets[bucket] < 0) found.push(`${at}: ${bucket} is ${buckets[bucket]}`)
    }
    // A debt is a negative balance.
    if (buckets.owed > 0) found.push(`${at}: ${buckets.owed} more was repaid than was owed`)
    if (posting.available_after !== buckets.available) {
      found.push(`${at}: has ${posting.available_after}, but ${buckets.available} is available`)
    }
  }
  for (const bucket of ['incoming', 'available', 'held'] as const) {
    if (balances[bucket] === buckets[bucket]) continue
    found.push(`${balances.account}: ${bucket} is ${balances[bucket]}, replayed ${buckets[bucket]}`)
  }
  if (balances.owed !== -buckets.owed) {
    found.push(`${balances.account}: owed is ${balances.owed}, replayed ${-buckets.owed}`)
  }
  if (balances.owed > 0 && balances.available > 0) {
    found.push(`${balances.account}: ${balances.owed} is owed while money is available`)
  }
  return found
}

function emptyBuckets(): Buckets {
  return { external: 0, incoming: 0, available: 0, held: 0, owed: 0 }
}

export function inOrder(postings: FinalPosting[]): FinalPosting[] {
  return postings.toSorted((one, other) => one.sequence - other.sequence)
}

function moveBuckets(buckets: Buckets, { movement, amount }: FinalPosting): void {
  const move = moves[movement]
  if (move === undefined) throw new Error(`unknown movement: ${movement}`)
  buckets[move[0]] -= amount
  buckets[move[1]] += amount
}

/** Returns the available amount before the first posting and after each one. */
export function availableAfterEach(postings: FinalPosting[]): number[] {
  const buckets = emptyBuckets()
  return [
    0,
    ...inOrder(postings).map((posting) => {
      moveBuckets(buckets, posting)
      return buckets.available
    }),
  ]
}
