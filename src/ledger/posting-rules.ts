// The posting rules as data. Payments and credits bring money into an account, refunds send it back
// out. Every movement debits one bucket and credits another, so the sum over an account's five
// buckets is always zero.

/** `owed` is the only bucket with a negative balance: what the account owes to the operator. */
export type Bucket = 'external' | 'incoming' | 'available' | 'held' | 'owed'

/** The movements that a change of a transaction's status makes. */
const transactionMovements = {
  arrive: { from: 'external', to: 'incoming' },
  settle: { from: 'incoming', to: 'available' },
  return: { from: 'incoming', to: 'external' },
  hold: { from: 'available', to: 'held' },
  pay_out: { from: 'held', to: 'external' },
  release: { from: 'held', to: 'available' },
} as const satisfies Record<string, Move>

interface Move {
  from: Bucket
  to: Bucket
}

export const movements = {
  ...transactionMovements,
  fee: { from: 'available', to: 'external' },
  /** A disputed amount: the provider takes it back, and returns it if the dispute is won. */
  withdraw: { from: 'available', to: 'external' },
  reinstate: { from: 'external', to: 'available' },
  /** The operator lends what `available` lacks. The movement that needs it follows. */
  overdraw: { from: 'owed', to: 'available' },
  /** Follows every movement that makes money available while the account owes some. */
  repay: { from: 'available', to: 'owed' },
  /** Payouts, whose postings have the id of the payout instead of a transaction. */
  payout_hold: { from: 'available', to: 'held' },
  payout_pay: { from: 'held', to: 'external' },
  payout_release: { from: 'held', to: 'available' },
  payout_return: { from: 'external', to: 'available' },
} as const satisfies Record<string, Move>

export const ofTransactions = Object.keys(transactionMovements) as Movement[]

export type Movement = keyof typeof movements

export type TransactionType = 'payment' | 'credit' | 'refund'

export type TransactionStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

/** The movement for each status. A transaction starts as pending and changes status once. */
export const postingRules = {
  payment: { pending: 'arrive', succeeded: 'settle', failed: 'return', canceled: 'return' },
  credit: { pending: 'arrive', succeeded: 'settle', failed: 'return', canceled: 'return' },
  refund: { pending: 'hold', succeeded: 'pay_out', failed: 'release', canceled: 'release' },
} as const satisfies Record<TransactionType, Record<TransactionStatus, Movement>>

/** A movement's effect on a bucket: 1 adds to it, −1 subtracts from it, 0 does not touch it. */
export function effectOn(bucket: Bucket, movement: Movement): 1 | -1 | 0 {
  const { from, to } = movements[movement]
  return to === bucket ? 1 : from === bucket ? -1 : 0
}
