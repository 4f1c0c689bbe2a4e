import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { delivery_retries, failing_ms_max } from '../../src/webhooks/outbox.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
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
const deliveries = '/v1/webhook_deliveries'
const endpoints = '/v1/webhook_endpoints'

async function read(token: string, path: string) {
  return (await florin.call('GET', path, { token })).body
}

test('the retry schedule follows Standard Webhooks with 20 percent jitter', () => {
  const seconds = Array.from({ length: 10 }, (_, at) => delivery_retries.waitAfter(at + 1, 0.5))
  const hour = 3_600_000
  assert.deepEqual(seconds, [
    5_000,
    300_000,
    1_800_000,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
    undefined,
  ])
  assert.deepEqual(
    [delivery_retries.waitAfter(1, 0), delivery_retries.waitAfter(1, 1)],
    [4_000, 6_000],
  )
  assert.ok(failing_ms_max > 2 * 24 * hour && failing_ms_max < 3 * 24 * hour)
})

test('an unreliable endpoint receives every event, each with a stable webhook-id', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, sink.url, ['transaction.*'])
  const delivered = new Map<string, string>()
  sink.respond = (received, response) => {
    verify(received, endpoint.secret)
    // At most six failures per event, because the tenth would be final.
    const failed = sink.received.filter(({ event }) => event.id === received.event.id).length - 1
    if (failed < 6 && Math.random() < 0.5) {
      response.statusCode = 500
      return response.end('no')
    }
    delivered.set(received.event.data.id, received.headers['webhook-id'] as string)
    return response.end('ok')
  }
  const ids = await Promise.all(Array.from({ length: 40 }, () => makeTransaction(florin, owner)))
  startDispatcher(t, florin)
  await waitFor('all are delivered', async () => {
    await makeDue(db)
    return delivered.size === ids.length
  })
  assert.deepEqual([...delivered.keys()].sort(), ids.sort())
  const by_event = new Map<string, Set<string>>()
  for (const { event, headers, text } of sink.received) {
    const same = by_event.get(event.id) ?? new Set()
    by_event.set(event.id, same.add(`${headers['webhook-id']} ${text}`))
  }
  for (const [id, sent] of by_event) assert.equal(sent.size, 1, id)
  assert.ok(sink.received.length > ids.length)
})

test('a failed attempt is recorded with its response, retried, and can be resent', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => {
    response.statusCode = 503
    response.end('x'.repeat(100_000))
  }
  await makeTransaction(florin, owner)
  await sink.until(1)
  await waitFor('the attempt is recorded', async () => {
    const { data } = await read(token, deliveries)
    return data[0]?.attempts === 1 && data[0].error !== null
  })
  const [listed] = (await read(token, deliveries)).data
  assert.equal(listed.status, 'retrying')
  assert.equal(listed.error, 'The endpoint returned 503.')
  const wait_ms = Date.parse(listed.next_attempt_at) - Date.parse(listed.last_attempt_at)
  assert.ok(wait_ms >= 3_900 && wait_ms < 8_000, `${wait_ms}`)
  const one = await read(token, `${deliveries}/${listed.id}`)
  assert.equal(one.response.status, 503)
  assert.equal(one.response.body, 'x'.repeat(4_096))
  for (const status of ['pending', 'failed', 'delivered', 'canceled', 'failed,delivered']) {
    assert.deepEqual((await read(token, `${deliveries}?status=${status}`)).data, [], status)
  }
  for (const status of ['retrying', 'failed,retrying', 'pending,retrying', 'retrying,retrying']) {
    const { data } = await read(token, `${deliveries}?status=${status}`)
    const ids = data.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, [listed.id], status)
  }
  assert.equal((await read(token, `${deliveries}?event_id=${listed.event_id}`)).data.length, 1)
  const elsewhere = listed.endpoint_id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  assert.equal((await read(token, `${deliveries}?endpoint_id=${elsewhere}`)).data.length, 0)

  const retry = await florin.call('POST', `${deliveries}/${listed.id}/retry`, { token })
  assert.equal(retry.status, 200)
  assert.deepEqual(
    [retry.body.status, retry.body.attempts],
    ['retrying', retry.body.history.length],
  )
  sink.respond = (_, response) => response.end('ok')
  await waitFor('it was delivered', async () => {
    return (await read(token, `${deliveries}/${listed.id}`)).status === 'delivered'
  })
  const delivered = await read(token, `${deliveries}/${listed.id}`)
  assert.deepEqual([delivered.error, delivered.attempts], [null, delivered.history.length])
})

