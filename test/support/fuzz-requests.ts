// Generates requests from our OpenAPI document: most are nearly valid, some are hostile.

import fc from 'fast-check'
import { formats, sampleStatement } from '../bank/statements/write-samples.ts'
import { newPassword } from './secrets.ts'

// biome-ignore lint/suspicious/noExplicitAny: a schema has any depth and shape.
export type Json = any

export interface Operation {
  name: string
  method: string
  path: string
  /** The operation as the OpenAPI document describes it. */
  described: Json
}

/** Names of callers and ids are resolved when the request is sent, because users come and go. */
export interface FuzzRequest {
  /** The operation's name: method and path. */
  operation: string
  method: string
  token: string
  ids: string[]
  query: string
  headers: Record<string, string>
  body: string | undefined
  chunked: boolean
}

export const callers = ['admin', 'platform', 'owner', 'member', 'lone', 'none'] as const

export function operationsOf(description: Json): Operation[] {
  return Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      described,
    })),
  )
}

/** With `always` as the mix, only values that fit. */
export function fuzzRequest(operations: Operation[], mix = mostly): fc.Arbitrary<FuzzRequest> {
  const each = operations.map((operation) =>
    fc.record({
      operation: fc.constant(operation.name),
      method: mix(fc.constant(operation.method), fc.constantFrom(...otherMethods), 40),
      token: mix(fc.constantFrom(...callers), hostileText, 10),
      ids: fc.array(mix(knownId, hostileText, 4), { minLength: 2, maxLength: 2 }),
      query: queryOf(operation, mix),
      headers: mix === mostly ? headers : fc.constantFrom({}, { 'Florin-Account': 'account' }),
      body: bodyOf(operation, mix),
      chunked: fc.boolean(),
    }),
  )
  return fc.oneof(...each)
}

/** Generates a good value, or sometimes a bad one. */
type Mix = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>, ratio: number) => fc.Arbitrary<T>

const mostly: Mix = (good, bad, ratio) =>
  fc.oneof({ weight: ratio, arbitrary: good }, { weight: 1, arbitrary: bad })

export const always: Mix = (good) => good

const otherMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND']

const words = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  '__proto__',
  'constructor',
  'a\u0000b',
  'a\ud800b',
  '\udc00',
  '\u202e',
  '😀',
  '\ufeff',
  '\u0007',
  '\u0085',
  'İ',
  "' or 1=1 --",
  '%',
  '%_\\',
  '%ff',
  '%00',
  '../..',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'now',
  'infinity',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01',
  '1e309',
  'a'.repeat(300),
  'ß'.repeat(5_000),
]

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
  // Any UTF-16 code units, including unpaired surrogates.
  {
    weight: 2,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
      .map((units) => String.fromCharCode(...units)),
  },
)

/** Around the limits of doubles, PostgreSQL's bigint and integer, and amounts. */
const numbers = [
  ...[0, -0, -1, 1.5, 1e-7, 1e21, -1e21, 1e308, 0.1 + 0.2],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63],
  ...[999_999_999_999, 1_000_000_000_000],
]

/** Objects with members that JavaScript itself looks up. */
const confusing_objects: unknown[] = [
  '{"toString":1,"valueOf":1}',
  '{"toJSON":"x"}',
  '{"then":null}',
  '{"length":9007199254740992,"0":"x"}',
  '{"constructor":{"prototype":{}},"hasOwnProperty":0}',
].map((text) => JSON.parse(text))

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 7500, [], {}, [[]], ...numbers),
  },
  { weight: 1, arbitrary: fc.constantFrom(...confusing_objects) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
)

const people = ['admin', 'platform', 'owner', 'member', 'lone']
const knownId = fc.constantFrom(...people, 'account', 'foreign', 'unknown')

const headers = fc.dictionary(
  fc.constantFrom(
    'Florin-Account',
    'Idempotency-Key',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
    'Origin',
    'Cookie',
    'Accept',
    'Accept-Encoding',
    'Range',
    'If-None-Match',
    'User-Agent',
    'Upgrade-Insecure-Requests',
  ),
  mostly(fc.constantFrom('account', 'foreign', 'unknown', '*/*', 'DELETE'), hostileText, 2),
  { maxKeys: 3 },
)

type Pair = [name: string, value: unknown]

