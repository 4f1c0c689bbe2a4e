import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { makeEndpoint, makeTransaction, startDispatcher, waitFor } from './run-dispatcher.ts'
import { startSink, verify } from './sink.ts'

const florin = await startFlorin()

test('delivers a signed event once and records the attempt', async (t) => {
  startDispatcher(t, florin)
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, owner, sink.url)
  const id = await makeTransaction(florin, owner)
  const [received] = await sink.until(1)
  verify(received!, endpoint.secret)
  const { event, headers, path } = received!
  assert.equal(path, sink.path)
  assert.deepEqual(Object.keys(event), [
    'id',
    'type',
    'timestamp',
    'account_id',
    'sequence',
    'created_at',
    'data',
  ])
  assert.equal(event.type, 'transaction.created')
  assert.equal(event.account_id, owner.account_id)
  assert.equal(event.timestamp, event.created_at)
  assert.equal(event.data.id, id)
  assert.equal(headers['webhook-id'], event.id)
  assert.equal(headers['content-type'], 'application/json')
  const { token } = owner
  await waitFor('the delivery is recorded', async () => {
    const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
    return list.body.data[0]?.status === 'delivered'
  })
  const list = await florin.call('GET', '/v1/webhook_deliveries', { token })
  assert.equal(list.body.data.length, 1)
  const [listed] = list.body.data
  const one = await florin.call('GET', `/v1/webhook_deliveries/${listed.id}`, { token })
  const { request, response, history, ...rest } = one.body
  assert.deepEqual(rest, listed)
  assert.equal(request.url, sink.url)
  assert.equal(request.body, received!.text)
  assert.equal(request.headers['webhook-id'], event.id)
  assert.equal(request.headers['webhook-timestamp'], headers['webhook-timestamp'])
  assert.deepEqual(response, { status: 200, body: 'ok' })
  const { duration_ms, last_attempt_at: at } = listed
  assert.deepEqual(history, [{ at, url: sink.url, duration_ms, response, error: null }])
  assert.equal(listed.attempts, 1)
  assert.equal(listed.next_attempt_at, null)
  assert.equal(sink.received.length, 1)
})
