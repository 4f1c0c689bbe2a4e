// Failures over days. Tests simulate elapsed time by moving all webhook timestamps into the past,
// because Florin compares them with the system clock.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delivery_retries, failing_ms_max } from '../../src/webhooks/outbox.ts'
import { startFlorin } from '../support/florin.ts'
import {
  makeDue,
  makeEndpoint,
  makeTransaction,
  startDispatcher,
  waitFor,
} from './run-dispatcher.ts'
import { startSink, verify } from './sink.ts'

const florin = await startFlorin()
const { db } = florin
const day_ms = 86_400_000

/** Updates deliveries last: a delivery is sent as soon as it is due and checks its endpoint. */
async function advanceTime(time_ms: number): Promise<void> {
  const times = (columns: string[]) =>
    columns.map((name) => `${name} = ${name} - $1 * interval '1 millisecond'`).join(', ')
  await db.pool.query(`update webhook_attempts set ${times(['attempted_at'])}`, [time_ms])
  const endpoints = times(['failing_since', 'url_changed_at'])
  await db.pool.query(`update webhook_endpoints set ${endpoints}`, [time_ms])
  const deliveries = times(['next_at', 'attempted_at'])
  await db.pool.query(
    `update webhook_deliveries set ${deliveries} where status = 'pending' and lease_id is null`,
    [time_ms],
  )
}

test('disables an endpoint after ten attempts over three days', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.respond = (_, response) => response.writeHead(500).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  const one = `/v1/webhook_endpoints/${endpoint.id}`
  await makeTransaction(florin, owner)
  startDispatcher(t, florin)

  let elapsed_ms = 0
  for (let attempt = 1; attempt < 10; attempt++) {
    await sink.until(attempt)
    const [{ id }] = (await read('/v1/webhook_deliveries')).data
    await waitFor(`attempt ${attempt} is recorded`, async () => {
      const { history } = await read(`/v1/webhook_deliveries/${id}`)
      return history.length === attempt
    })
    // Read afterwards: while the attempt is in flight, next_attempt_at is the end of its lease.
    const [listed] = (await read('/v1/webhook_deliveries')).data
    assert.equal((await read(one)).status, 'enabled', `after ${attempt} attempts`)
    const wait_ms = Date.parse(listed.next_attempt_at) - Date.parse(listed.last_attempt_at)
    const [least, most] = [
      delivery_retries.waitAfter(attempt, 0)!,
      delivery_retries.waitAfter(attempt, 1)!,
    ]
    // Allows for the time between the attempt and its record.
    assert.ok(wait_ms >= least && wait_ms < most + 3_000, `${wait_ms} after ${attempt}`)
    assert.equal(sink.received.length, attempt)
    await advanceTime(wait_ms)
    elapsed_ms += wait_ms
  }
  await waitFor('it is disabled', async () => (await read(one)).status === 'disabled')
  assert.equal(sink.received.length, 10)
  assert.equal((await read(one)).disabled_reason, 'failing')
  assert.ok(elapsed_ms >= failing_ms_max && elapsed_ms < 4 * day_ms)
  const [delivery] = (await read('/v1/webhook_deliveries')).data
  assert.deepEqual([delivery.status, delivery.attempts], ['failed', 10])
  const { history } = await read(`/v1/webhook_deliveries/${delivery.id}`)
  assert.equal(history.length, 10)
  for (const received of sink.received) verify(received, endpoint.secret)

  const admin = await florin.people.admin()
  const mail = await florin.call('GET', '/v1/emails?limit=5', { token: admin.token })
  const emails = mail.body.data.filter(({ to }: { to: string }) => to === owner.email)
  assert.equal(emails.length, 1)
  assert.equal(emails[0].kind, 'webhook_disabled')
})

test('a single failure after days without attempts does not disable an endpoint', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.respond = (_, response) => response.writeHead(500).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const { id } = await makeEndpoint(florin, owner, sink.url)
  const one = `/v1/webhook_endpoints/${id}`
  await makeTransaction(florin, owner)
  const before = startDispatcher(t, florin)
  await waitFor('the endpoint fails', async () => (await read(one)).failing_since !== null)
  await before.stop()
  assert.equal(sink.received.length, 1)

  // Florin was down.
  await advanceTime(4 * day_ms)
  const second = startDispatcher(t, florin)
  await sink.until(2)
  // Stopping waits until all outcomes are recorded.
  await second.stop()
  assert.equal((await read(one)).status, 'enabled')
  const [waiting] = (await read('/v1/webhook_deliveries')).data
  assert.deepEqual([waiting.status, waiting.attempts], ['retrying', 2])
})

test('a first failure long after a failed delivery does not disable an endpoint', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.respond = (_, response) => response.writeHead(400).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const { id } = await makeEndpoint(florin, owner, sink.url)
  const one = `/v1/webhook_endpoints/${id}`
  await makeTransaction(florin, owner)
  const dispatcher_run = startDispatcher(t, florin)
  await waitFor('the first has failed', async () => {
    await makeDue(db)
    return (await read('/v1/webhook_deliveries')).data[0]?.status === 'failed'
  })
  assert.equal((await read(one)).status, 'enabled')

  await advanceTime(4 * day_ms)
  sink.respond = (_, response) => response.writeHead(502).end()
  await makeTransaction(florin, owner)
  await sink.until(11)
  await dispatcher_run.stop()
  assert.equal((await read(one)).status, 'enabled')
  const [waiting] = (await read('/v1/webhook_deliveries')).data
  assert.deepEqual([waiting.status, waiting.attempts], ['retrying', 1])
})

test('failures of the previous URL do not count against the new one', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  for (const sink of [old, moved]) sink.respond = (_, response) => response.writeHead(502).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const { id } = await makeEndpoint(florin, owner, old.url)
  const one = `/v1/webhook_endpoints/${id}`
  const dispatcher_run = startDispatcher(t, florin)
  await makeTransaction(florin, owner)
  await waitFor('the endpoint fails', async () => (await read(one)).failing_since !== null)
  await advanceTime(4 * day_ms)
  await florin.call('PATCH', one, { token, body: { url: moved.url } })
  await dispatcher_run.nextPoll()

  // The tenth attempt is the first at the new URL.
  await db.pool.query(`update webhook_deliveries set attempts = 9 where status = 'pending'`)
  await makeDue(db)
  await moved.until(1)
  await waitFor('it has failed', async () => {
    return (await read('/v1/webhook_deliveries')).data[0].status === 'failed'
  })
  await dispatcher_run.nextPoll()
  assert.equal((await read(one)).status, 'enabled')

  // Failures of the new URL do count.
  await advanceTime(4 * day_ms)
  await makeTransaction(florin, owner)
  await waitFor('it is disabled', async () => {
    await makeDue(db)
    return (await read(one)).status === 'disabled'
  })
  assert.equal((await read(one)).disabled_reason, 'failing')
})
