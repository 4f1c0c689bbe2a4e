import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import type { ExporterPace } from '../../src/tracing/span-exporter.ts'
import { until } from '../support/until.ts'
import { attributesOf, type SpanReceiver, startSpanReceiver } from './span-receiver.ts'

const pace = { send_every_ms: 5, retry_ms: 5 }

async function start(t: TestContext, more: Partial<ExporterPace> = {}) {
  const receiver = await startSpanReceiver()
  const reasons: unknown[] = []
  const log = { warn: ({ reason }: { reason?: string }) => void reasons.push(reason) }
  const settings = {
    url: `${receiver.url}/v1/traces`,
    headers: { authorization: 'Bearer secret' },
    sample_ratio: 1,
    service_name: 'florin',
    resource: { region: 'eu' },
  }
  const options = { kind: 'worker', version: '1.2.3', log, pace: { ...pace, ...more } } as const
  const tracing = openTracing(settings, options)!
  t.after(async () => {
    await tracing.close()
    await receiver.stop()
  })
  const send = (count: number, name = 'work') => {
    for (let n = 0; n < count; n++) tracing.tracer.record({ name, kind: 'internal' }).end()
  }
  return { receiver, reasons, tracing, send }
}

function failWith(receiver: SpanReceiver, status: number, headers = {}): void {
  receiver.respond = (response) => response.writeHead(status, headers).end()
}

function recover(receiver: SpanReceiver): void {
  receiver.respond = (response) => response.writeHead(200).end('{}')
}

test('sends spans with the configured headers and the attributes of the process', async (t) => {
  const { receiver, tracing, reasons } = await start(t)
  const parent = tracing.tracer.record({ name: 'parent', kind: 'server' })
  const child = parent.child({ name: 'child', kind: 'client' })
  child.set({ text: 'é"', whole: 9_007_199_254_740_991, part: 0.5, flag: true, none: undefined })
  child.error_type = '503'
  child.end()
  parent.link(child, { why: 'test' })
  parent.end()
  const [sent_child, sent_parent] = [
    await receiver.find(({ name }) => name === 'child'),
    await receiver.find(({ name }) => name === 'parent'),
  ]
  const [{ headers, path, text }] = receiver.requests as [SpanReceiver['requests'][0]]
  assert.equal(path, '/v1/traces')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers.authorization, 'Bearer secret')
  const { resource, scopeSpans } = JSON.parse(text).resourceSpans[0]
  const { 'service.instance.id': instance, ...rest } = attributesOf(resource.attributes)
  assert.match(String(instance), /^[\da-f-]{36}$/)
  assert.deepEqual(rest, {
    region: 'eu',
    'service.name': 'florin',
    'service.version': '1.2.3',
    'florin.process': 'worker',
  })
  assert.deepEqual(scopeSpans[0].scope, { name: 'florin', version: '1.2.3' })
  assert.deepEqual(
    [sent_child.traceId, sent_child.parentSpanId, sent_child.kind, sent_child.status],
    [parent.trace_id, parent.span_id, 3, { code: 2 }],
  )
  assert.deepEqual(sent_child.attributes, {
    text: 'é"',
    whole: 9_007_199_254_740_991,
    part: 0.5,
    flag: true,
    'error.type': '503',
  })
  assert.deepEqual([sent_parent.parentSpanId, sent_parent.status], [undefined, {}])
  const { trace_id: traceId, span_id: spanId } = child
  assert.deepEqual(sent_parent.links, [{ traceId, spanId, attributes: { why: 'test' } }])
  assert.ok(sent_parent.start_ns <= sent_child.start_ns)
  assert.ok(sent_child.end_ns <= sent_parent.end_ns)
  assert.ok(Math.abs(Number(sent_parent.start_ns / 1_000_000n) - Date.now()) < 60_000)
  assert.deepEqual([reasons, tracing.countDropped()], [[], 0])
})

test('retries after an outage and reports it once', async (t) => {
  const { receiver, reasons, send, tracing } = await start(t)
  failWith(receiver, 503)
  send(3)
  await until(() => receiver.requests.length >= 3)
  recover(receiver)
  await until(() => receiver.spans.length === 3)
  assert.deepEqual(reasons, ['the collector returned 503'])
  assert.equal(tracing.countDropped(), 0)
  failWith(receiver, 429, { 'retry-after': '0' })
  send(1)
  await until(() => reasons.length === 2)
  recover(receiver)
  await until(() => receiver.spans.length === 4)
})

test('drops what a collector rejects, and counts it', async (t) => {
  const { receiver, reasons, send, tracing } = await start(t)
  failWith(receiver, 400)
  send(2)
  await until(() => tracing.countDropped() === 2)
  assert.equal(receiver.requests.length, 1)
  receiver.respond = (response) =>
    response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}')
  send(3)
  await until(() => tracing.countDropped() === 3)
  assert.deepEqual(reasons, ['the collector returned 400'], 'still the same outage')
  recover(receiver)
  send(1)
  await until(() => receiver.spans.length === 4)
  receiver.respond = (response) => response.end('{"partialSuccess":{"rejectedSpans":"1"}}')
  send(1)
  await until(() => reasons.length === 2)
  assert.deepEqual(reasons[1], 'the collector rejected 1 spans')
})

test('a collector that is down costs a bounded queue', async (t) => {
  const { receiver, reasons, send, tracing } = await start(t, { queue_max: 10, batch_max: 4 })
  failWith(receiver, 503)
  send(4)
  await until(() => receiver.requests.length > 0)
  send(25)
  assert.equal(tracing.countDropped(), 15, 'four are being sent and ten wait')
  recover(receiver)
  await until(() => receiver.spans.length === 14)
  assert.deepEqual(reasons, ['the collector returned 503'])
})

test('gives up on a batch after its last retry', async (t) => {
  const { receiver, send, tracing } = await start(t, { retries_max: 2, retry_ms: 1 })
  failWith(receiver, 502)
  send(5)
  await until(() => tracing.countDropped() === 5)
  assert.equal(receiver.requests.length, 3)
})

test('closing sends what is queued', async (t) => {
  const { receiver, send, tracing } = await start(t, { send_every_ms: 60_000 })
  send(2)
  await tracing.close()
  assert.equal(receiver.spans.length, 2)
  send(1)
  assert.equal(tracing.countDropped(), 1, 'a span that ends later')
})

test('closing does not wait for a collector that hangs', async (t) => {
  const { receiver, send, tracing } = await start(t, { close_ms: 50 })
  receiver.respond = () => {}
  send(2)
  await until(() => receiver.requests.length === 1)
  await tracing.close()
  assert.equal(tracing.countDropped(), 2)
})

test('an address without a server is an outage', async (t) => {
  const { receiver, reasons, send, tracing } = await start(t, { retries_max: 0 })
  await receiver.stop()
  send(1)
  await until(() => tracing.countDropped() === 1)
  assert.deepEqual(reasons, ['the collector did not respond: ECONNREFUSED'])
  receiver.stop = async () => {}
})
