// Distributes the transactions of a demo: a few busy accounts and many quiet ones, opened over the
// year.

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
    // In id order. Even the newest account is old enough to have transactions.
    const share = (index + random.fraction()) / options.accounts
    return { index, count, opens_at: new Date(until.getTime() - year_ms * (1 - 0.8 * share)) }
  })
}

/** Integers in proportion to the weights that add up exactly to the total. */
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

/** Groups accounts to write together, each group with at least `count_min` rows if possible. */
export function groupBySize(plan: PlannedAccount[], count_min: number): PlannedAccount[][] {
  const groups: PlannedAccount[][] = []
  let group: PlannedAccount[] = []
  let count = 0
  for (const account of plan) {
    group.push(account)
    // The account itself counts as a row.
    count += account.count + 1
    if (count < count_min) continue
    groups.push(group)
    group = []
    count = 0
  }
  return group.length > 0 ? [...groups, group] : groups
}
