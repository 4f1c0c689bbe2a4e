// Days of failure, one wait after the other. Time passes by moving all times of webhooks into the
// past by as much: what Florin decides by is how far they lie behind the clock on the wall.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failing_ms_max, waitAfter } from '../../src/webhooks/retry-schedule.ts'
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

/** The deliveries come last: as soon as one is due it is sent, and judged by its endpoint. */
async function letTimePass(time_ms: number): Promise<void> {
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

test('ten tries over three days, each after its wait, and the endpoint is stopped', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.answer = (_, response) => response.writeHead(500).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  const one = `/v1/webhook_endpoints/${endpoint.id}`
  await makeTransaction(florin, owner)
  startDispatcher(t, florin)

  let passed_ms = 0
  for (let tries = 1; tries < 10; tries++) {
    await sink.until(tries)
    const [{ id }] = (await read('/v1/webhook_deliveries')).data
    await waitFor(`try ${tries} is written down`, async () => {
      const { history } = await read(`/v1/webhook_deliveries/${id}`)
      return history.length === tries
    })
    // Read once it is: while it was under way, the next time stood for the end of its lease.
    const [listed] = (await read('/v1/webhook_deliveries')).data
    assert.equal((await read(one)).status, 'enabled', `after ${tries} tries`)
    const wait_ms = Date.parse(listed.next_attempt_at) - Date.parse(listed.last_attempt_at)
    const [least, most] = [waitAfter(tries, 0)!, waitAfter(tries, 1)!]
    // What lies between the try and its line in the books comes on top.
    assert.ok(wait_ms >= least && wait_ms < most + 3_000, `${wait_ms} after ${tries}`)
    assert.equal(sink.received.length, tries)
    await letTimePass(wait_ms)
    passed_ms += wait_ms
  }
  await waitFor('it is disabled', async () => (await read(one)).status === 'disabled')
  assert.equal(sink.received.length, 10)
  assert.equal((await read(one)).disabled_reason, 'failing')
  assert.ok(passed_ms >= failing_ms_max && passed_ms < 4 * day_ms)
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

test('one try after days in which nobody tried does not stop an endpoint', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.answer = (_, response) => response.writeHead(500).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const { id } = await makeEndpoint(florin, owner, sink.url)
  const one = `/v1/webhook_endpoints/${id}`
  await makeTransaction(florin, owner)
  const before = startDispatcher(t, florin)
  await waitFor('it fails', async () => (await read(one)).failing_since !== null)
  await before.stop()
  assert.equal(sink.received.length, 1)

  // Florin itself was away.
  await letTimePass(4 * day_ms)
  const monday = startDispatcher(t, florin)
  await sink.until(2)
  // Whoever stops has written down what became of all it sent.
  await monday.stop()
  assert.equal((await read(one)).status, 'enabled')
  const [waiting] = (await read('/v1/webhook_deliveries')).data
  assert.deepEqual([waiting.status, waiting.attempts], ['retrying', 2])
})

test('nor does the first try of an event long after one that was never taken', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.answer = (_, response) => response.writeHead(400).end()
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

  await letTimePass(4 * day_ms)
  sink.answer = (_, response) => response.writeHead(502).end()
  await makeTransaction(florin, owner)
  await sink.until(11)
  await dispatcher_run.stop()
  assert.equal((await read(one)).status, 'enabled')
  const [waiting] = (await read('/v1/webhook_deliveries')).data
  assert.deepEqual([waiting.status, waiting.attempts], ['retrying', 1])
})

test('days of failing belong to the URL that failed, not to the next one', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  for (const sink of [old, moved]) sink.answer = (_, response) => response.writeHead(502).end()
  const owner = await florin.people.owner()
  const { token } = owner
  const read = async (path: string) => (await florin.call('GET', path, { token })).body
  const { id } = await makeEndpoint(florin, owner, old.url)
  const one = `/v1/webhook_endpoints/${id}`
  const dispatcher_run = startDispatcher(t, florin)
  await makeTransaction(florin, owner)
  await waitFor('it fails', async () => (await read(one)).failing_since !== null)
  await letTimePass(4 * day_ms)
  await florin.call('PATCH', one, { token, body: { url: moved.url } })
  await dispatcher_run.looksAgain()

  // The tenth try is the first at the new URL.
  await db.pool.query(`update webhook_deliveries set attempts = 9 where status = 'pending'`)
  await makeDue(db)
  await moved.until(1)
  await waitFor('it has failed', async () => {
    return (await read('/v1/webhook_deliveries')).data[0].status === 'failed'
  })
  await dispatcher_run.looksAgain()
  assert.equal((await read(one)).status, 'enabled')

  // Days of its own do count.
  await letTimePass(4 * day_ms)
  await makeTransaction(florin, owner)
  await waitFor('it is disabled', async () => {
    await makeDue(db)
    return (await read(one)).status === 'disabled'
  })
  assert.equal((await read(one)).disabled_reason, 'failing')
})
