// Tests the matrix itself: with a bug planted into the server, a cell must fail.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stopOwnServer } from '../../support/postgres.ts'
import type { PlantedBugName } from '../planted/planted-bugs.ts'
import { openCrashableServer } from './crashable-server.ts'
import { type Cell, chooseCells } from './matrix.ts'
import type { Point } from './points.ts'
import { nameOf } from './recipe.ts'
import { WaveRunner } from './run-wave.ts'

after(stopOwnServer)

test('detects a change that is committed in two parts', async () => {
  await assert.rejects(crashWith('split-tx', 'after commit'), /differs from what was committed/)
})

if (process.env.FLORIN_LONG) {
  test('detects a second effect if the key is not looked up', async () => {
    await assert.rejects(crashWith('no-idem-unique', 'after commit'), (error: Error) => {
      assert.match(String(error.cause), /a second effect/)
      return true
    })
  })
}

async function crashWith(plant: PlantedBugName, point: Point): Promise<void> {
  const server = await openCrashableServer(plant)
  try {
    await server.start()
    await new WaveRunner(server).run([cellOf('createTransaction', point)])
  } finally {
    await server.remove()
  }
}

function cellOf(name: string, point: Point): Cell {
  const cells = chooseCells({ seed: 0, whole: true })
  return cells.find((cell) => nameOf(cell.recipe) === name && cell.point === point)!
}
