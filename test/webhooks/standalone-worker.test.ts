// A worker by itself, as a process: it does not know where the server listens, so it reaches
// loopback only when its own environment says that Florin listens there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { makeInstallation } from '../commands/florin-process.ts'
import { makeDatabase } from '../commands/shared-database.ts'
import { call } from '../support/call.ts'
import { credentials } from '../support/people.ts'
import { makeDue, waitFor } from './run-dispatcher.ts'
import { startSink } from './sink.ts'

test('a worker alone reaches loopback only when HOST says so', async (t) => {
  const { env, connection } = await makeDatabase(t)
  const place = await makeInstallation(t)
  const sink = await startSink()
  t.after(() => sink.stop())
  const db = openDatabase(connection)
  t.after(() => db.close())
  const { url } = await place.start({ env }, ['--no-worker'])
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

  for (const [tries, HOST] of [undefined, '', '0.0.0.0'].entries()) {
    await makeDue(db)
    const closed = place.run(['worker'], { env: { ...env, HOST } })
    await closed.line('florin worker is ready')
    await waitFor('a try is written down', async () => {
      return (await delivery()).history.length > tries
    })
    await closed.stop()
    const [{ error }] = (await delivery()).history
    assert.match(error ?? 'It was taken.', /private or reserved/, `with HOST ${HOST}`)
  }
  assert.equal(sink.connections, 0)

  await makeDue(db)
  const open = place.run(['worker'], { env: { ...env, HOST: '127.0.0.1' } })
  await open.line('florin worker is ready')
  await sink.until(1)
  await waitFor('it is taken', async () => (await delivery()).status === 'delivered')
  await open.stop()
})
