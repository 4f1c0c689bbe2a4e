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

// One corrupt row often makes all later ones inconsistent, so only the first are reported.
export const differences_max = 20
