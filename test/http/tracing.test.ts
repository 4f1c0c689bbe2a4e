// Spans of requests, lanes and webhook deliveries, as a collector receives them.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../src/http/app.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import { eventTrace } from '../../src/tracing/trace-context.ts'
import { startFlorin } from '../support/florin.ts'
import { type ReceivedSpan, startSpanReceiver } from '../tracing/span-receiver.ts'
import { makeEndpoint, makeTransaction, startDispatcher } from '../webhooks/run-dispatcher.ts'
import { startSink, verify } from '../webhooks/sink.ts'

const receiver = await startSpanReceiver()
const florin = await startFlorin({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
after(() => receiver.stop())
const owner = await florin.people.owner()
const plain = await florin.startSecondServer({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })

function newParent(flags = '01') {
  const [trace_id, span_id] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { trace_id, span_id, headers: { traceparent: `00-${trace_id}-${span_id}-${flags}` } }
}

const payment = (more: object = {}) => ({
  account_id: owner.account_id,
  amount: 7_500,
  currency: 'USD',
  type: 'payment',
  ...more,
})

const create = (headers: Record<string, string> = {}, body = payment()) =>
  florin.call('POST', '/v1/transactions', { token: owner.token, body, headers })

const isRequestOf = (trace_id: string) => (span: ReceivedSpan) =>
  span.traceId === trace_id && span.kind === 2

// All requests of the first tests are sent here: spans are sent once per second.
const single = newParent()
const single_response = await create(single.headers)
const parents = Array.from({ length: 24 }, () => newParent())
await Promise.all(parents.map(({ headers }) => create(headers)))
const [unknown, unauthorized, invalid] = [newParent(), newParent(), newParent()]
await florin.call('GET', '/v1/no_such_thing/secret-in-path', unknown)
await florin.call('GET', '/v1/account', unauthorized)
await create(invalid.headers, payment({ amount: -1 }))
const invalid_id = randomBytes(16).toString('hex').toUpperCase()
const untraced = await create({ traceparent: `00-${invalid_id}-${'1'.repeat(16)}-01` })
const [probe, marker] = [newParent(), newParent()]
for (const path of ['/livez', '/readyz', '/metrics']) await florin.call('GET', path, probe)
await florin.call('GET', '/v1/account', { token: owner.token, ...marker })

test("a request continues its caller's trace, with its wait and its batch", async () => {
  const [parent, created] = [single, single_response]
  assert.equal(created.status, 201, created.text)
  const request = await receiver.find(isRequestOf(parent.trace_id))
  assert.equal(request.name, 'POST /v1/transactions')
  assert.equal(request.parentSpanId, parent.span_id)
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/transactions',
    'http.response.status_code': 201,
    'florin.request_id': created.headers.get('request-id'),
    'florin.account_id': owner.account_id,
  })
  assert.deepEqual(request.status, {})
  const inTrace = (name: string) => (span: ReceivedSpan) =>
    span.traceId === parent.trace_id && span.name === name
  const wait = await receiver.find(inTrace('lane wait'))
  const flush = await receiver.find(inTrace('lane flush'))
  assert.deepEqual([wait.parentSpanId, flush.parentSpanId], [request.spanId, request.spanId])
  assert.deepEqual(wait.attributes, { 'florin.lane': 'transactions' })
  assert.deepEqual(flush.attributes, {
    'florin.lane': 'transactions',
    'florin.entries': 1,
    'florin.changes': 1,
    'florin.rejected': 0,
    'florin.skipped': 0,
  })
  const times = [request.start_ns, wait.start_ns, wait.end_ns, flush.end_ns, request.end_ns]
  assert.deepEqual(times, times.toSorted())
  assert.equal(wait.end_ns, flush.start_ns)
})

test('requests that share a batch have links to it, and it to them', async () => {
  const ids = new Set(parents.map(({ trace_id }) => trace_id))
  for (const id of ids) await receiver.find(isRequestOf(id))
  const requests = receiver.spans.filter(({ traceId, kind }) => ids.has(traceId) && kind === 2)
  const isShared = ({ name, links }: ReceivedSpan) =>
    name === 'lane flush' && links.some(({ traceId }) => ids.has(traceId))
  const shared = await receiver.find(isShared, 'a shared batch')
  assert.equal(shared.parentSpanId, undefined)
  assert.ok(!ids.has(shared.traceId), 'a separate trace')
  assert.equal(shared.links.length, shared.attributes['florin.entries'])
  for (const { traceId, spanId } of shared.links) {
    const request = requests.find((span) => span.traceId === traceId)
    assert.equal(request?.spanId, spanId)
    const isWait = (span: ReceivedSpan) => span.traceId === traceId && span.name === 'lane wait'
    const wait = await receiver.find(isWait)
    const { traceId: of, spanId: to } = shared
    assert.deepEqual(wait.links, [{ traceId: of, spanId: to, attributes: {} }])
  }
})

test('records rejected requests, and only failures of the server as errors', async () => {
  const found = await Promise.all(
    [unknown, unauthorized, invalid].map(({ trace_id }) => receiver.find(isRequestOf(trace_id))),
  )
  assert.deepEqual(
    found.map(({ name, attributes, status }) => [
      name,
      attributes['http.response.status_code'],
      attributes['florin.error'],
      status,
    ]),
    [
      ['GET', 404, 'not_found', {}],
      ['GET /v1/account', 401, 'unauthorized', {}],
      ['POST /v1/transactions', 400, 'invalid_request', {}],
    ],
  )
})

