// Secret rotation, test events, filters, replays, and closed accounts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { makeEndpoint, makeTransaction, startDispatcher, waitFor } from './run-dispatcher.ts'
import { startSink, verify } from './sink.ts'

const florin = await startFlorin()
const { db } = florin
const endpoints = '/v1/webhook_endpoints'

test('both secrets sign during the overlap, then only the new one', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const dispatcher_run = startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  const old = await makeEndpoint(florin, owner, sink.url)
  const rotate = `${endpoints}/${old.id}/rotate`
  const rotated = await florin.call('POST', rotate, { token, body: { overlap_seconds: 3_600 } })
  assert.equal(rotated.status, 200)
  const in_s = (Date.parse(rotated.body.previous_secret_expires_at) - Date.now()) / 1000
  assert.ok(in_s > 3_500 && in_s <= 3_600)
  await makeTransaction(florin, owner)
  await sink.until(1)
  verify(sink.received[0]!, old.secret)
  verify(sink.received[0]!, rotated.body.secret)
  assert.equal(String(sink.received[0]!.headers['webhook-signature']).split(' ').length, 2)

  await db.pool.query(
    `update webhook_endpoints set previous_secret_until = now() where previous_secret is not null`,
  )
  // The worker caches the secrets of its last poll.
  await dispatcher_run.nextPoll()
  await makeTransaction(florin, owner)
  await sink.until(2)
  verify(sink.received[1]!, rotated.body.secret)
  assert.throws(() => verify(sink.received[1]!, old.secret))
  const one = await florin.call('GET', `${endpoints}/${old.id}`, { token })
  assert.equal(one.body.previous_secret_expires_at, null)

  const immediate = await florin.call('POST', rotate, { token, body: { overlap_seconds: 0 } })
  assert.equal(immediate.body.previous_secret_expires_at, null)
  for (const overlap_seconds of [-1, 604_801, 1.5, '60']) {
    const refused = await florin.call('POST', rotate, { token, body: { overlap_seconds } })
    assert.equal(refused.status, 400)
  }
})

test('a test event ignores the event filter and is not an account event', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  const endpoint = await makeEndpoint(florin, owner, sink.url, ['user.deleted'])
  const sent = await florin.call('POST', `${endpoints}/${endpoint.id}/test`, { token })
  assert.equal(sent.status, 201)
  assert.deepEqual(
    [sent.body.event_type, sent.body.event_sequence, sent.body.status],
    ['webhook_endpoint.test', null, 'pending'],
  )
  await sink.until(1)
  const [received] = sink.received
  verify(received!, endpoint.secret)
  assert.equal(received!.text, sent.body.request.body)
  assert.equal(received!.event.data.id, endpoint.id)
  assert.equal(received!.event.data.secret, undefined)
  const path = `/v1/webhook_deliveries/${sent.body.id}`
  await waitFor('it was delivered', async () => {
    return (await florin.call('GET', path, { token })).body.status === 'delivered'
  })
})

test('sends only the subscribed events', async (t) => {
  const sink = await startSink()
  const named = await startSink()
  t.after(() => Promise.all([sink.stop(), named.stop()]))
  startDispatcher(t, florin)
  const owner = await florin.people.owner()
  const { token } = owner
  await makeEndpoint(florin, owner, sink.url, ['account.*'])
  await makeEndpoint(florin, owner, named.url, ['transaction.canceled'])
  const id = await makeTransaction(florin, owner)
  await florin.call('PATCH', '/v1/account', { token, body: { name: 'Renamed' } })
  await florin.call('DELETE', `/v1/transactions/${id}`, { token })
  await Promise.all([sink.until(1), named.until(1)])
  assert.deepEqual(
    [...sink.received, ...named.received].map(({ event }) => event.type),
    ['account.updated', 'transaction.canceled'],
  )
})

test('a replay sends past events again, since a time or after a sequence', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const { token } = owner
  const before: string[] = []
  for (let n = 0; n < 5; n++) before.push(await makeTransaction(florin, owner))
  const endpoint = await makeEndpoint(florin, owner, sink.url, ['transaction.*'])
  const replay = `${endpoints}/${endpoint.id}/replay`
  const started = await florin.call('POST', replay, { token, body: { after: 0 } })
  assert.equal(started.status, 200)
  assert.equal(started.body.replay.after, 0)
  const twice = await florin.call('POST', replay, { token, body: { after: 0 } })
  assert.equal(twice.status, 409)
  startDispatcher(t, florin)
  await sink.until(5)
  const seen = new Set(sink.received.map(({ event }) => event.data.id))
  assert.deepEqual(seen, new Set(before))
  await waitFor('the replay is finished', async () => {
    const one = await florin.call('GET', `${endpoints}/${endpoint.id}`, { token })
    return one.body.replay === null
  })
  const third = sink.received.find(({ event }) => event.data.id === before[2])!.event
  await florin.call('POST', replay, { token, body: { since: third.created_at } })
  await sink.until(8)
  const again = sink.received.slice(5)
  assert.deepEqual(new Set(again.map(({ event }) => event.data.id)), new Set(before.slice(2)))
  const ids = (list: typeof again) => new Set(list.map(({ headers }) => headers['webhook-id']))
  for (const id of ids(again)) assert.ok(ids(sink.received.slice(0, 5)).has(id))
  for (const body of [{}, { since: '2026-01-01', after: 1 }, { after: -1 }, { since: 'now' }]) {
    assert.equal((await florin.call('POST', replay, { token, body })).status, 400)
  }
})

test('an endpoint that is far behind receives all events', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  const ids = await Promise.all(Array.from({ length: 450 }, () => makeTransaction(florin, owner)))
  startDispatcher(t, florin)
  await sink.until(450)
  assert.deepEqual(new Set(sink.received.map(({ event }) => event.data.id)), new Set(ids))
  for (const received of sink.received) verify(received, endpoint.secret)
})

test('a closed account sends its last events, then its endpoints are disabled', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  await makeTransaction(florin, owner)
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  startDispatcher(t, florin)
  await sink.until(4)
  assert.deepEqual(sink.received.map(({ event }) => event.type).sort(), [
    'account.closed',
    'transaction.canceled',
    'transaction.created',
    'user.deleted',
  ])
  const headers = { 'florin-account': owner.account_id }
  await waitFor('the endpoint is disabled', async () => {
    const path = `${endpoints}/${endpoint.id}`
    const one = await florin.call('GET', path, { token: admin.token, headers })
    return one.body.disabled_reason === 'closed'
  })
})