function queryOf({ described }: Operation, mix: Mix): fc.Arbitrary<string> {
  const parameters: Json[] = (described.parameters ?? []).filter((it: Json) => it.in === 'query')
  const pairOf = (parameter: Json): fc.Arbitrary<Pair> =>
    mix(fittingValue(schemaOf(parameter), parameter.name, mix), hostileValue, 3).map((value) => [
      parameter.name,
      value,
    ])
  const hostilePair: fc.Arbitrary<Pair> = fc.tuple(hostileText, hostileText)
  const required = parameters.filter((parameter) => parameter.required).map(pairOf)
  const pairs: fc.Arbitrary<Pair[]> =
    mix === mostly
      ? fc.array(fc.oneof(...parameters.map(pairOf), hostilePair), { maxLength: 4 })
      : fc.tuple(...required)
  const text = pairs.map((list) =>
    list.map(([name, value]) => `${percentEncode(name)}=${percentEncode(textOf(value))}`).join('&'),
  )
  return mix(text, hostileText, 12)
}

/** Never uses the object's own toString, which may be a generated value. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** In OpenAPI a parameter's example is next to its schema, not inside it. */
function schemaOf({ schema, example }: Json): Json {
  return example === undefined ? schema : { ...schema, examples: [example] }
}

/** Percent-encodes, including text that is not well-formed UTF-16. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function bodyOf({ described }: Operation, mix: Mix): fc.Arbitrary<string | undefined> {
  const content = described.requestBody?.content ?? {}
  const schema = content['application/json']?.schema
  const none = fc.constant(undefined)
  const raw = fc.oneof(
    hostileText,
    fc.json({ maxDepth: 3 }),
    fc.constantFrom('{', '{}', '[]', 'null', '{"a":1,"a":2}', '{"__proto__":1}', '['.repeat(5_000)),
    fc.constant(`{"name":"${'x'.repeat(140_000)}"}`),
  )
  if (content[file_type]) return mix<string | undefined>(bankFile, fc.oneof(raw, none), 3)
  if (schema === undefined) return mix<string | undefined>(none, raw, 13)
  const typed = objectOf(schema, mix).map((value) => JSON.stringify(value))
  return mix<string | undefined>(typed, fc.oneof(raw, none), 6)
}

const file_type = 'application/octet-stream'

/** The only files that are uploaded. */
const bankFile = fc
  .tuple(sampleStatement, fc.constantFrom(...Object.values(formats)))
  .map(([statement, write]) => write(statement))

export function contentTypeOf({ described }: Operation): string {
  return described.requestBody?.content[file_type] ? file_type : 'application/json'
}

function objectOf(schema: Json, mix: Mix): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries<Json>(schema.properties ?? {})
  const required: string[] = schema.required ?? []
  const fields = Object.fromEntries(
    entries.map(([name, field]) => {
      const value = mix(fittingValue(field, name, mix), hostileValue, 12)
      const absent = fc.constant(undefined)
      return [name, required.includes(name) ? mix(value, absent, 12) : mostly(value, absent, 1)]
    }),
  )
  const unknown_fields = fc.dictionary(hostileText, hostileValue, { maxKeys: 1 })
  const extra = mix(fc.constant({}), unknown_fields, 15)
  return fc.tuple(fc.record(fields), extra).map(([known, more]) => ({ ...known, ...more }))
}

export const goodPassword = newPassword()
let number = 0

/** Generates a value that fits its schema, as far as the schema shows. */
function fittingValue(schema: Json, name: string, mix: Mix): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.properties) return objectOf(schema, mix)
  if (schema.type === 'integer') return fc.integer({ min: 1, max: 200 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array' && schema.examples === undefined) {
    return fc.array(fittingValue(schema.items, name, mix), { minLength: 1, maxLength: 2 })
  }
  const examples = fc.constantFrom(...(schema.examples ?? ['abc']))
  // Hashing a password takes longer than a hundred other requests, so most are too short.
  if (name === 'password') return mostly(fc.constant('short'), fc.constant(goodPassword), 3)
  // Of the accounts in the test, if the example is another one.
  if (name === 'currency') return mix(fc.oneof(examples, fc.constant('USD')), fc.string(), 9)
  if (name === 'email') return fc.oneof(examples, fc.constant(0).map(newEmail))
  if (/_(after|before|from|to)$/.test(name)) {
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom('2020-01-01', '2030-01-01', 'owner', 'admin'),
    )
  }
  return mix(examples, fc.string({ maxLength: 20 }), 3)
}

function newEmail(): string {
  number += 1
  return `fuzz-${process.pid}-${number}@example.com`
}
