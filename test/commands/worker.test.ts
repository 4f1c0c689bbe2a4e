// The worker: beside the server, alone, and when one of the two is killed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findJobs } from '../../src/jobs/find-jobs.ts'
import { moveClock } from '../../src/postgres/clock.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { findRunningEmbedded, openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { BusyClient } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { until } from '../support/until.ts'
import { findWorkerPid } from './find-worker-pid.ts'
import { databasePid, isAlive, makeInstallation } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

test('a worker that is killed is started again, and ends with its server', async (t) => {
  const place = await makeUsedInstallation(t)
  const { florin } = await place.start()
  const first = await findWorkerPid(florin.pid)
  process.kill(first, 'SIGKILL')
  const second = await findWorkerPid(florin.pid, first)
  await florin.text(/the worker ended and is started again/)
  florin.child.kill('SIGKILL')
  await florin.ended
  await until(() => !isAlive(second), 'the worker outlives its server')

  await t.test('one without a parent never opens the database', async () => {
    await (await openEmbedded({ data_path: place.data_path })).stop()
    const { code, stderr } = await place.run(['worker', '--attached']).ended
    assert.equal(code, 1)
    assert.match(stderr, /^No database is running in .*\. Only `florin start` may run/m)
    assert.equal(await databasePid(place.data_path), undefined)
  })
})

test('beside a server that chose its port itself, the worker knows where that is', async (t) => {
  const place = await makeUsedInstallation(t)
  const { florin, url } = await place.start({ env: { FLORIN_RATE_LIMIT: 'off' } })
  const { token } = await BusyClient.open(url)
  const plan = { customer_email: 'customer@example.com', amount: 100, currency: 'USD' }
  const body = { ...plan, interval: 'day' }
  const made = await call(url, 'POST', '/v1/subscriptions', { token, body })
  assert.equal(made.status, 201, made.text)
  await passDay(place.data_path)
  const listAsked = async () => {
    const found = await call(url, 'GET', '/v1/events?type=payment.created', { token })
    return found.body.data.map((event: { data: { payment_url: string } }) => event.data.payment_url)
  }
  await until(async () => (await listAsked()).length === 2, 'the request for the second day')
  for (const asked of await listAsked()) assert.ok(asked.startsWith(`${url}/pay/`), asked)
  assert.equal((await florin.stop()).code, 0)
})

/** By the database alone: the server would do at once what becomes due by its own hand. */
async function passDay(data_path: string): Promise<void> {
  await withDatabase(data_path, (db) => db.transaction((tx) => moveClock(tx, 86_400_000)))
}

test('the worker runs alone, says so in JSON, and stops on SIGTERM', async (t) => {
  const place = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const florin = place.run(['worker'], { env })
  await florin.line('florin worker is ready')
  const { code, stderr } = await florin.stop('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
})

test('a worker beside a server that is started again goes with it', async (t) => {
  const place = await makeUsedInstallation(t)
  const first = await place.start({}, ['--no-worker'])
  const worker = place.run(['worker'])
  await until(() => isWorkedOn(place.data_path), 'somebody works')
  await first.florin.stop()
  await place.start({}, ['--no-worker'])
  // What the worker held before says nothing.
  await withDatabase(place.data_path, (db) => db.pool.query('delete from leases'))
  await until(() => isWorkedOn(place.data_path), 'somebody works on the new server')
  const told = worker.stdout.match(/The database has moved/g)
  assert.equal(told?.length, 1, worker.stdout)
  const { code, stderr } = await worker.stop('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
})

async function isWorkedOn(data_path: string): Promise<boolean> {
  await sleep(200)
  // One that is too busy to answer has not been asked.
  if ((await findRunningEmbedded(data_path)) === undefined) return false
  return withDatabase(data_path, async (db) => (await findJobs(db)).running)
}

async function withDatabase<ApiResponse>(data_path: string, ask: (db: Db) => Promise<ApiResponse>) {
  const { pid: _, ...connection } = (await findRunningEmbedded(data_path))!
  const db = openDatabase(connection)
  try {
    return await ask(db)
  } finally {
    await db.close()
  }
}
