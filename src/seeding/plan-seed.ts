// Who gets how much of a demo: a few busy accounts, many quiet ones, opened over the year.

import { Random } from './random.ts'

export interface SeedOptions {
  accounts: number
  transactions: number
  seed: string
}

export interface PlannedAccount {
  index: number
  opens_at: Date
  count: number
}

const year_ms = 365 * 86_400_000

export function planSeed(options: SeedOptions, until: Date): PlannedAccount[] {
  const random = new Random(options.seed, 'plan')
  const weights = Array.from({ length: options.accounts }, () => random.logNormal(1, 1.2))
  const counts = shareOut(options.transactions, weights)
  return counts.map((count, index) => {
    // In the order of their ids, and the last of them old enough to have had some business.
    const share = (index + random.fraction()) / options.accounts
    return { index, count, opens_at: new Date(until.getTime() - year_ms * (1 - 0.8 * share)) }
  })
}

/** Whole shares in proportion to the weights, which add up to the total exactly. */
export function shareOut(total: number, weights: number[]): number[] {
  const sum = weights.reduce((left, right) => left + right, 0)
  let weight_before = 0
  let given = 0
  return weights.map((weight) => {
    weight_before += weight
    const share = Math.round((total * weight_before) / sum) - given
    given += share
    return share
  })
}

/** Accounts that are written together: as many as make up a good load, or one alone. */
export function groupBySize(plan: PlannedAccount[], count_min: number): PlannedAccount[][] {
  const groups: PlannedAccount[][] = []
  let group: PlannedAccount[] = []
  let count = 0
  for (const account of plan) {
    group.push(account)
    // An account without transactions is work too.
    count += account.count + 1
    if (count < count_min) continue
    groups.push(group)
    group = []
    count = 0
  }
  return group.length > 0 ? [...groups, group] : groups
}
