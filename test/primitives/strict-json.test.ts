import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonFault, parseStrictJson } from '../../src/primitives/strict-json.ts'

test('parses any JSON value like JSON.parse', () => {
  const spaced = fc.tuple(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 1, 2, '\t', '\n'))
  fc.assert(
    fc.property(spaced, ([json, space]) => {
      const text = JSON.stringify(JSON.parse(json), null, space)
      fc.pre(!text.includes('__proto__'))
      assert.deepStrictEqual(parse(text), JSON.parse(text))
    }),
    { numRuns: 2000 },
  )
})

test('rejects what JSON.parse rejects', () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '"b"', '"\\u0061"', '1', '-', '0', '.5'],
    ...['e', 'true', 'nul', 'null', ' ', '\n', '\t', '\u0001', 'é', '\u2028', '\ufeff', '{}', '[]'],
  )
  const scrambled = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(scrambled, (text) => {
      let good = true
      try {
        JSON.parse(text)
      } catch {
        good = false
      }
      if (good) parseOrDuplicate(text)
      else assert.throws(() => parse(text), JsonFault)
    }),
    { numRuns: 5_000 },
  )
})

test('accepts a value that is not an object', () => {
  for (const text of ['null', 'true', ' 1 ', '"a"', '[]', '{}', '-0', '7.5e3', '1e999']) {
    assert.deepStrictEqual(parse(text), JSON.parse(text))
  }
})

test('parses only the bytes of a view into a larger buffer', () => {
  const memory = new TextEncoder().encode('xx{"a":1}xx')
  assert.deepEqual(parseStrictJson(memory.subarray(2, 9)), { a: 1 })
})

test('rejects a duplicate key with its position, in any spelling', () => {
  rejects('{"a":1,"a":1}', /line 1, column 8: the key "a" appears twice/)
  rejects('{"a":1,"\\u0061":2}', /the key "a" appears twice/)
  rejects('{"é":1,"\\u00e9":2}', /the key "é" appears twice/)
  rejects('[{"b":{"c":1,\n  "d":2, "c":3}}]', /line 2, column 10: the key "c" appears twice/)
  rejects('{"":1,"":2}', /the key "" appears twice/)
  rejects('{"amount":1,"x":{"amount":2},"amount":3}', /column 30: the key "amount"/)
})

test('accepts the same key in different objects', () => {
  const text = '{"a":{"a":[{"a":1},{"a":"a\\":"}]},"b":"{\\"a\\":1,\\"a\\":1}","c:":":"}'
  assert.deepStrictEqual(parse(text), JSON.parse(text))
})

test('shortens a long key in the message', () => {
  const key = 'k'.repeat(10_000)
  const fault = rejects(`{"${key}":1,"${key}":2}`, /appears twice/)
  assert.ok(fault.message.length < 200)
})

test('rejects keys that could set a prototype, at any depth and in any spelling', () => {
  rejects('{"__proto__":1}', /column 2: the key "__proto__" is not allowed/)
  rejects('{"a":[{"__proto__":{"x":1}}]}', /"__proto__" is not allowed/)
  rejects('{"\\u005f_proto__":null}', /"__proto__" is not allowed/)
  rejects('{"constructor":{"prototype":{}}}', /"constructor" must not contain a "prototype"/)
  rejects('[[{"constructor":{"a":1,"prototype":null}}]]', /"constructor" must not contain/)
  rejects('{"\\u0063onstructor":{"\\u0070rototype":1}}', /"constructor" must not contain/)
  for (const text of ['{"constructor":"Bob"}', '{"constructor":{"a":{"prototype":1}}}']) {
    assert.deepStrictEqual(parse(text), JSON.parse(text))
  }
  assert.deepStrictEqual(parse('{"prototype":1,"proto":"__proto__"}'), {
    prototype: 1,
    proto: '__proto__',
  })
})

test('rejects more than 32 levels, or the limit of the caller', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.doesNotThrow(() => parse(nested(32)))
  rejects(nested(33), /column 33: nesting is deeper than 32 levels/)
  rejects(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, /deeper than 32 levels/)
  assert.doesNotThrow(() => parseStrictJson(Buffer.from(nested(8)), { depth_max: 8 }))
  assert.throws(() => parseStrictJson(Buffer.from(nested(9)), { depth_max: 8 }), JsonFault)
})

test('rejects 100,000 brackets quickly', () => {
  const started = process.threadCpuUsage()
  for (const opener of ['[', '{"a":', '[{"a":', '{]']) {
    assert.throws(() => parse(opener.repeat(100_000)), JsonFault)
  }
  assert.throws(() => parse('['.repeat(100_000) + ']'.repeat(100_000)), JsonFault)
  assert.ok(process.threadCpuUsage(started).user < 1_000_000)
})

test('rejects 60,000 keys with a duplicate at the end in linear time', () => {
  const members = Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')
  const started = process.threadCpuUsage()
  rejects(`{${members},"k5":1}`, /the key "k5" appears twice/)
  assert.ok(process.threadCpuUsage(started).user < 2_000_000)
})

