// All failures together: a receiver that fails, hangs, redirects, disconnects and dies, another
// that returns 410, and a server that is killed together with its worker.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { findWorkerPid } from '../cli/find-worker-pid.ts'
import { isAlive, makeInstallation } from '../cli/florin-process.ts'
import { makeDatabase } from '../cli/shared-database.ts'
import { call } from '../support/call.ts'
import { findFreePort } from '../support/free-port.ts'
import { credentials } from '../support/people.ts'
import { waitFor } from './run-dispatcher.ts'
import { type ReceivedDelivery, startSink, verify } from './sink.ts'

/** Fails an attempt at random, but only the first four attempts of an event. */
function misbehave(response: ServerResponse, redirect_url: string, earlier: number): boolean {
  if (earlier >= 4 || Math.random() < 0.5) return false
  const failures = [
    () => response.writeHead(500).end('no'),
    () => response.writeHead(307, { location: redirect_url }).end(),
    () => response.destroy(),
    // No response: the request stays open until the client times out.
    () => earlier === 0 || response.writeHead(503).end(),
  ]
  failures[Math.floor(Math.random() * failures.length)]!()
  return true
}

// Makes retries due and expires the leases of killed workers.
async function makeAllDue(db: Db): Promise<void> {
  await db.pool.query(
    `update webhook_deliveries set next_at = now() - interval '1 second'
     where status = 'pending' and (lease_id is null and attempted_at is not null
       or next_at < now() + interval '55 seconds')`,
  )
}

test('delivers exactly the committed events despite crashes', async (t) => {
  const { env, connection } = await makeDatabase(t)
  const installation = await makeInstallation(t)
  const elsewhere = await startSink()
  const gone = await startSink()
  const port = await findFreePort()
  let sink = await startSink(port)
  t.after(() => Promise.all([elsewhere.stop(), gone.stop(), sink.stop()]))
  const db = openDatabase(connection)
  t.after(() => db.close())
  const settings = { env: { ...env, FLORIN_RATE_LIMIT: 'off' } }
  let { florin, url } = await installation.start(settings)

  const who = credentials('hostile')
  const account = await call(url, 'POST', '/v1/accounts', {
    body: { ...who, name: 'Acme', type: 'business' },
  })
  const login = await call(url, 'POST', '/v1/auth/login', { body: who })
  const token = login.body.access_token
  const makeEndpoint = async (to: string) => {
    const body = { url: to, events: ['transaction.created'] }
    return (await call(url, 'POST', '/v1/webhook_endpoints', { token, body })).body
  }
  const endpoint = await makeEndpoint(sink.url)
  const dead = await makeEndpoint(gone.url)
  gone.respond = (_, response) => response.writeHead(410).end()

  const delivered = new Map<string, ReceivedDelivery>()
  const attempts = new Map<string, number>()
  const respond = (received: ReceivedDelivery, response: ServerResponse) => {
    const { id } = received.event
    const earlier = attempts.get(id) ?? 0
    attempts.set(id, earlier + 1)
    if (misbehave(response, elsewhere.url, earlier)) return
    delivered.set(received.event.data.id, received)
    response.end()
  }
  sink.respond = respond

  const acknowledged: string[] = []
  const create = async () => {
    const body = { account_id: account.body.id, amount: 100, currency: 'USD', type: 'payment' }
    const made = await call(url, 'POST', '/v1/transactions', { token, body }).catch(() => undefined)
    if (made?.status === 201) acknowledged.push(made.body.id)
  }
  const received: ReceivedDelivery[] = []
  for (let round = 0; round < 2; round++) {
    const worker = await findWorkerPid(florin.pid)
    for (let n = 0; n < 10; n++) await create()
    await sink.until(1)
    // Killed while deliveries and requests are in flight.
    const in_flight = Array.from({ length: 10 }, create)
    if (round === 1) {
      received.push(...sink.received)
      await sink.stop()
    }
    await florin.stop('SIGKILL')
    await Promise.all(in_flight)
    await waitFor('its worker has exited too', () => !isAlive(worker))
    if (round === 1) sink = await startSink(port)
    sink.respond = respond
    ;({ florin, url } = await installation.start(settings))
  }
  for (let n = 0; n < 5; n++) await create()

  const events = await db.pool.query(
    `select id, object_id from events where type = 'transaction.created'`,
  )
  const committed = new Map(events.rows.map(({ object_id, id }) => [object_id, id]))
  await waitFor(
    'all are delivered',
    async () => {
      await makeAllDue(db)
      return delivered.size >= committed.size
    },
    120_000,
  )
  received.push(...sink.received, ...gone.received)
  const uuid = (id: string) => findUuid('transaction', id)!
  assert.deepEqual([...delivered.keys()].map(uuid).sort(), [...committed.keys()].sort())
  assert.ok(acknowledged.every((id) => delivered.has(id)) && acknowledged.length >= 25)
  for (const one of received) {
    const { id, data } = one.event
    assert.equal(findUuid('event', id), committed.get(uuid(data.id)), 'a committed event')
    assert.equal(one.headers['webhook-id'], id)
    verify(one, gone.received.includes(one) ? dead.secret : endpoint.secret)
  }
  assert.equal(elsewhere.connections, 0, 'no redirect was followed')
  const path = `/v1/webhook_endpoints/${dead.id}`
  const after = await call(url, 'GET', path, { token })
  assert.equal(after.body.disabled_reason, 'gone')
  const verified = await installation.run(['verify'], settings).ended
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  assert.equal((await florin.stop()).code, 0)
})
