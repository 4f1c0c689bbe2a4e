// How money moves, as data. The account is the one that gets paid: payments and credits bring money
// in, refunds send it back out. Every movement takes from one bucket and puts into another, so the
// sum over an account's four buckets is always zero.

export type Bucket = 'external' | 'incoming' | 'available' | 'held'

export const movements = {
  arrive: { from: 'external', to: 'incoming' },
  settle: { from: 'incoming', to: 'available' },
  return: { from: 'incoming', to: 'external' },
  hold: { from: 'available', to: 'held' },
  pay_out: { from: 'held', to: 'external' },
  release: { from: 'held', to: 'available' },
} as const satisfies Record<string, { from: Bucket; to: Bucket }>

export type Movement = keyof typeof movements

export type TransactionType = 'payment' | 'credit' | 'refund'

export type TransactionStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** The movement that comes with each status. A transaction begins pending and leaves it once. */
export const postingRules = {
  payment: { pending: 'arrive', succeeded: 'settle', failed: 'return', canceled: 'return' },
  credit: { pending: 'arrive', succeeded: 'settle', failed: 'return', canceled: 'return' },
  refund: { pending: 'hold', succeeded: 'pay_out', failed: 'release', canceled: 'release' },
} as const satisfies Record<TransactionType, Record<TransactionStatus, Movement>>

/** What a movement does to a bucket: 1 puts into it, −1 takes from it, 0 leaves it alone. */
export function effectOn(bucket: Bucket, movement: Movement): 1 | -1 | 0 {
  const { from, to } = movements[movement]
  return to === bucket ? 1 : from === bucket ? -1 : 0
}
