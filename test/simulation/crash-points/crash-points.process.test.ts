// Kills the server at every point of every write: a committed change is complete and applied once,
// an uncommitted one leaves nothing. FLORIN_LONG=1 runs the whole matrix with one crash per cell;
// FLORIN_CRASH_SEED selects the points of a quick run.

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
// In a whole run, one server restarts while the other handles requests.
const servers = whole ? 2 : 1
const title = `${cells.length} writes in ${waves.length} crashes, FLORIN_CRASH_SEED=${seed}`

after(stopOwnServer)

describe(title, { concurrency: servers }, () => {
  for (let number = 0; number < servers; number++) {
    const share = waves.filter((_, at) => at % servers === number)
    describe(`on server ${number + 1}`, { concurrency: 1 }, () => runOnOne(share))
  }
})

function runOnOne(share: Cell[][]): void {
  let server: CrashableServer
  let runner: WaveRunner
  before(async () => {
    server = await openCrashableServer()
    await server.start()
    runner = new WaveRunner(server)
  })
  after(() => server.remove())

  for (const wave of share) {
    const names = wave.map(({ recipe, point }) => `${nameOf(recipe)} ${point}`)
    test(`each write is complete or absent after: ${names.join('; ')}`, () => runner.run(wave))
  }

  test('the ledger is consistent at the end', async () => {
    await checkInvariants(server.db.pool)
    await assertVerifyPasses(server.db)
  })
}
