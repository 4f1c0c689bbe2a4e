// A failing endpoint does not affect other endpoints.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import type { Owner } from '../support/people.ts'
import {
  makeDue,
  makeEndpoint,
  makeTransaction,
  startDispatcher,
  waitFor,
} from './run-dispatcher.ts'
import { type Sink, startSink, verify } from './sink.ts'

const florin = await startFlorin()
const { db } = florin

test('endpoints that hang, fail or are unreachable do not delay others', async (t) => {
  const hanging = await startSink()
  const pending: ServerResponse[] = []
  hanging.respond = (_, response) => pending.push(response)
  const dead_url = `http://127.0.0.1:${await findFreePort()}/`
  const healthy = await startSink()
  t.after(() => Promise.all([hanging.stop(), healthy.stop()]))
  const owner = await florin.people.owner()
  const other = await florin.people.owner()
  for (const one of [owner, other]) {
    await makeEndpoint(florin, one, hanging.url)
    await makeEndpoint(florin, one, dead_url)
    await makeEndpoint(florin, one, healthy.url)
  }
  startDispatcher(t, florin, { timeout_ms: 60_000 })
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, n) => makeTransaction(florin, n % 2 === 0 ? owner : other)),
  )
  await healthy.until(60)
  // All arrived while the requests to the hanging receiver were still open.
  assert.ok(pending.length > 0 && pending.length <= 40, `${pending.length} pending`)
  assert.ok(pending.every((response) => !response.writableEnded && !response.destroyed))
  const got = healthy.received.map(({ event }) => event.data.id)
  assert.deepEqual(got.sort(), ids.sort())
  hanging.respond = (_, response) => response.destroy()
  for (const response of pending) response.destroy()
  await waitFor('both are marked as failing', async () => {
    const { rows } = await db.pool.query(
      'select count(*)::int as n from webhook_endpoints where failing_since is not null',
    )
    return rows[0].n >= 4
  })
})

/** One account and endpoint per sink, each with this many deliveries. */
async function makeBacklogs(sinks: Sink[], count: number): Promise<Owner[]> {
  const owners: Owner[] = []
  for (const sink of sinks) {
    const owner = await florin.people.owner()
    await makeEndpoint(florin, owner, sink.url)
    for (let n = 0; n < count; n++) await makeTransaction(florin, owner)
    owners.push(owner)
  }
  return owners
}

test('a failing endpoint with a backlog does not use up the rate limit', async (t) => {
  const failing = await startSink()
  failing.respond = (_, response) => response.writeHead(500).end()
  const healthy = await startSink()
  t.after(() => Promise.all([failing.stop(), healthy.stop()]))
  const [failing_owner] = await makeBacklogs([failing, healthy], 150)
  await florin.db.pool.query(
    `update webhook_endpoints set failing_since = now() where account_id = $1`,
    [findUuid('account', failing_owner!.account_id)],
  )
  const queue = { concurrency: 20, concurrency_failing: 20, per_second: 500 }
  startDispatcher(t, florin, { pace: { per_second: 100, queue } })
  await healthy.until(150)
  const attempts = failing.received.length
  assert.ok(attempts > 0 && attempts <= 75, `${attempts} failing and 150 healthy attempts`)
})

test('endpoints share the rate limit of a worker fairly', async (t) => {
  const sinks = await Promise.all([startSink(), startSink(), startSink()])
  t.after(() => Promise.all(sinks.map((sink) => sink.stop())))
  await makeBacklogs(sinks, 100)
  startDispatcher(t, florin, { pace: { per_second: 100 } })
  await Promise.race(sinks.map((sink) => sink.until(90)))
  for (const { received } of sinks) assert.ok(received.length > 40, `${received.length} of 90`)
})

test('a 2xx response with an endless body counts as delivered', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => {
    response.writeHead(200)
    response.write('partial')
  }
  startDispatcher(t, florin, { timeout_ms: 300 })
  await makeTransaction(florin, owner)
  const { token } = owner
  await waitFor('it is delivered', async () => {
    const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
    return list.body.data[0]?.status === 'delivered'
  })
  const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
  const path = `/v1/webhook_deliveries/${list.body.data[0].id}`
  const one = await florin.call('GET', path, { token })
  assert.deepEqual(one.body.response, { status: 200, body: 'partial' })
})