test('a resend restarts the schedule and keeps counting attempts', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const { token } = owner
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => response.writeHead(400).end()
  await makeTransaction(florin, owner)
  startDispatcher(t, florin)
  const only = async () => (await read(token, deliveries)).data[0]
  for (const round of [1, 2]) {
    await waitFor('it has failed', async () => {
      await makeDue(db)
      return (await only())?.status === 'failed'
    })
    const one = await read(token, `${deliveries}/${(await only()).id}`)
    assert.deepEqual([(await only()).attempts, one.attempts], [10 * round, 10 * round])
    assert.equal(one.history.length, 10 * round)
    sink.respond = (_, response) => response.writeHead(round === 1 ? 400 : 200).end()
    const { body } = await florin.call('POST', `${deliveries}/${one.id}/retry`, { token })
    assert.deepEqual([body.status, body.attempts], ['retrying', 10 * round])
  }
  await waitFor('it was delivered', async () => (await only()).status === 'delivered')
  const { id, attempts } = await only()
  assert.equal(attempts, 21)
  // It was already delivered, so a resend does not show as retrying.
  sink.respond = () => {}
  const { body } = await florin.call('POST', `${deliveries}/${id}/retry`, { token })
  assert.deepEqual([body.status, body.attempts], ['pending', 21])
  await sink.until(22)
  assert.equal((await only()).attempts, 21, 'the attempt in flight is not counted')
})

test('rejects an unknown status and returns its name', async () => {
  const { token } = await florin.people.owner()
  for (const [status, got] of [
    ['succeeded', 'succeeded'],
    ['failed,', ''],
    ['', ''],
    ['failed, retrying', ' retrying'],
  ] as const) {
    const response = await florin.call('GET', `${deliveries}?status=${status}`, { token })
    assert.equal(response.status, 400, status)
    assert.equal(
      response.body.message,
      '"status" must be one or more of pending, retrying, delivered, failed, canceled, separated ' +
        `by commas; got "${got}".`,
    )
  }
})

test('a delivery fails after the tenth attempt', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => {
    response.statusCode = 400
    response.end()
  }
  await makeTransaction(florin, owner)
  startDispatcher(t, florin)
  await waitFor('it has failed', async () => {
    await makeDue(db)
    return (await read(owner.token, `${deliveries}?status=failed`)).data.length === 1
  })
  assert.equal(sink.received.length, 10)
  const ids = sink.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, 1)
})

test('does not follow a redirect and counts it as a failure', async (t) => {
  const target = await startSink()
  const sink = await startSink()
  t.after(() => Promise.all([sink.stop(), target.stop()]))
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url)
  for (const status of [301, 302, 303, 307, 308]) {
    sink.respond = (_, response) => {
      response.writeHead(status, { location: target.url }).end()
    }
    const before = sink.received.length
    await makeTransaction(florin, owner)
    await sink.until(before + 1)
  }
  await waitFor('all attempts are recorded', async () => {
    const { data } = await read(owner.token, `${deliveries}?limit=5`)
    return data.every((one: { error: string | null }) => one.error?.includes('redirect'))
  })
  assert.equal(target.connections, 0)
})

test('410 disables the endpoint, cancels pending deliveries and emails the owner', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => {
    response.statusCode = 410
    response.end()
  }
  await makeTransaction(florin, owner)
  startDispatcher(t, florin)
  await waitFor('it is disabled', async () => {
    return (await read(token, `${endpoints}/${endpoint.id}`)).status === 'disabled'
  })
  const after = await read(token, `${endpoints}/${endpoint.id}`)
  assert.equal(after.disabled_reason, 'gone')
  assert.equal((await read(token, `${deliveries}?status=pending,retrying`)).data.length, 0)
  const before = sink.received.length
  await makeTransaction(florin, owner)
  const admin = await florin.people.admin()
  const { data } = await read(admin.token, '/v1/emails?limit=5')
  const email = data.find((one: { kind: string }) => one.kind === 'webhook_disabled')
  assert.equal(email.to, owner.email)
  assert.match(email.subject, /Webhook endpoint disabled for Acme Ltd/)
  const [pending] = (await read(token, deliveries)).data
  const retry = await florin.call('POST', `${deliveries}/${pending.id}/retry`, { token })
  assert.equal(retry.status, 409)

  sink.respond = (_, response) => response.end()
  const body = { status: 'enabled' }
  await florin.call('PATCH', `${endpoints}/${endpoint.id}`, { token, body })
  const id = await makeTransaction(florin, owner)
  await sink.until(before + 1)
  assert.equal(sink.received.at(-1)!.event.data.id, id)
})

