// The worker: as a child of the server, standalone, and when one of them is killed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded, openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { findJobs } from '../../src/jobs/find-jobs.ts'
import { moveClock } from '../../src/postgres/clock.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { BusyClient } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { until } from '../support/until.ts'
import { findWorkerPid } from './find-worker-pid.ts'
import { databasePid, isAlive, makeInstallation } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

test('a killed worker is restarted, and a worker exits with its server', async (t) => {
  const installation = await makeUsedInstallation(t)
  const { florin } = await installation.start()
  const first = await findWorkerPid(florin.pid)
  process.kill(first, 'SIGKILL')
  const second = await findWorkerPid(florin.pid, first)
  await florin.text(/worker exited, restarting/)
  florin.child.kill('SIGKILL')
  await florin.ended
  await until(() => !isAlive(second), 'the worker outlives its server')

  await t.test('an attached worker without a parent does not open the database', async () => {
    await (await openEmbedded({ data_path: installation.data_path })).stop()
    const { code, stderr } = await installation.run(['worker', '--attached']).ended
    assert.equal(code, 1)
    assert.match(stderr, /^No database is running in .*\. Only `florin start` may run/m)
    assert.equal(await databasePid(installation.data_path), undefined)
  })
})

test('an attached worker uses the actual port of a server with PORT=0', async (t) => {
  const installation = await makeUsedInstallation(t)
  const { florin, url } = await installation.start({ env: { FLORIN_RATE_LIMIT: 'off' } })
  const { token } = await BusyClient.open(url)
  const plan = { customer_email: 'customer@example.com', amount: 100, currency: 'USD' }
  const body = { ...plan, interval: 'day' }
  const made = await call(url, 'POST', '/v1/subscriptions', { token, body })
  assert.equal(made.status, 201, made.text)
  await passDay(installation.data_path)
  const listPaymentUrls = async () => {
    const found = await call(url, 'GET', '/v1/events?type=payment.created', { token })
    return found.body.data.map((event: { data: { payment_url: string } }) => event.data.payment_url)
  }
  await until(async () => (await listPaymentUrls()).length === 2, 'the request for the second day')
  for (const found of await listPaymentUrls()) assert.ok(found.startsWith(`${url}/pay/`), found)
  assert.equal((await florin.stop()).code, 0)
})

/** Moves the clock in the database: the API would also process what becomes due. */
async function passDay(data_path: string): Promise<void> {
  await withDatabase(data_path, (db) => db.transaction((tx) => moveClock(tx, 86_400_000)))
}

test('a standalone worker logs that it is ready, and stops on SIGTERM', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const florin = installation.run(['worker'], { env })
  await florin.line('florin worker is ready')
  const { code, stderr } = await florin.stop('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
})

test('a standalone worker follows a restarted server', async (t) => {
  const installation = await makeUsedInstallation(t)
  const first = await installation.start({}, ['--no-worker'])
  const worker = installation.run(['worker'])
  await until(() => isWorkedOn(installation.data_path), 'the worker is running')
  await first.florin.stop()
  await installation.start({}, ['--no-worker'])
  // Leases from before the restart prove nothing.
  await withDatabase(installation.data_path, (db) => db.pool.query('delete from leases'))
  await until(() => isWorkedOn(installation.data_path), 'the worker uses the new database')
  const { code, stderr } = await worker.stop('SIGTERM')
  assert.deepEqual([code, stderr], [0, ''])
})

async function isWorkedOn(data_path: string): Promise<boolean> {
  await sleep(200)
  // A database that is too busy to respond counts as not found.
  if ((await findRunningEmbedded(data_path)) === undefined) return false
  return withDatabase(data_path, async (db) => (await findJobs(db)).running)
}

async function withDatabase<Result>(data_path: string, work: (db: Db) => Promise<Result>) {
  const { pid: _, ...connection } = (await findRunningEmbedded(data_path))!
  const db = openDatabase(connection)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
