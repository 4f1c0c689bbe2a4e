// Graceful shutdown: requests in progress complete, and no process is left running.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BusyClient } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { newPassword } from '../support/secrets.ts'
import { until } from '../support/until.ts'
import { findWorkerPid } from './find-worker-pid.ts'
import { databasePid, isAlive, makeInstallation } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'
import { openSlowPayment, openSlowRequest } from './slow-request.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

test('Ctrl-C finishes the request in progress, then stops worker and database', async (t) => {
  const installation = await makeUsedInstallation(t)
  const { florin, url } = await installation.start({ group: true })
  const worker = await findWorkerPid(florin.pid)
  const database = await databasePid(installation.data_path)
  const slow = await openSlowRequest(url, 'slow@example.com')

  process.kill(-florin.pid, 'SIGINT')
  await untilRefused(url)
  // Long enough for worker and database to exit, had they received the signal.
  await sleep(500)
  assert.ok(isAlive(worker), 'the worker stopped before the request was finished')
  assert.ok(isAlive(database!), 'the database stopped before the request was finished')
  assert.match(await slow.finish(), /^HTTP\/1\.1 201 /)
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(isAlive(worker), false)
  assert.equal(isAlive(database!), false)
})

/** Waits until the server refuses connections. */
function untilRefused(url: string): Promise<void> {
  const isRefused = () =>
    call(url, 'GET', '/livez').then(
      () => false,
      () => true,
    )
  return until(isRefused, 'it accepts no connections')
}

test('SIGTERM finishes sixty payments in progress', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const { florin, url } = await installation.start({ env: { ...env, FLORIN_RATE_LIMIT: 'off' } })
  const { account_id, token } = await BusyClient.open(url)
  const sixty = Array.from({ length: 60 }, () => openSlowPayment(url, account_id, token))
  const in_progress = await Promise.all(sixty)
  const ended = florin.stop('SIGTERM')
  await untilRefused(url)
  const responses = await Promise.all(in_progress.map((payment) => payment.finish()))
  const statuses = responses.map((response) => response.split(' ')[1])
  assert.deepEqual(Map.groupBy(statuses, (it) => it).get('201')?.length, 60, `${statuses}`)
  assert.equal((await ended).code, 0)
})

test('SIGTERM finishes ten queued sign-ups', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const { florin, url } = await installation.start({ env: { ...env, FLORIN_RATE_LIMIT: 'off' } })
  let finished = 0
  const responses = Array.from({ length: 10 }, async (_, n) => {
    const body = { email: `n${n}@example.com`, password: newPassword() }
    const response = await call(url, 'POST', '/v1/users', { body })
    finished += 1
    return response.status
  })
  while (finished < 3) await sleep(10)
  const ended = florin.stop('SIGTERM')
  assert.deepEqual(new Set(await Promise.all(responses)), new Set([201]))
  assert.equal((await ended).code, 0)
})

test('a request that never completes delays the shutdown by a few seconds only', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const [patient, forced] = await Promise.all([
    installation.start({ env }),
    installation.start({ env }),
  ])
  const [one, two] = await Promise.all([
    openSlowRequest(patient.url, 'a@example.com'),
    openSlowRequest(forced.url, 'b@example.com'),
  ])
  t.after(() => {
    one.socket.destroy()
    two.socket.destroy()
  })
  const started = performance.now()
  const first = patient.florin.stop('SIGTERM')

  await t.test('a second signal exits immediately with 1', async () => {
    const worker = await findWorkerPid(forced.florin.pid)
    // npm forwards a signal that the terminal has already sent: two at once count as one.
    forced.florin.child.kill('SIGINT')
    forced.florin.child.kill('SIGTERM')
    await untilRefused(forced.url)
    await sleep(500)
    assert.equal(forced.florin.child.exitCode, null)
    const { code } = await forced.florin.stop('SIGINT')
    assert.equal(code, 1)
    while (isAlive(worker)) await sleep(20)
  })

  // It would exit with 1 if the shutdown took longer than `docker stop` waits.
  assert.equal((await first).code, 0)
  const took_ms = performance.now() - started
  assert.ok(took_ms > 5_000, `it took ${took_ms} ms`)
})

test('a signal during the first start leaves nothing running', async (t) => {
  await Promise.all(
    (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
      const installation = await makeInstallation(t)
      const florin = installation.run(['start'], { group: true })
      while ((await readdir(installation.data_path).catch(() => [])).length === 0) await sleep(10)
      process.kill(-florin.pid, signal)
      const { code, stdout, stderr } = await florin.ended
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' })
      assert.equal(await databasePid(installation.data_path), undefined)
      // The next start works.
      if (signal === 'SIGINT') await (await installation.start()).florin.stop()
    }),
  )
})
