// The worker: beside the server, alone, and when one of the two is killed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { databasePid, isAlive, makePlace } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'
import { workerOf } from './worker-of.ts'

test('a worker that is killed is started again, and ends with its server', async (t) => {
  const place = await makePlace(t)
  const { florin } = await place.start()
  const first = await workerOf(florin.pid)
  process.kill(first, 'SIGKILL')
  const second = await workerOf(florin.pid, first)
  await florin.text(/the worker ended and is started again/)
  florin.child.kill('SIGKILL')
  await florin.ended
  const deadline_ms = Date.now() + 10_000
  while (isAlive(second) && Date.now() < deadline_ms) await sleep(20)
  assert.equal(isAlive(second), false, 'the worker outlives its server')

  await t.test('one without a parent never opens the database', async () => {
    await (await openEmbedded({ data_path: place.data_path })).stop()
    const { code, stderr } = await place.run(['worker', '--attached']).ended
    assert.equal(code, 1)
    assert.match(stderr, /^No database runs in .* is for florin start alone\.$/m)
    assert.equal(await databasePid(place.data_path), undefined)
  })
})

test('the worker runs alone, says so in JSON, and stops on SIGTERM', async (t) => {
  const place = await makePlace(t)
  const { env } = await makeDatabase(t)
  const florin = place.run(['worker'], { env })
  await florin.line('florin worker is ready')
  const { code, stderr } = await florin.stop('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
})
