// A standalone worker does not know the server's listen address. It allows loopback only if HOST in
// its own environment is a loopback address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { makeInstallation } from '../cli/florin-process.ts'
import { makeDatabase } from '../cli/shared-database.ts'
import { call } from '../support/call.ts'
import { credentials } from '../support/people.ts'
import { makeDue, waitFor } from './run-dispatcher.ts'
import { startSink } from './sink.ts'

test('a standalone worker reaches loopback only if HOST is loopback', async (t) => {
  const { env, connection } = await makeDatabase(t)
  const installation = await makeInstallation(t)
  const sink = await startSink()
  t.after(() => sink.stop())
  const db = openDatabase(connection)
  t.after(() => db.close())
  const { url } = await installation.start({ env }, ['--no-worker'])
  const who = credentials('alone')
  await call(url, 'POST', '/v1/accounts', { body: { ...who, name: 'Acme', type: 'business' } })
  const token = (await call(url, 'POST', '/v1/auth/login', { body: who })).body.access_token
  const body = { url: sink.url, events: ['*'] }
  const endpoint = await call(url, 'POST', '/v1/webhook_endpoints', { token, body })
  assert.equal(endpoint.status, 201)
  const test_path = `/v1/webhook_endpoints/${endpoint.body.id}/test`
  const { id } = (await call(url, 'POST', test_path, { token })).body
  const delivery = async () =>
    (await call(url, 'GET', `/v1/webhook_deliveries/${id}`, { token })).body

  for (const [attempts, HOST] of [undefined, '', '0.0.0.0'].entries()) {
    await makeDue(db)
    const without_loopback = installation.run(['worker'], { env: { ...env, HOST } })
    await without_loopback.line('florin worker is ready')
    await waitFor('the attempt is recorded', async () => {
      return (await delivery()).history.length > attempts
    })
    await without_loopback.stop()
    const [{ error }] = (await delivery()).history
    assert.match(error ?? 'delivered', /private or reserved/, `with HOST ${HOST}`)
  }
  assert.equal(sink.connections, 0)

  await makeDue(db)
  const with_loopback = installation.run(['worker'], { env: { ...env, HOST: '127.0.0.1' } })
  await with_loopback.line('florin worker is ready')
  await sink.until(1)
  await waitFor('it is delivered', async () => (await delivery()).status === 'delivered')
  await with_loopback.stop()
})
