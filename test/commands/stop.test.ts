// Stopping: whoever was let in is answered, and nothing is left behind.

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

test('Ctrl-C answers the open request, then ends worker and database', async (t) => {
  const place = await makeUsedInstallation(t)
  const { florin, url } = await place.start({ group: true })
  const worker = await findWorkerPid(florin.pid)
  const database = await databasePid(place.data_path)
  const slow = await openSlowRequest(url, 'slow@example.com')

  process.kill(-florin.pid, 'SIGINT')
  await untilRefused(url)
  // Time in which worker and database would be gone, had they been told as well.
  await sleep(500)
  assert.ok(isAlive(worker), 'the worker went before the server had answered')
  assert.ok(isAlive(database!), 'the database went before the server had answered')
  assert.match(await slow.finish(), /^HTTP\/1\.1 201 /)
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(isAlive(worker), false)
  assert.equal(isAlive(database!), false)
})

/** Until nobody is let in any more. */
function untilRefused(url: string): Promise<void> {
  const isRefused = () =>
    call(url, 'GET', '/livez').then(
      () => false,
      () => true,
    )
  return until(isRefused, 'it accepts no connections')
}

test('on SIGTERM sixty payments under way are all answered', async (t) => {
  const place = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const { florin, url } = await place.start({ env: { ...env, FLORIN_RATE_LIMIT: 'off' } })
  const { account_id, token } = await BusyClient.open(url)
  const sixty = Array.from({ length: 60 }, () => openSlowPayment(url, account_id, token))
  const under_way = await Promise.all(sixty)
  const ended = florin.stop('SIGTERM')
  await untilRefused(url)
  const responses = await Promise.all(under_way.map((payment) => payment.finish()))
  const statuses = responses.map((response) => response.split(' ')[1])
  assert.deepEqual(Map.groupBy(statuses, (it) => it).get('201')?.length, 60, `${statuses}`)
  assert.equal((await ended).code, 0)
})

test('on SIGTERM ten sign-ups that wait for their turn are all answered', async (t) => {
  const place = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const { florin, url } = await place.start({ env: { ...env, FLORIN_RATE_LIMIT: 'off' } })
  let answered = 0
  const responses = Array.from({ length: 10 }, async (_, n) => {
    const body = { email: `n${n}@example.com`, password: newPassword() }
    const response = await call(url, 'POST', '/v1/users', { body })
    answered += 1
    return response.status
  })
  while (answered < 3) await sleep(10)
  const ended = florin.stop('SIGTERM')
  assert.deepEqual(new Set(await Promise.all(responses)), new Set([201]))
  assert.equal((await ended).code, 0)
})

test('a client that never ends holds the end up for some seconds only', async (t) => {
  const place = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const [patient, forced] = await Promise.all([place.start({ env }), place.start({ env })])
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

  await t.test('a second signal ends it at once, with 1', async () => {
    const worker = await findWorkerPid(forced.florin.pid)
    // npm passes on what the terminal has sent already: two in one moment are one.
    forced.florin.child.kill('SIGINT')
    forced.florin.child.kill('SIGTERM')
    await untilRefused(forced.url)
    await sleep(500)
    assert.equal(forced.florin.child.exitCode, null)
    const { code } = await forced.florin.stop('SIGINT')
    assert.equal(code, 1)
    while (isAlive(worker)) await sleep(20)
  })

  // Had it waited for longer than `docker stop` does, it would have given up, with 1.
  assert.equal((await first).code, 0)
  const took_ms = performance.now() - started
  assert.ok(took_ms > 5_000, `it took ${took_ms} ms`)
})

test('a signal during the first start-up leaves nothing running', async (t) => {
  await Promise.all(
    (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
      const place = await makeInstallation(t)
      const florin = place.run(['start'], { group: true })
      while ((await readdir(place.data_path).catch(() => [])).length === 0) await sleep(10)
      process.kill(-florin.pid, signal)
      const { code, stdout, stderr } = await florin.ended
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' })
      assert.equal(await databasePid(place.data_path), undefined)
      // And nothing in the way of the next.
      if (signal === 'SIGINT') await (await place.start()).florin.stop()
    }),
  )
})
