// Every write, and every moment at which its server can die: what was committed is there whole and
// once, what was not is not there at all. FLORIN_LONG=1 runs the whole matrix, one crash for each
// cell; FLORIN_CRASH_SEED chooses the points of a quick run.

import { after, before, describe, test } from 'node:test'
import { assertVerifyPasses, checkInvariants } from '../../support/invariants.ts'
import { stopOwnServer } from '../../support/postgres.ts'
import { type CrashableServer, openCrashableServer } from './crashable-server.ts'
import { type Cell, chooseCells, toWaves } from './matrix.ts'
import { nameOf } from './recipe.ts'
import { WaveRunner } from './run-wave.ts'

const seed = Number(process.env.FLORIN_CRASH_SEED ?? Date.now() % 5)
const whole = Boolean(process.env.FLORIN_LONG)
const cells = chooseCells({ seed, whole })
const waves = whole ? cells.map((cell) => [cell]) : toWaves(cells)
// In a whole run one server starts while another is asked.
const servers = whole ? 2 : 1
const title = `${cells.length} writes die in ${waves.length} crashes, FLORIN_CRASH_SEED=${seed}`

after(stopOwnServer)

describe(title, { concurrency: servers }, () => {
  for (let number = 0; number < servers; number++) {
    const own = waves.filter((_, at) => at % servers === number)
    describe(`on server ${number + 1}`, { concurrency: 1 }, () => runOnOne(own))
  }
})

function runOnOne(own: Cell[][]): void {
  let server: CrashableServer
  let runner: WaveRunner
  before(async () => {
    server = await openCrashableServer()
    await server.start()
    runner = new WaveRunner(server)
  })
  after(() => server.remove())

  for (const wave of own) {
    const held = wave.map(({ recipe, point }) => `${nameOf(recipe)} ${point}`)
    test(`a crash leaves each whole or nothing of it: ${held.join('; ')}`, () => runner.run(wave))
  }

  test('the books agree after all of it', async () => {
    await checkInvariants(server.db.pool)
    await assertVerifyPasses(server.db)
  })
}
