// A matrix with a hole in it, or a hook that holds nothing, would look as green as a whole one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from '../../permissions/page-cells.ts'
import { swapAll } from '../swap-text.ts'
import { chooseCells, recipes, toWaves } from './matrix.ts'
import { excluded_writes, listWriteOperations, page_writes } from './operations.ts'
import { crashSwaps, points } from './points.ts'
import { nameOf } from './recipe.ts'

test('every page that writes has a recipe, or a reason why not', () => {
  const known = page_writes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, '{}')}`)
  const writing = Object.keys(pages).filter((name) => !name.startsWith('GET '))
  assert.deepEqual([...known, ...Object.keys(excluded_writes)].sort(), writing.sort())
})

test('every write of the OpenAPI file has a recipe, and every recipe has its write', () => {
  const written = listWriteOperations().map(({ id }) => id)
  assert.ok(written.length > 0)
  const cooked = new Set(recipes.map(({ operation }) => operation))
  assert.deepEqual([...cooked].sort(), written.toSorted())
})

test('recipes have names of their own', () => {
  assert.equal(new Set(recipes.map(nameOf)).size, recipes.length)
})

test('what holds a request still fits the files that it is put into', () => {
  assert.ok(swapAll(crashSwaps).size > 0)
})

test('the whole matrix has every point of every recipe, and so have five quick ones', () => {
  const named = (cells: ReturnType<typeof chooseCells>) =>
    new Set(cells.map(({ recipe, point }) => `${nameOf(recipe)} ${point}`))
  const whole = named(chooseCells({ seed: 0, whole: true }))
  assert.equal(whole.size, recipes.length * points.length)
  const quick = [0, 1, 2, 3, 4].flatMap((seed) => chooseCells({ seed, whole: false }))
  assert.deepEqual([...named(quick)].sort(), [...whole].sort())
})

test('no cell is lost when they are put together', () => {
  for (const seed of [0, 1, 2, 3, 4]) {
    const cells = chooseCells({ seed, whole: false })
    assert.deepEqual(new Set(toWaves(cells).flat()), new Set(cells))
  }
})
