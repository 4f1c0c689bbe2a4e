// An endpoint whose URL is changed while something waits for it, or is under way to the old one.

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

async function move(token: string, path: string, url: string): Promise<void> {
  assert.equal((await florin.call('PATCH', path, { token, body: { url } })).status, 200)
}

test('what waited for the old URL goes to the new one as soon as that takes one', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  for (const sink of [old, moved]) sink.answer = (_, response) => response.writeHead(503).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const dispatcher_run = startDispatcher(t, florin)
  const ids = [await makeTransaction(florin, owner), await makeTransaction(florin, owner)]
  await waitFor('both were tried', async () => {
    const { data } = await read(token, deliveries)
    return data.length === 2 && data.every((one: { error: string | null }) => one.error !== null)
  })
  await db.pool.query(`update webhook_deliveries set next_at = now() + interval '5 hours'
    where status = 'pending'`)
  await db.pool.query(`update webhook_endpoints set failing_since = now() - interval '1 hour'
    where failing_since is not null`)
  const { failing_since } = await read(token, path)

  // Nobody knows yet whether the new one is any better: what waits keeps its tries.
  await move(token, path, moved.url)
  ids.push(await makeTransaction(florin, owner))
  await moved.until(1)
  await dispatcher_run.looksAgain()
  assert.equal(moved.received.length, 1)
  assert.equal((await read(token, path)).failing_since, failing_since)

  moved.answer = (_, response) => response.end('ok')
  ids.push(await makeTransaction(florin, owner))
  await moved.until(5)
  assert.deepEqual(new Set(moved.received.map(({ event }) => event.data.id)), new Set(ids))
  await waitFor('all is well', async () => (await read(token, path)).failing_since === null)
})

test('what the old URL answers late does not say that the new one fails', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const held: ServerResponse[] = []
  old.answer = (_, response) => held.push(response)
  const id = await makeTransaction(florin, owner)
  const dispatcher_run = startDispatcher(t, florin)
  await old.until(1)
  await move(token, path, moved.url)
  for (const response of held) response.writeHead(502).end()
  await waitFor('the answer is written down', async () => {
    return (await read(token, deliveries)).data[0].error !== null
  })
  assert.equal((await read(token, path)).failing_since, null)

  await dispatcher_run.looksAgain()
  await makeDue(db)
  await moved.until(1)
  assert.equal(moved.received[0]!.event.data.id, id)
})

test('nor that it is well', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  old.answer = (_, response) => response.writeHead(502).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const dispatcher_run = startDispatcher(t, florin)
  await makeTransaction(florin, owner)
  await waitFor('it fails', async () => (await read(token, path)).failing_since !== null)
  const { failing_since } = await read(token, path)
  const held: ServerResponse[] = []
  old.answer = (_, response) => held.push(response)
  await makeTransaction(florin, owner)
  await waitFor('one is under way', () => held.length === 1)
  await move(token, path, moved.url)
  for (const response of held) response.end('ok')
  await waitFor('it was taken', async () => {
    return (await read(token, `${deliveries}?status=delivered`)).data.length === 1
  })
  assert.equal((await read(token, path)).failing_since, failing_since)

  await dispatcher_run.looksAgain()
  await makeTransaction(florin, owner)
  await moved.until(1)
  await waitFor('all is well', async () => (await read(token, path)).failing_since === null)
})