test('an invalid traceparent starts a new trace', async () => {
  const of = untraced.headers.get('request-id')
  const span = await receiver.find(({ attributes }) => attributes['florin.request_id'] === of)
  assert.equal(span.parentSpanId, undefined)
  assert.notEqual(span.traceId, invalid_id.toLowerCase())
})

test('health checks are not recorded', async () => {
  await receiver.find(isRequestOf(marker.trace_id))
  assert.equal(receiver.spans.filter(isRequestOf(probe.trace_id)).length, 0)
})

test('responses are the same as without traces', async () => {
  const { body: made } = await create()
  const path = `/v1/transactions/${made.id}`
  const options = { token: owner.token, headers: newParent().headers }
  const [traced, other] = [
    await florin.call('GET', path, options),
    await plain.call('GET', path, options),
  ]
  assert.equal(traced.text, other.text)
  assert.deepEqual([...traced.headers.keys()], [...other.headers.keys()])
  assert.equal((await plain.call('GET', '/metrics')).text.includes('florin_trace'), false)
  const { text } = await florin.call('GET', '/metrics')
  assert.match(text, /^florin_trace_spans_dropped_total 0$/m)
})

test('no span has a token, a body, a URL or a header', async () => {
  const secret = 'a-note-to-keep'
  const visit = newParent()
  const metadata = { note: secret }
  const created = await create({ 'x-note': secret }, payment({ metadata, reference: secret }))
  assert.equal(created.status, 201, created.text)
  const { token, account_id } = owner
  const customer_email = `${secret}@example.com`
  const body = { account_id, amount: 100, currency: 'USD', customer_email }
  const asked = await florin.call('POST', '/v1/payments', { token, body })
  assert.equal(asked.status, 201, asked.text)
  const { payment_url } = asked.body
  const page = new URL(payment_url).pathname
  await florin.call('GET', `/v1/transactions?search=${secret}`, { token })
  await florin.call('GET', page, visit)
  const viewed = await receiver.find(isRequestOf(visit.trace_id))
  assert.ok(!viewed.name.includes(page), viewed.name)
  const sent = receiver.requests.map(({ text }) => text).join('\n')
  for (const hidden of [secret, token, page.split('/').at(-1)!, 'Bearer', 'USD']) {
    assert.ok(!sent.includes(hidden), hidden)
  }
})

test('request lines have the trace id, also of a trace that is not recorded', async () => {
  const lines: { route: string; trace_id?: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { db, config } = florin
  const app = await buildApp({ db, log, config, version: '0.0.0-test' })
  const off = await buildApp({ db, log, config: plain.config, version: '0.0.0-test' })
  const [recorded, unrecorded] = [newParent('01'), newParent('00')]
  await app.inject({ url: '/v1/account', headers: recorded.headers })
  await app.inject({ url: '/v1/account', headers: unrecorded.headers })
  await app.inject({ url: '/v1/account' })
  await off.inject({ url: '/v1/account', headers: recorded.headers })
  await app.close()
  await off.close()
  const ids = lines.map(({ trace_id }) => trace_id)
  assert.deepEqual(ids.slice(0, 2), [recorded.trace_id, unrecorded.trace_id])
  assert.match(ids[2]!, /^[\da-f]{32}$/)
  assert.equal(ids[3], undefined)
  await receiver.find(isRequestOf(recorded.trace_id))
  assert.equal(receiver.spans.filter(isRequestOf(unrecorded.trace_id)).length, 0)
})

test('a delivery has the trace of its event, to which the request has a link', async (t) => {
  const log = { warn: () => assert.fail('spans were lost') }
  const options = { kind: 'worker', version: '1', log, pace: { send_every_ms: 5 } } as const
  const tracing = openTracing(florin.config.traces, options)!
  t.after(() => tracing.close())
  startDispatcher(t, florin, { tracer: tracing.tracer })
  const sink = await startSink()
  t.after(() => sink.stop())
  sink.respond = (_, response) => response.writeHead(sink.received.length === 1 ? 500 : 200).end()
  const shop = await florin.people.owner()
  const endpoint = await makeEndpoint(florin, shop, `${sink.url}?key=hidden`)
  await makeTransaction(florin, shop)
  const [received] = await sink.until(1)
  verify(received!, endpoint.secret)
  const { headers, event } = received!
  const { trace_id } = eventTrace(findUuid('event', event.id)!)
  const span = await receiver.find(({ traceId, kind }) => traceId === trace_id && kind === 3)
  assert.equal(headers.traceparent, `00-${trace_id}-${span.spanId}-01`)
  assert.deepEqual([span.name, span.parentSpanId], ['webhook delivery', undefined])
  assert.deepEqual(span.attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': 500,
    'server.address': '127.0.0.1',
    'florin.account_id': shop.account_id,
    'florin.endpoint_id': endpoint.id,
    'florin.event_id': event.id,
    'florin.attempt': 1,
    'error.type': '500',
  })
  assert.deepEqual(span.status, { code: 2 })
  const isCause = ({ links }: ReceivedSpan) => links.some(({ traceId }) => traceId === trace_id)
  const request = await receiver.find(isCause, 'a request with a link to the event')
  assert.equal(request.name, 'POST /v1/transactions')
  const { attributes } = request.links.find(({ traceId }) => traceId === trace_id)!
  const named = { 'florin.event_id': event.id, 'florin.event_type': 'transaction.created' }
  assert.deepEqual(attributes, named)
  assert.ok(!receiver.requests.some(({ text }) => text.includes('hidden')), 'no query of a URL')
})
