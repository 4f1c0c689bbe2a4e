// Florin's requests, read by programs of others: the decoder of the OpenTelemetry Collector, and
// the Python classes that are generated from the specification of OTLP.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { TransactionFixtures } from '../transactions/transaction-fixtures.ts'
import { startSpanReceiver } from './span-receiver.ts'

const receiver = await startSpanReceiver()
const florin = await startFlorin({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
after(() => receiver.stop())

const python = process.env.MONITORING_PYTHON ?? 'python3'

// OTLP writes ids as hex, and Protocol Buffers as base64. Everything else must parse as it is:
// unknown fields and wrong types are errors.
const python_script = `
import base64, json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
def convert(value):
    if isinstance(value, list):
        return [convert(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode()
        if key in ("traceId", "spanId", "parentSpanId") else convert(item)
        for key, item in value.items()
    }
def value_of(value):
    return getattr(value, value.WhichOneof("value"))
for line in sys.stdin:
    request = json_format.ParseDict(convert(json.loads(line)), ExportTraceServiceRequest())
    for resource_spans in request.resource_spans:
        service = {a.key: value_of(a.value) for a in resource_spans.resource.attributes}
        for scope_spans in resource_spans.scope_spans:
            for span in scope_spans.spans:
                print(json.dumps({
                    "service": service["service.name"],
                    "name": span.name,
                    "kind": span.kind,
                    "trace": span.trace_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "ms": (span.end_time_unix_nano - span.start_time_unix_nano) / 1e6,
                    "attributes": {a.key: value_of(a.value) for a in span.attributes},
                    "links": len(span.links),
                }))
`

interface Decoder {
  command: string
  args: string[]
  /** Fails if the decoder is not installed. */
  probe: string[]
}

const decoders: Record<string, Decoder> = {
  'the Python classes of OTLP': {
    command: python,
    args: ['-c', python_script],
    probe: ['-c', 'import opentelemetry.proto.trace.v1.trace_pb2'],
  },
  // Built from test/tracing/otlp-decoder.
  'the decoder of the OpenTelemetry Collector': {
    command: process.env.OTLP_DECODER ?? 'otlp-decoder',
    args: [],
    probe: [],
  },
}

interface DecodedSpan {
  service: string
  name: string
  kind: number
  trace: string
  parent: string
  ms: number
  attributes: Record<string, unknown>
  links: number
}

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent_id = '00f067aa0ba902b7'
const headers = { traceparent: `00-${trace_id}-${parent_id}-01` }
const isRequest = ({ traceId, kind }: { traceId: string; kind: number }) =>
  traceId === trace_id && kind === 2

const till = new TransactionFixtures(florin, await florin.people.admin())
const shop = await till.shop()
await Promise.all(Array.from({ length: 8 }, () => till.create(shop, {}, { headers })))
await receiver.find(() => receiver.spans.filter(isRequest).length === 8)

for (const [name, { command, args, probe }] of Object.entries(decoders)) {
  test(`${name} can read the requests`, (t) => {
    if (spawnSync(command, probe).status !== 0) {
      return t.skip('it is not installed: see CONTRIBUTING.md')
    }
    const input = receiver.requests.map(({ text }) => text).join('\n')
    const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const spans: DecodedSpan[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(spans.length, receiver.spans.length)
    const requests = spans.filter(({ trace, kind }) => trace === trace_id && kind === 2)
    assert.equal(requests.length, 8)
    for (const { ms, attributes, ...others } of requests) {
      assert.deepEqual(others, {
        service: 'florin',
        name: 'POST /v1/transactions',
        kind: 2,
        trace: trace_id,
        parent: parent_id,
        // To the event that the request caused.
        links: 1,
      })
      assert.equal(attributes['http.response.status_code'], 201)
      assert.ok(ms > 0 && ms < 60_000, String(ms))
    }
    assert.ok(spans.some((span) => span.name === 'lane flush' && span.links > 1))
  })
}