test('rejects more keys than the caller allows, at any depth', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `"${n}":":"`).join()
  const parse = (text: string) => parseStrictJson(Buffer.from(text), { keys_max: 5 })
  assert.equal(Object.keys(parse(`{${keys(5)}}`) as object).length, 5)
  assert.throws(() => parse(`{${keys(6)}}`), { message: 'The JSON has more than 5 keys.' })
  assert.throws(() => parse(`[{${keys(3)}},{${keys(3)}}]`), /more than 5 keys/)
})

test('rejects invalid UTF-8 with its position', () => {
  rejects(Buffer.from([0x22, 0xff, 0x22]), /not valid UTF-8 at byte 1/)
  rejects(Buffer.from([0x22, 0xef, 0xbf, 0xbd, 0xc3, 0xa9, 0xed, 0xa0, 0x80]), /at byte 6/)
  rejects(Buffer.from([0x22, 0xc3]), /at byte 1/)
  rejects(Buffer.from('\ufeff{"a":1}', 'utf16le'), /not valid UTF-8 at byte 0/)
})

test('accepts a replacement character in the input', () => {
  assert.equal(parse('"\ufffd"'), '\ufffd')
})

test('rejects a byte order mark', () => {
  rejects('\ufeff{}', /byte order mark/)
})

test('rejects UTF-16 without a byte order mark', () => {
  rejects(Buffer.from('{"a":1}', 'utf16le'), /column 2/)
})

test('reports empty input', () => {
  for (const text of ['', ' ', '\r\n\t ']) rejects(text, /empty/)
})

test('reports the position and what was expected', () => {
  const faults = [
    ['{"a":}', 6, 'a value is expected'],
    ['[1,]', 4, 'a value is expected'],
    ['NaN', 1, 'a value is expected'],
    ['Infinity', 1, 'a value is expected'],
    ["{'a':1}", 2, 'a key in double quotes is expected'],
    ['{"a":1,}', 8, 'a key in double quotes is expected'],
    ['{"a" 1}', 6, 'a colon is expected'],
    ['{"a":1 "b":2}', 8, 'a comma or } is expected'],
    ['[1 2]', 4, 'a comma or ] is expected'],
    ['{"a":1', 7, 'a comma or } is expected'],
    ['{} x', 4, 'unexpected text after the JSON value'],
    ['01', 2, 'unexpected text after the JSON value'],
    ['["abc', 2, 'a string is not terminated'],
    ['"a\nb"', 3, 'a control character in a string must be escaped'],
    ['"\\x"', 2, 'an invalid escape sequence'],
    ['"\\u12g4"', 2, 'an invalid escape sequence'],
    ['[\u00a01]', 2, 'a value is expected'],
    ['/* */ {}', 1, 'a value is expected'],
  ] as const
  for (const [text, column, what] of faults) {
    const fault = rejects(text, /./)
    assert.ok(fault.message.includes(`line 1, column ${column}: `), `${text}: ${fault.message}`)
    assert.ok(fault.message.includes(what), `${text}: ${fault.message}`)
  }
})

test('rejects a fraction that would be rounded to a whole number', () => {
  const lossy = [
    '0.99999999999999999',
    '100.00000000000000001',
    '999999999999.00001',
    '-7.9999999999999999',
  ]
  for (const number of [...lossy, '99999999999999999e-17', '1000000000000000001e-2']) {
    rejects(`{"amount":${number}}`, /column 11: a number has more digits than can be represented/)
  }
  const whole = ['1.00000000000000000', '12345678901234567890', '100000000000000000e-15', '5e3']
  for (const number of [...whole, '0.12345678901234567', '"0.99999999999999999"', '1e-400']) {
    assert.equal(parse(number), JSON.parse(number), number)
  }
})

test('a message never contains a value', () => {
  for (const text of [
    '{"password": hunter2}',
    '{"password":"hunter2}',
    '{"password":"hunter2" x}',
  ]) {
    const fault = rejects(text, /Invalid JSON at line 1/)
    assert.ok(!fault.message.includes('hunter'))
    assert.equal(fault.cause, undefined)
  }
})

test('accepts lone surrogates, which field validation rejects', () => {
  assert.equal(parse('"\\ud800"'), '\ud800')
})

function parse(text: string): unknown {
  return parseStrictJson(Buffer.from(text))
}

function parseOrDuplicate(text: string): void {
  try {
    assert.deepStrictEqual(parse(text), JSON.parse(text))
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    assert.match(error.message, /appears twice|byte order mark/)
  }
}

function rejects(source: string | Buffer, message: RegExp): JsonFault {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source
  try {
    parseStrictJson(bytes)
  } catch (error) {
    assert.ok(error instanceof JsonFault)
    assert.match(error.message, message)
    return error
  }
  return assert.fail('the text was accepted')
}
