import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlorinProcess } from '../cli/florin-process.ts'
import { startFlorin } from '../support/florin.ts'
import { countStatus, makeDue, settledOnce, shopsInSlots, urlOf } from './due.ts'
import { holdLock, openTransactionFixtures, waitForWaiters } from './transaction-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransactionFixtures(florin)

test('a killed worker leaves no partial settlement, and another worker finishes', async (t) => {
  const before = await countStatus(florin, 'succeeded')
  const shops = await shopsInSlots(fixtures, 8)
  await makeDue(florin, shops, 1_000)
  const [last] = shops.sort((one, other) => (one.uuid.slice(-1) < other.uuid.slice(-1) ? 1 : -1))
  const release = await holdLock(florin, last!)
  t.after(release)
  const env = { DATABASE_URL: urlOf(florin.connection) }
  const first = new FlorinProcess(['worker', '--json'], { env })
  t.after(() => first.stop('SIGKILL'))
  // Slots are read in order: the worker is killed in the batch that waits for the last one.
  await waitForWaiters(florin)
  assert.equal((await first.stop('SIGKILL')).signal, 'SIGKILL')
  const done = (await countStatus(florin, 'succeeded')) - before
  assert.ok(done > 0 && done < 1_000, `${done} were settled before`)
  await settledOnce(florin)
  await release()
  const second = new FlorinProcess(['worker', '--json'], { env })
  t.after(() => second.stop('SIGKILL'))
  // The leases of the killed worker must expire first.
  for (let attempt = 0; attempt < 600; attempt++) {
    if ((await countStatus(florin, 'succeeded')) === before + 1_000) break
    await sleep(100)
  }
  assert.equal((await countStatus(florin, 'succeeded')) - before, 1_000)
  assert.equal((await second.stop()).code, 0)
  await settledOnce(florin)
  const left = await florin.db.pool.query(
    `select * from leases where name like 'settle_due%' and held_until > now()`,
  )
  assert.deepEqual(left.rows, [], 'a worker that stops releases its leases')
})