test('an attempt without a response fails after the timeout', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = () => {}
  startDispatcher(t, florin, { timeout_ms: 300 })
  await makeTransaction(florin, owner)
  const { token } = owner
  await waitFor('the attempt has failed', async () => {
    const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
    return /^No response/.test(list.body.data[0]?.error)
  })
})

test('concurrent workers send each delivery once', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  const ids = await Promise.all(Array.from({ length: 100 }, () => makeTransaction(florin, owner)))
  // All workers use all slots, so slot leases do not separate them.
  for (let n = 0; n < 4; n++) {
    const worker_db = openDatabase(florin.connection, { clients_max: 3 })
    const dispatcher_run = startDispatcher({ after: () => {} }, florin, {}, worker_db)
    t.after(async () => {
      await dispatcher_run.stop()
      await worker_db.close()
    })
  }
  await sink.until(ids.length)
  await waitFor('all are recorded', async () => {
    const { rows } = await db.pool.query(
      `select count(*)::int as n from webhook_deliveries
       where status = 'pending'
         and endpoint_id in (select id from webhook_endpoints where url = $1)`,
      [sink.url],
    )
    return rows[0].n === 0
  })
  assert.deepEqual(sink.received.map(({ event }) => event.data.id).sort(), ids.sort())
  for (const received of sink.received) verify(received, endpoint.secret)
})

test('another worker sends a delivery after the lease of a dead worker expires', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = () => {}
  const pace = { lease_ms: 1_500, lease_margin_ms: 0 }
  const first = startDispatcher(t, florin, { pace })
  await makeTransaction(florin, owner)
  await sink.until(1)
  // Stops without recording an outcome, like a killed worker.
  void first.stop()
  sink.respond = (_, response) => response.end()
  startDispatcher(t, florin)
  await sink.until(2)
  const ids = sink.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids[0], ids[1])
  assert.equal(sink.received[0]!.text, sink.received[1]!.text)
})

test('sends nothing for a change that was rolled back', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  startDispatcher(t, florin)
  const { token, account_id } = owner
  const refund = { account_id, amount: 1, currency: 'USD', type: 'refund' }
  for (let n = 0; n < 10; n++) {
    const refused = await florin.call('POST', '/v1/transactions', { token, body: refund })
    assert.equal(refused.status, 402)
  }
  const id = await makeTransaction(florin, owner)
  await sink.until(1)
  await makeDue(db)
  const events = await db.pool.query('select id from events')
  assert.ok(events.rows.length > 0)
  assert.deepEqual(
    sink.received.map(({ event }) => event.data.id),
    [id],
  )
})

test('limits the concurrent requests to an endpoint', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  await Promise.all(Array.from({ length: 12 }, () => makeTransaction(florin, owner)))
  let open = 0
  let most = 0
  sink.respond = (_, response) => {
    open += 1
    most = Math.max(most, open)
    setTimeout(() => {
      open -= 1
      response.end()
    }, 300)
  }
  const queue = { concurrency: 3, concurrency_failing: 1, per_second: 500 }
  startDispatcher(t, florin, { pace: { queue } })
  await sink.until(12)
  assert.equal(most, 3)
})

test('limits the requests per second to an endpoint', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  await Promise.all(Array.from({ length: 30 }, () => makeTransaction(florin, owner)))
  const queue = { concurrency: 20, concurrency_failing: 2, per_second: 20 }
  startDispatcher(t, florin, { pace: { queue } })
  await sink.until(30)
  const took_ms = sink.received.at(-1)!.at_ms - sink.received[0]!.at_ms
  // At this rate, 29 requests take 1,450 ms. The burst of 100 ms and the latency of the first
  // request reduce that.
  assert.ok(took_ms >= 1_000, `30 arrived within ${took_ms} ms`)
})
