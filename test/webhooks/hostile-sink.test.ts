// Everything at once: a receiver that fails half of the time, hangs, redirects, hangs up and dies,
// another that says it is gone, and a server that is killed in the middle of it, worker and all.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { findWorkerPid } from '../commands/find-worker-pid.ts'
import { isAlive, makeInstallation } from '../commands/florin-process.ts'
import { makeDatabase } from '../commands/shared-database.ts'
import { call } from '../support/call.ts'
import { findFreePort } from '../support/free-port.ts'
import { credentials } from '../support/people.ts'
import { waitFor } from './run-dispatcher.ts'
import { type ReceivedDelivery, startSink, verify } from './sink.ts'

/** What it does to an event, by how often that event came before. Its last tries are spared. */
function misbehave(response: ServerResponse, elsewhere: string, before: number): boolean {
  if (before >= 4 || Math.random() < 0.5) return false
  const ways = [
    () => response.writeHead(500).end('no'),
    () => response.writeHead(307, { location: elsewhere }).end(),
    () => response.destroy(),
    // Nothing at all: it is held until the other side has had enough.
    () => before === 0 || response.writeHead(503).end(),
  ]
  ways[Math.floor(Math.random() * ways.length)]!()
  return true
}

// As if the waits of retries were over, and the leases of the dead.
async function makeAllDue(db: Db): Promise<void> {
  await db.pool.query(
    `update webhook_deliveries set next_at = now() - interval '1 second'
     where status = 'pending' and (lease_id is null and attempted_at is not null
       or next_at < now() + interval '55 seconds')`,
  )
}

test('what was committed arrives, and nothing else, whatever dies', async (t) => {
  const { env, connection } = await makeDatabase(t)
  const place = await makeInstallation(t)
  const elsewhere = await startSink()
  const gone = await startSink()
  const port = await findFreePort()
  let sink = await startSink(port)
  t.after(() => Promise.all([elsewhere.stop(), gone.stop(), sink.stop()]))
  const db = openDatabase(connection)
  t.after(() => db.close())
  const settings = { env: { ...env, FLORIN_RATE_LIMIT: 'off' } }
  let { florin, url } = await place.start(settings)

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
  gone.answer = (_, response) => response.writeHead(410).end()

  const taken = new Map<string, ReceivedDelivery>()
  const came = new Map<string, number>()
  const answer = (received: ReceivedDelivery, response: ServerResponse) => {
    const { id } = received.event
    const before = came.get(id) ?? 0
    came.set(id, before + 1)
    if (misbehave(response, elsewhere.url, before)) return
    taken.set(received.event.data.id, received)
    response.end()
  }
  sink.answer = answer

  const answered: string[] = []
  const create = async () => {
    const body = { account_id: account.body.id, amount: 100, currency: 'USD', type: 'payment' }
    const made = await call(url, 'POST', '/v1/transactions', { token, body }).catch(() => undefined)
    if (made?.status === 201) answered.push(made.body.id)
  }
  const received: ReceivedDelivery[] = []
  for (let round = 0; round < 2; round++) {
    const worker = await findWorkerPid(florin.pid)
    for (let n = 0; n < 10; n++) await create()
    await sink.until(1)
    // In the middle of deliveries and of changes that are not yet answered.
    const under_way = Array.from({ length: 10 }, create)
    if (round === 1) {
      received.push(...sink.received)
      await sink.stop()
    }
    await florin.stop('SIGKILL')
    await Promise.all(under_way)
    await waitFor('its worker is gone too', () => !isAlive(worker))
    if (round === 1) sink = await startSink(port)
    sink.answer = answer
    ;({ florin, url } = await place.start(settings))
  }
  for (let n = 0; n < 5; n++) await create()

  const events = await db.pool.query(
    `select id, object_id from events where type = 'transaction.created'`,
  )
  const committed = new Map(events.rows.map(({ object_id, id }) => [object_id, id]))
  await waitFor(
    'all have come',
    async () => {
      await makeAllDue(db)
      return taken.size >= committed.size
    },
    120_000,
  )
  received.push(...sink.received, ...gone.received)
  const uuid = (id: string) => findUuid('transaction', id)!
  assert.deepEqual([...taken.keys()].map(uuid).sort(), [...committed.keys()].sort())
  assert.ok(answered.every((id) => taken.has(id)) && answered.length >= 25)
  for (const one of received) {
    const { id, data } = one.event
    assert.equal(findUuid('event', id), committed.get(uuid(data.id)), 'an event that is kept')
    assert.equal(one.headers['webhook-id'], id)
    verify(one, gone.received.includes(one) ? dead.secret : endpoint.secret)
  }
  assert.equal(elsewhere.connections, 0, 'no redirect was followed')
  const path = `/v1/webhook_endpoints/${dead.id}`
  const after = await call(url, 'GET', path, { token })
  assert.equal(after.body.disabled_reason, 'gone')
  const verified = await place.run(['verify'], settings).ended
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  assert.equal((await florin.stop()).code, 0)
})
