// One endpoint's trouble is its own.

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

test('endpoints that hang, refuse or are dead delay nobody else', async (t) => {
  const hanging = await startSink()
  const held: ServerResponse[] = []
  hanging.answer = (_, response) => held.push(response)
  const dead_url = `http://127.0.0.1:${await findFreePort()}/`
  const well = await startSink()
  t.after(() => Promise.all([hanging.stop(), well.stop()]))
  const owner = await florin.people.owner()
  const other = await florin.people.owner()
  for (const one of [owner, other]) {
    await makeEndpoint(florin, one, hanging.url)
    await makeEndpoint(florin, one, dead_url)
    await makeEndpoint(florin, one, well.url)
  }
  startDispatcher(t, florin, { timeout_ms: 60_000 })
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, n) => makeTransaction(florin, n % 2 === 0 ? owner : other)),
  )
  await well.until(60)
  // All came while the first of the other receiver still hung: nobody had waited for it.
  assert.ok(held.length > 0 && held.length <= 40, `${held.length} hang`)
  assert.ok(held.every((response) => !response.writableEnded && !response.destroyed))
  const got = well.received.map(({ event }) => event.data.id)
  assert.deepEqual(got.sort(), ids.sort())
  hanging.answer = (_, response) => response.destroy()
  for (const response of held) response.destroy()
  // One that is known to fail is asked two at a time.
  await waitFor('both are known to fail', async () => {
    const { rows } = await db.pool.query(
      'select count(*)::int as n from webhook_endpoints where failing_since is not null',
    )
    return rows[0].n >= 4
  })
})

/** Endpoints of accounts of their own, each with so many deliveries to make. */
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

test('a dead endpoint with much to catch up on leaves the rate to the living', async (t) => {
  const refusing = await startSink()
  refusing.answer = (_, response) => response.writeHead(500).end()
  const well = await startSink()
  t.after(() => Promise.all([refusing.stop(), well.stop()]))
  const [behind] = await makeBacklogs([refusing, well], 150)
  await florin.db.pool.query(
    `update webhook_endpoints set failing_since = now() where account_id = $1`,
    [findUuid('account', behind!.account_id)],
  )
  const queue = { at_once: 20, at_once_failing: 20, per_second: 500 }
  startDispatcher(t, florin, { pace: { per_second: 100, queue } })
  await well.until(150)
  const tried = refusing.received.length
  assert.ok(tried > 0 && tried <= 75, `${tried} tries of the dead beside 150 of the living`)
})

test('endpoints share the rate of a worker, and none takes all of it', async (t) => {
  const sinks = await Promise.all([startSink(), startSink(), startSink()])
  t.after(() => Promise.all(sinks.map((sink) => sink.stop())))
  await makeBacklogs(sinks, 100)
  startDispatcher(t, florin, { pace: { per_second: 100 } })
  await Promise.race(sinks.map((sink) => sink.until(90)))
  for (const { received } of sinks) assert.ok(received.length > 40, `${received.length} beside 90`)
})

test('the answer that never ends is not waited for, and 2xx counts', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.answer = (_, response) => {
    response.writeHead(200)
    response.write('a part of it')
  }
  startDispatcher(t, florin, { timeout_ms: 300 })
  await makeTransaction(florin, owner)
  const { token } = owner
  await waitFor('it has succeeded', async () => {
    const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
    return list.body.data[0]?.status === 'delivered'
  })
  const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
  const path = `/v1/webhook_deliveries/${list.body.data[0].id}`
  const one = await florin.call('GET', path, { token })
  assert.deepEqual(one.body.response, { status: 200, body: 'a part of it' })
})

test('an answer that never begins is waited for so long, and then it has failed', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.answer = () => {}
  startDispatcher(t, florin, { timeout_ms: 300 })
  await makeTransaction(florin, owner)
  const { token } = owner
  await waitFor('it has failed once', async () => {
    const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
    return /^No answer/.test(list.body.data[0]?.error)
  })
})

test('several workers at once send each delivery once', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  const ids = await Promise.all(Array.from({ length: 100 }, () => makeTransaction(florin, owner)))
  // All of them on all slots: not even the leases of slots keep them apart.
  for (let n = 0; n < 4; n++) {
    const own = openDatabase(florin.connection, { clients_max: 3 })
    const dispatcher_run = startDispatcher({ after: () => {} }, florin, {}, own)
    t.after(async () => {
      await dispatcher_run.stop()
      await own.close()
    })
  }
  await sink.until(ids.length)
  await waitFor('all are written down', async () => {
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

test('a delivery whose worker died is sent by another when the lease is over', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.answer = () => {}
  const pace = { lease_ms: 1_500, lease_spare_ms: 0 }
  const first = startDispatcher(t, florin, { pace })
  await makeTransaction(florin, owner)
  await sink.until(1)
  // It stops in the middle and writes nothing down, as one that was killed.
  void first.stop()
  sink.answer = (_, response) => response.end()
  startDispatcher(t, florin)
  await sink.until(2)
  const ids = sink.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids[0], ids[1])
  assert.equal(sink.received[0]!.text, sink.received[1]!.text)
})

test('nothing is sent of a change that was rolled back', async (t) => {
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

test('an endpoint has so many requests at a time, and no more', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  await Promise.all(Array.from({ length: 12 }, () => makeTransaction(florin, owner)))
  let open = 0
  let most = 0
  sink.answer = (_, response) => {
    open += 1
    most = Math.max(most, open)
    setTimeout(() => {
      open -= 1
      response.end()
    }, 300)
  }
  const queue = { at_once: 3, at_once_failing: 1, per_second: 500 }
  startDispatcher(t, florin, { pace: { queue } })
  await sink.until(12)
  assert.equal(most, 3)
})

test('an endpoint has so many requests a second, and no more', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  await Promise.all(Array.from({ length: 30 }, () => makeTransaction(florin, owner)))
  const queue = { at_once: 20, at_once_failing: 2, per_second: 20 }
  startDispatcher(t, florin, { pace: { queue } })
  await sink.until(30)
  const took_ms = sink.received.at(-1)!.at_ms - sink.received[0]!.at_ms
  // By the rate 29 take 1 450 ms. After a rest a tenth of a second's worth may go at once, and the
  // first may have been long on its way.
  assert.ok(took_ms >= 1_000, `30 came within ${took_ms} ms`)
})
