import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newEventId } from '../../src/events/event-id.ts'
import {
  eventTrace,
  isWithinRatio,
  newSpanId,
  newTraceId,
  parseTraceparent,
  traceparentOf,
} from '../../src/tracing/trace-context.ts'

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const span_id = '00f067aa0ba902b7'

// The first and the last two are the examples of the W3C recommendation.
const accepted: [string, boolean][] = [
  [`00-${trace_id}-${span_id}-01`, true],
  [`00-${trace_id}-${span_id}-03`, true],
  [`00-${trace_id}-${span_id}-02`, false],
  [`00-${trace_id}-${span_id}-00`, false],
  [`cc-${trace_id}-${span_id}-01-what-the-future-will-be-like`, true],
  [`cc-${trace_id}-${span_id}-01`, true],
]

for (const [value, is_sampled] of accepted) {
  test(`accepts ${value}`, () => {
    assert.deepEqual(parseTraceparent(value), { trace_id, span_id, is_sampled })
  })
}

const ignored = [
  undefined,
  '',
  `00-${trace_id}-${span_id}`,
  `00-${trace_id}-${span_id}-01-more`,
  `00-${trace_id}-${span_id}-01-`,
  `cc-${trace_id}-${span_id}-01.more`,
  `ff-${trace_id}-${span_id}-01`,
  `00-${trace_id.toUpperCase()}-${span_id}-01`,
  `00-${'0'.repeat(32)}-${span_id}-01`,
  `00-${trace_id}-${'0'.repeat(16)}-01`,
  `00-${trace_id.slice(1)}-${span_id}-01`,
  `00-${trace_id}-${span_id}-1`,
  ` 00-${trace_id}-${span_id}-01`,
  `00-${trace_id}-${span_id}-01\n`,
  // Node.js joins repeated headers.
  `00-${trace_id}-${span_id}-01, 00-${trace_id}-${span_id}-01`,
]

for (const value of ignored) {
  test(`ignores ${JSON.stringify(value)}`, () => {
    assert.equal(parseTraceparent(value), undefined)
  })
}

test('a header that is written is read again, and an altered one has no other ids', () => {
  const context = { trace_id: newTraceId(), span_id: newSpanId() }
  const header = traceparentOf(context)
  assert.deepEqual(parseTraceparent(header), { ...context, is_sampled: true })
  const altered = fc.tuple(fc.nat(header.length - 1), fc.string({ maxLength: 2 }))
  fc.assert(
    fc.property(altered, ([at, text]) => {
      const found = parseTraceparent(header.slice(0, at) + text + header.slice(at + 1))
      if (found === undefined) return
      assert.match(found.trace_id, /^(?!0{32})[\da-f]{32}$/)
      assert.match(found.span_id, /^(?!0{16})[\da-f]{16}$/)
    }),
  )
})

test('the trace of an event follows from its id', () => {
  const event_id = newEventId(new Date(), 7)
  const found = eventTrace(event_id)
  assert.deepEqual(eventTrace(event_id), found)
  assert.notEqual(eventTrace(newEventId(new Date(), 8)).trace_id, found.trace_id)
  assert.notEqual(parseTraceparent(traceparentOf(found)), undefined)
})

test('a ratio selects its share of the traces, and always the same ones', () => {
  const at = new Date()
  const random = Array.from({ length: 4_000 }, newTraceId)
  const of_events = random.map((_, sequence) => eventTrace(newEventId(at, sequence)).trace_id)
  for (const ids of [random, of_events]) {
    const tenth = ids.filter((id) => isWithinRatio(id, 0.1))
    assert.ok(tenth.length > 280 && tenth.length < 540, `${tenth.length} of 4000`)
    assert.deepEqual(
      tenth.filter((id) => !isWithinRatio(id, 0.2)),
      [],
    )
  }
  assert.equal(random.filter((id) => isWithinRatio(id, 0)).length, 0)
  assert.equal(random.filter((id) => isWithinRatio(id, 1)).length, random.length)
})
