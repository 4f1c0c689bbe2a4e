// What `florin verify` reports when stored data violates a rule.

export interface Difference {
  /** The violated rule, as a stable code for programs. */
  rule: string
  account_id: string | null
  /** What is inconsistent: the id of a transaction, the number of a posting, a column. */
  object: string
  found: string
  expected: string
}

/** A range of accounts, by UUID. */
export interface AccountRange {
  /** Exclusive. */
  after: string
  /** Inclusive. */
  through: string
}

export const nil_uuid = '00000000-0000-0000-0000-000000000000'
export const max_uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// One corrupt row often makes all later ones inconsistent, so only the first are reported.
export const differences_max = 20
