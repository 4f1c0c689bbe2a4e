// What `florin verify` looks at, and what it says when two things that must agree do not.

export interface Difference {
  /** The rule that does not hold: what a program decides by. */
  rule: string
  account_id: string | null
  /** What in the account it is about: a transaction's id, a posting's number, a column. */
  object: string
  found: string
  expected: string
}

/** A stretch of accounts by their ids, which are UUIDs here. */
export interface AccountRange {
  /** Exclusive. */
  after: string
  /** Inclusive. */
  through: string
}

export const nil_uuid = '00000000-0000-0000-0000-000000000000'
export const max_uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// Where one thing is broken, everything after it often is too: the first few tell enough.
export const differences_max = 20