test('410 from a previous URL does not disable the endpoint', async (t) => {
  const [old, moved] = await Promise.all([startSink(), startSink()])
  t.after(() => Promise.all([old.stop(), moved.stop()]))
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, old.url)
  const path = `${endpoints}/${endpoint.id}`
  const pending_responses: ServerResponse[] = []
  old.respond = (_, response) => pending_responses.push(response)
  const id = await makeTransaction(florin, owner)
  const dispatcher_run = startDispatcher(t, florin)
  await old.until(1)
  const body = { url: moved.url }
  assert.equal((await florin.call('PATCH', path, { token, body })).status, 200)
  for (const response of pending_responses) response.writeHead(410).end()
  await waitFor('the response is recorded', async () => {
    return (await read(token, deliveries)).data[0].error !== null
  })
  // The delivery is retried at the new URL.
  await dispatcher_run.nextPoll()
  await makeDue(db)
  await moved.until(1)
  await dispatcher_run.stop()
  assert.equal(moved.received[0]!.event.data.id, id)
  const [delivery] = (await read(token, deliveries)).data
  assert.deepEqual([delivery.status, delivery.attempts], ['delivered', 2])
  const after = await read(token, path)
  assert.deepEqual([after.status, after.disabled_reason], ['enabled', null])
})

test('disables an endpoint that has failed for days and emails the owner', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  sink.respond = (_, response) => {
    response.statusCode = 500
    response.end()
  }
  await makeTransaction(florin, owner)
  startDispatcher(t, florin)
  const path = `${endpoints}/${endpoint.id}`
  await waitFor('it is failing', async () => (await read(token, path)).failing_since !== null)
  assert.equal((await read(token, path)).status, 'enabled')
  await db.pool.query(
    `update webhook_endpoints set failing_since = now() - interval '3 days'
     where account_id = (select account_id from webhook_deliveries order by id desc limit 1)`,
  )
  await waitFor('it is disabled', async () => {
    await makeDue(db)
    return (await read(token, path)).status === 'disabled'
  })
  assert.equal((await read(token, path)).disabled_reason, 'failing')
  const { rows } = await db.pool.query(
    `select recipient from emails where kind = 'webhook_disabled' and recipient = $1`,
    [owner.email],
  )
  assert.equal(rows.length, 1)
})

test('makes pending deliveries due when the endpoint recovers from an outage', async (t) => {
  const port = await findFreePort()
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, `http://127.0.0.1:${port}/hook`)
  const ids = [await makeTransaction(florin, owner), await makeTransaction(florin, owner)]
  const path = `${endpoints}/${endpoint.id}`
  await waitFor(
    'the endpoint fails',
    async () => (await read(owner.token, path)).failing_since !== null,
  )
  await waitFor('both were attempted', async () => {
    const { data } = await read(owner.token, deliveries)
    return data.every((one: { error: string }) => one.error === 'The connection was refused.')
  })
  await db.pool.query(`update webhook_deliveries set next_at = now() + interval '5 hours'
    where status = 'pending'`)
  await db.pool.query(`update webhook_endpoints set failing_since = now() - interval '1 hour'
    where failing_since is not null`)
  const recovered = await startSink(port)
  t.after(() => recovered.stop())
  ids.push(await makeTransaction(florin, owner))
  await recovered.until(3)
  assert.deepEqual(new Set(recovered.received.map(({ event }) => event.data.id)), new Set(ids))
  await waitFor(
    'the endpoint has recovered',
    async () => (await read(owner.token, path)).failing_since === null,
  )
})

test('a delivery that the endpoint rejects keeps its schedule when others succeed', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.respond = ({ event }, response) =>
    response.writeHead(event.data.amount === 13 ? 500 : 204).end()
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, sink.url, ['transaction.created'])
  startDispatcher(t, florin)
  const { token, account_id } = owner
  const body = { account_id, amount: 13, currency: 'USD', type: 'payment' }
  await florin.call('POST', '/v1/transactions', { token, body })
  await waitFor('it was rejected', async () => (await read(token, deliveries)).data[0]?.error)
  const [rejected] = (await read(token, deliveries)).data
  await db.pool.query(`update webhook_deliveries set next_at = now() + interval '5 hours'
    where status = 'pending'`)
  await db.pool.query(`update webhook_endpoints set failing_since = now() - interval '1 hour'
    where failing_since is not null`)
  await makeTransaction(florin, owner)
  const path = `${endpoints}/${endpoint.id}`
  await waitFor(
    'the endpoint has recovered',
    async () => (await read(token, path)).failing_since === null,
  )
  const { attempts, next_attempt_at } = await read(token, `${deliveries}/${rejected.id}`)
  assert.equal(attempts, 1)
  assert.ok(Date.parse(next_attempt_at) > Date.now() + 4 * 3_600_000)
})
