// Which cells are run, and which share a crash. The whole matrix kills a server for each cell. A
// quick run takes one point of each recipe, chosen by the seed so that five seeds in a row take
// them all, and every point of two that matter most; a start costs a second of processor time, so
// as many requests as do not wait for each other are held in one server before it is killed.

import { listWriteOperations, type WriteOperation } from './operations.ts'
import { isBeforeCommit, isInChange, type Point, points } from './points.ts'
import { nameOf, type Recipe } from './recipe.ts'
import { identityRecipes } from './recipes/identity.ts'
import { moneyRecipes } from './recipes/money.ts'
import { pageRecipes } from './recipes/pages.ts'
import { webhookRecipes } from './recipes/webhooks.ts'

export interface Cell {
  recipe: Recipe
  operation: WriteOperation
  point: Point
}

export const recipes: readonly Recipe[] = [
  ...moneyRecipes,
  ...identityRecipes,
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

// Each takes a connection for as long as it is held, and a server has ten.
const in_change_max = 6
// Held too long they would be answered 503, as anybody is after nine seconds.
const wave_max = 10

/** Cells whose requests are held in one server together, one after the other. */
export function toWaves(cells: Cell[]): Cell[][] {
  const waves: Cell[][] = []
  for (const cell of cells) {
    const wave = waves.find((held) => isRoomFor(cell, held))
    if (wave === undefined) waves.push([cell])
    else wave.push(cell)
  }
  // Whoever still has to get through must not come behind somebody who stands in the way.
  for (const wave of waves) wave.sort((one, other) => rank(one) - rank(other))
  return waves
}

function isRoomFor(cell: Cell, held: Cell[]): boolean {
  const all = [...held, cell]
  if (all.length > wave_max || all.some(({ recipe }) => recipe.multi_step !== undefined))
    return false
  const in_change = all.filter(({ point }) => isInChange(point))
  const kept_to_themselves = in_change.flatMap((it) => waitedFor(it) ?? [])
  return (
    in_change.length <= in_change_max &&
    new Set(kept_to_themselves).size === kept_to_themselves.length
  )
}

/** What nobody else gets while this one is held: a lane, or counters of people and accounts. */
function waitedFor({ operation: { path }, point }: Cell): string | undefined {
  const lane = /^\/v1\/(transactions|payments|subscriptions)\b/.exec(path)?.[1]
  if (lane !== undefined || path.startsWith('/pay/')) return lane ?? 'payments'
  return isBeforeCommit(point) && /^\/v1\/(users|accounts?)\b/.test(path) ? 'counters' : undefined
}

function rank({ point }: Cell): number {
  return isInChange(point) ? (isBeforeCommit(point) ? 2 : 1) : 0
}
