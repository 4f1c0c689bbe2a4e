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

interface Differences {
  differences: Difference[]
  /** Where the next batch of accounts starts. */
  next?: string | undefined
}

/**
 * Repeats a verification that found differences, and keeps those that every repetition finds. For
 * reads without a common snapshot: each of them may find other changes that are in progress.
 */
export async function confirmDifferences<Result extends Differences>(
  repetitions: number,
  verify: () => Promise<Result>,
): Promise<Result> {
  let result = await verify()
  for (let left = repetitions; left > 0 && result.differences.length > 0; left--) {
    const before = new Set(result.differences.map(nameOf))
    const again = await verify()
    // Another batch has accounts that were not read before.
    const differences = again.differences.filter((one) => before.has(nameOf(one)))
    result = again.next === result.next ? { ...again, differences } : again
  }
  return result
}

/** Without what was found and expected, which change with every payment. */
function nameOf({ rule, account_id, object }: Difference): string {
  return JSON.stringify([rule, account_id, object])
}
