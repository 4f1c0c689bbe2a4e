// Checks that the matrix has no gaps and that the crash hook works: both would fail silently.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from '../../permissions/page-cells.ts'
import { swapAll } from '../swap-text.ts'
import { chooseCells, recipes, toWaves } from './matrix.ts'
import { excluded_writes, listWriteOperations, page_writes } from './operations.ts'
import { crashSwaps, points } from './points.ts'
import { nameOf } from './recipe.ts'

test('every page that writes has a recipe or a documented exclusion', () => {
  const known = page_writes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, '{}')}`)
  const writing = Object.keys(pages).filter((name) => !name.startsWith('GET '))
  assert.deepEqual([...known, ...Object.keys(excluded_writes)].sort(), writing.sort())
})

test('every write in the OpenAPI document has a recipe, and every recipe a write', () => {
  const written = listWriteOperations().map(({ id }) => id)
  assert.ok(written.length > 0)
  const covered = new Set(recipes.map(({ operation }) => operation))
  assert.deepEqual([...covered].sort(), written.toSorted())
})

test('recipe names are unique', () => {
  assert.equal(new Set(recipes.map(nameOf)).size, recipes.length)
})

test('the swap texts of the crash hook match the source', () => {
  assert.ok(swapAll(crashSwaps).size > 0)
})

test('the whole matrix, and five quick runs together, cover every point of every recipe', () => {
  const namesOf = (cells: ReturnType<typeof chooseCells>) =>
    new Set(cells.map(({ recipe, point }) => `${nameOf(recipe)} ${point}`))
  const whole = namesOf(chooseCells({ seed: 0, whole: true }))
  assert.equal(whole.size, recipes.length * points.length)
  const quick = [0, 1, 2, 3, 4].flatMap((seed) => chooseCells({ seed, whole: false }))
  assert.deepEqual([...namesOf(quick)].sort(), [...whole].sort())
})

test('grouping cells into waves loses none', () => {
  for (const seed of [0, 1, 2, 3, 4]) {
    const cells = chooseCells({ seed, whole: false })
    assert.deepEqual(new Set(toWaves(cells).flat()), new Set(cells))
  }
})
