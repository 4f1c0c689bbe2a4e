// The attempt history of a delivery.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstUuidAt } from '../../src/primitives/ids.ts'
import { deleteOldDeliveries } from '../../src/webhooks/outbox.ts'
import { ResponseQuota } from '../../src/webhooks/sending/response-quota.ts'
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

async function read(token: string, path: string) {
  return (await florin.call('GET', path, { token })).body
}

/** Waits until the owner's only delivery has this many attempts, and returns it. */
async function afterAttempts(token: string, attempts: number) {
  const { data } = await read(token, deliveries)
  const path = `${deliveries}/${data[0].id}`
  await waitFor(`${attempts} attempts`, async () => {
    return (await read(token, path)).history.length === attempts
  })
  return read(token, path)
}

test('each attempt records its time, URL, duration and response', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const dispatcher_run = startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => response.writeHead(503).end('x'.repeat(100_000))
  await makeTransaction(florin, owner)
  await sink.until(1)
  const first = await afterAttempts(token, 1)
  assert.equal(first.response.body, 'x'.repeat(4_096))
  assert.equal(first.history[0].response.body, 'x'.repeat(4_096))

  sink.respond = (_, response) => response.destroy()
  await makeDue(db)
  await sink.until(2)
  const second = await afterAttempts(token, 2)
  assert.deepEqual(second.history[1], first.history[0])
  assert.equal(second.history[0].response, null)
  assert.equal(second.history[0].error, 'The connection was closed before a response was received.')

  const moved = `${sink.url}/moved`
  const path = `/v1/webhook_endpoints/${endpoint.id}`
  await florin.call('PATCH', path, { token, body: { url: moved } })
  await dispatcher_run.nextPoll()
  sink.respond = (_, response) => response.end('delivered')
  await florin.call('POST', `${deliveries}/${second.id}/retry`, { token })
  await sink.until(3)
  const third = await afterAttempts(token, 3)
  assert.deepEqual(third.history.slice(1), second.history)
  assert.deepEqual(third.history[0].response, { status: 200, body: 'delivered' })
  assert.deepEqual([third.history[0].url, third.history[1].url], [moved, sink.url])
  assert.deepEqual([third.status, third.attempts], ['delivered', 3])
  const times = third.history.map(({ at }: { at: string }) => Math.floor(Date.parse(at) / 1000))
  const sent = sink.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.deepEqual(times, sent.reverse())
})

test('a canceled delivery keeps the error of its last attempt', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => response.writeHead(500).end()
  await makeTransaction(florin, owner)
  await sink.until(1)
  const { id } = await afterAttempts(token, 1)
  const path = `/v1/webhook_endpoints/${endpoint.id}`
  await florin.call('PATCH', path, { token, body: { status: 'disabled' } })
  const canceled = await read(token, `${deliveries}/${id}`)
  assert.equal(canceled.error, 'The endpoint was disabled.')
  assert.equal(canceled.history.length, 1)
  assert.equal(canceled.history[0].error, 'The endpoint returned 500.')

  // After a retry, the earlier attempt is listed once.
  sink.respond = (_, response) => response.end()
  await florin.call('PATCH', path, { token, body: { status: 'enabled' } })
  const again = await florin.call('POST', `${deliveries}/${id}/retry`, { token })
  assert.deepEqual(again.body.history, canceled.history)
  await sink.until(2)
  const delivered = await afterAttempts(token, 2)
  assert.deepEqual(delivered.history.slice(1), canceled.history)
})

test('deleting a delivery deletes its attempts', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  await makeEndpoint(florin, owner, sink.url)
  let attempts = 0
  sink.respond = (_, response) => {
    attempts += 1
    response.writeHead(attempts < 3 ? 500 : 200).end()
  }
  await makeTransaction(florin, owner)
  await waitFor('it was delivered', async () => {
    await makeDue(db)
    return (await read(token, `${deliveries}?status=delivered`)).data.length === 1
  })
  const countAttempts = async () => {
    const { rows } = await db.pool.query('select count(*)::int as n from webhook_attempts')
    return rows[0].n
  }
  const { rows } = await db.pool.query(
    `select count(*)::int as n from webhook_deliveries where status <> 'pending'`,
  )
  assert.ok((await countAttempts()) >= 2)
  const swept = await deleteOldDeliveries(db, firstUuidAt(Date.now() + 60_000), 10_000)
  assert.equal(swept, rows[0].n)
  const orphaned = await db.pool.query(
    `select 1 from webhook_attempts
     where not exists (
       select 1 from webhook_deliveries
       where webhook_deliveries.account_id = webhook_attempts.account_id
         and webhook_deliveries.id = delivery_id)`,
  )
  assert.equal(orphaned.rows.length, 0)
  assert.equal((await read(token, deliveries)).data.length, 0)
})

test('stores response bodies up to a daily quota per account', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin, { quota: new ResponseQuota({ day_bytes_max: 5_000 }) })
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => response.writeHead(503).end('x'.repeat(3_000))
  await makeTransaction(florin, owner)
  await sink.until(1)
  await afterAttempts(owner.token, 1)
  await makeDue(db)
  await sink.until(2)
  const { history } = await afterAttempts(owner.token, 2)
  const bodies = history.map(({ response }: { response: { body: string } }) => response.body)
  assert.equal(bodies[1], 'x'.repeat(3_000))
  assert.match(bodies[0], /^\[Not stored: the account has used up its 100 MiB/)
})

test('the response quota is per account and resets daily', () => {
  const quota = new ResponseQuota({ day_bytes_max: 5_000 })
  const body = Buffer.alloc(3_000)
  const noon = new Date('2026-11-15T12:00:00Z')
  const isStored = (account_id: string, at = noon) =>
    quota.bodyToStore(account_id, body, at) === body
  assert.deepEqual([isStored('a'), isStored('a'), isStored('b')], [true, false, true])
  assert.equal(quota.bodyToStore('a', Buffer.from('ok'), noon).toString(), 'ok')
  assert.equal(isStored('a', new Date('2026-11-16T00:00:00Z')), true)
})
