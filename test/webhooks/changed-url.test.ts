// Changing an endpoint's URL while deliveries are pending or in flight to the old URL.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import {
  makeDue,
  makeEndpoint,
  makeTransaction,
  startDispatcher,
  waitFor,
} from './run-dispatcher.ts'
import { startSink } from './sink.ts'

const florin = await startFlorin()
const { db } = florin
const deliveries = '/v1/webhook_deliveries'
const endpoints = '/v1/webhook_endpoints'

async function read(token: string, path: string) {
  return (await florin.call('GET', path, { token })).body
}

async function changeUrl(token: string, path: string, url: string): Promise<void> {
  assert.equal((await florin.call('PATCH', path, { token, body: { url } })).status, 200)
}

test('pending deliveries go to the new URL once a delivery succeeds there', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  for (const sink of [old, moved]) sink.respond = (_, response) => response.writeHead(503).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const dispatcher_run = startDispatcher(t, florin)
  const ids = [await makeTransaction(florin, owner), await makeTransaction(florin, owner)]
  await waitFor('both were attempted', async () => {
    const { data } = await read(token, deliveries)
    return data.length === 2 && data.every((one: { error: string | null }) => one.error !== null)
  })
  await db.pool.query(`update webhook_deliveries set next_at = now() + interval '5 hours'
    where status = 'pending'`)
  await db.pool.query(`update webhook_endpoints set failing_since = now() - interval '1 hour'
    where failing_since is not null`)
  const { failing_since } = await read(token, path)

  // The new URL has not succeeded yet, so pending deliveries keep their schedule.
  await changeUrl(token, path, moved.url)
  ids.push(await makeTransaction(florin, owner))
  await moved.until(1)
  await dispatcher_run.nextPoll()
  assert.equal(moved.received.length, 1)
  assert.equal((await read(token, path)).failing_since, failing_since)

  moved.respond = (_, response) => response.end('ok')
  ids.push(await makeTransaction(florin, owner))
  await moved.until(5)
  assert.deepEqual(new Set(moved.received.map(({ event }) => event.data.id)), new Set(ids))
  await waitFor(
    'the endpoint has recovered',
    async () => (await read(token, path)).failing_since === null,
  )
})

test('a late failure of the old URL does not mark the new URL as failing', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const pending: ServerResponse[] = []
  old.respond = (_, response) => pending.push(response)
  const id = await makeTransaction(florin, owner)
  const dispatcher_run = startDispatcher(t, florin)
  await old.until(1)
  await changeUrl(token, path, moved.url)
  await dispatcher_run.nextPoll()
  for (const response of pending) response.writeHead(502).end()
  await waitFor('the response is recorded', async () => {
    return (await read(token, deliveries)).data[0].error !== null
  })
  assert.equal((await read(token, path)).failing_since, null)

  await dispatcher_run.nextPoll()
  await makeDue(db)
  await moved.until(1)
  assert.equal(moved.received[0]!.event.data.id, id)
})

test('a late success of the old URL does not mark the new URL as healthy', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  old.respond = (_, response) => response.writeHead(502).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const dispatcher_run = startDispatcher(t, florin)
  await makeTransaction(florin, owner)
  await waitFor('the endpoint fails', async () => (await read(token, path)).failing_since !== null)
  const { failing_since } = await read(token, path)
  const pending: ServerResponse[] = []
  old.respond = (_, response) => pending.push(response)
  await makeTransaction(florin, owner)
  await waitFor('one is in flight', () => pending.length === 1)
  // The first event may be retried at the new URL at any time.
  const held: ServerResponse[] = []
  moved.respond = (_, response) => held.push(response)
  await changeUrl(token, path, moved.url)
  // The dispatcher reads the new URL while the request is in flight.
  await dispatcher_run.nextPoll()
  for (const response of pending) response.end('ok')
  await waitFor('it was delivered', async () => {
    return (await read(token, `${deliveries}?status=delivered`)).data.length === 1
  })
  assert.equal((await read(token, path)).failing_since, failing_since)

  moved.respond = (_, response) => response.end('ok')
  for (const response of held) response.end('ok')
  await dispatcher_run.nextPoll()
  await makeTransaction(florin, owner)
  await moved.until(1)
  await waitFor(
    'the endpoint has recovered',
    async () => (await read(token, path)).failing_since === null,
  )
})
