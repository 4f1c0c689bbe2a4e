// Every operation of the OpenAPI document has a method that makes exactly that request.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { methodNames, nameOf } from '../../client/generator/method-names.ts'
import { type OpenApi, type Operation, operationsOf } from '../../client/generator/openapi.ts'
import { Florin } from '../../client/src/florin.ts'

const file = new URL('../../docs/reference/openapi.json', import.meta.url)
const operations = operationsOf(JSON.parse(readFileSync(file, 'utf8')) as OpenApi)

type Method = (...args: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>
interface SeenRequest {
  method: string
  path: string
  headers: Headers
}

/** A client that records its requests instead of sending them. */
function recordingClient(): { florin: Florin; seen: SeenRequest[] } {
  const seen: SeenRequest[] = []
  const florin = new Florin({
    base_url: 'http://127.0.0.1:1/below',
    tokens: { access_token: 'fat_a', refresh_token: 'frt_b' },
    account: 'acct_default',
    fetch: async (url, { method, headers }) => {
      const { pathname } = new URL(url)
      seen.push({ method: method!, path: pathname, headers: new Headers(headers) })
      const is_stream = pathname.endsWith('/stream')
      return new Response(is_stream ? 'data: {"sequence":1}\n\n' : '{"data":[],"has_more":false}')
    },
  })
  return { florin, seen }
}

function argumentsOf(operation: Operation): unknown[] {
  const body = operation.body === undefined ? [] : [{}]
  const file = operation.takes_file ? ['a file'] : []
  return [...operation.path_names.map(() => 'an id/?'), ...body, ...file]
}

for (const operation of operations) {
  const { resource, method } = nameOf(operation.id)
  test(`florin.${resource}.${method} is ${operation.method} ${operation.path}`, async () => {
    const { florin, seen } = recordingClient()
    const calls = florin[resource as keyof Florin] as unknown as Record<string, Method>
    const result = calls[method]!(...argumentsOf(operation))
    if (operation.responses['text/event-stream']) await result[Symbol.asyncIterator]().next()
    else await result
    const [first, ...more] = seen.filter(({ path }) => path !== '/below/v1/events')
    const request = operation.id === 'listEvents' ? seen[0]! : first!
    assert.deepEqual(more, [])
    assert.equal(request.method, operation.method)
    assert.equal(request.path, `/below${operation.path.replaceAll(/\{\w+\}/g, 'an%20id%2F%3F')}`)
    assertHeaders(request.headers, operation)
  })
}

function assertHeaders(headers: Headers, operation: Operation): void {
  assert.equal(headers.get('authorization'), operation.takes_token ? 'Bearer fat_a' : null)
  assert.equal(headers.get('florin-account'), operation.takes_account ? 'acct_default' : null)
  const key = headers.get('idempotency-key')
  if (operation.takes_idempotency_key) assert.match(key!, /^[0-9a-f]{32}$/)
  else assert.equal(key, null)
  const json = operation.body === undefined ? null : 'application/json'
  const type = operation.takes_file ? 'application/octet-stream' : json
  assert.equal(headers.get('content-type'), type)
}

test('method names match the operations and are unique', () => {
  const ids = operations.map(({ id }) => id).sort()
  assert.deepEqual(Object.keys(methodNames).sort(), ids)
  assert.equal(new Set(Object.values(methodNames)).size, ids.length)
})

test('the generator fails for an operation without a method name', () => {
  assert.throws(() => nameOf('makeCoffee'), /makeCoffee.*client\/generator\/method-names\.ts/)
})

test('rejects an unset id before anything is sent', async () => {
  const { florin, seen } = recordingClient()
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    assert.throws(() => florin.transactions.get(id), /^TypeError: "transaction_id" must be an id/)
  }
  assert.deepEqual(seen, [])
})
