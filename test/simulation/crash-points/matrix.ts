// Selects the cells to run and groups those that share a crash. The whole matrix kills a server per
// cell. A quick run takes one point of each recipe, chosen so that five consecutive seeds cover
// all, and every point of the two most important recipes. A start costs a second of CPU time, so
// requests that do not block each other are stopped in one server before it is killed.

import { listWriteOperations, type WriteOperation } from './operations.ts'
import { isBeforeCommit, isInChange, type Point, points } from './points.ts'
import { nameOf, type Recipe } from './recipe.ts'
import { bankStatementRecipes } from './recipes/bank-statements.ts'
import { factorRecipes } from './recipes/factors.ts'
import { identityRecipes } from './recipes/identity.ts'
import { moneyRecipes } from './recipes/money.ts'
import { pageRecipes } from './recipes/pages.ts'
import { payoutRecipes } from './recipes/payouts.ts'
import { webhookRecipes } from './recipes/webhooks.ts'

export interface Cell {
  recipe: Recipe
  operation: WriteOperation
  point: Point
}

export const recipes: readonly Recipe[] = [
  ...moneyRecipes,
  ...payoutRecipes,
  ...bankStatementRecipes,
  ...identityRecipes,
  ...factorRecipes,
  ...webhookRecipes,
  ...pageRecipes,
]

const always = new Set(['createTransaction', 'createPayment'])

export function chooseCells(how: { seed: number; whole: boolean }): Cell[] {
  const operations = new Map(listWriteOperations().map((operation) => [operation.id, operation]))
  return recipes.flatMap((recipe, number) => {
    const every = how.whole || always.has(nameOf(recipe))
    const chosen = every ? points : [points[(how.seed + number) % points.length]!]
    const operation = operations.get(recipe.operation)!
    return chosen.map((point) => ({ recipe, operation, point }))
  })
}

// Each holds a connection while it is stopped, and a server has ten.
const max_in_change = 6
// After nine seconds a stopped request would get 503.
const max_wave = 10

/** Groups cells whose requests can be stopped in one server, one after another. */
export function toWaves(cells: Cell[]): Cell[][] {
  const waves: Cell[][] = []
  for (const cell of cells) {
    const wave = waves.find((group) => fitsInto(cell, group))
    if (wave === undefined) waves.push([cell])
    else wave.push(cell)
  }
  // Requests that must still pass come first, so they do not block behind stopped ones.
  for (const wave of waves) wave.sort((one, other) => rank(one) - rank(other))
  return waves
}

function fitsInto(cell: Cell, group: Cell[]): boolean {
  const all = [...group, cell]
  if (all.length > max_wave || all.some(({ recipe }) => recipe.multi_step !== undefined))
    return false
  const in_change = all.filter(({ point }) => isInChange(point))
  const locked_resources = in_change.flatMap((it) => lockedBy(it) ?? [])
  return (
    in_change.length <= max_in_change && new Set(locked_resources).size === locked_resources.length
  )
}

/** The resource that a stopped request blocks: a lane, or the counters of users and accounts. */
function lockedBy({ operation: { path }, point }: Cell): string | undefined {
  const lane = /^\/v1\/(transactions|payments|subscriptions)\b/.exec(path)?.[1]
  if (lane !== undefined) return lane
  if (path.startsWith('/pay/') || path === '/v1/payment_requests') return 'payments'
  return isBeforeCommit(point) && /^\/v1\/(users|accounts?)\b/.test(path) ? 'counters' : undefined
}

function rank({ point }: Cell): number {
  return isInChange(point) ? (isBeforeCommit(point) ? 2 : 1) : 0
}
