// Limits on the size, keys and chunks of a body, by route. All are enforced before the body is
// parsed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertErrorShape, sendRaw } from '../support/raw.ts'
import { watchCall, watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const owner = await florin.people.owner()

const jsonType = { 'content-type': 'application/json' }

const send = watchCall(florin.db, sendBytes)

async function sendBytes(
  method: string,
  path: string,
  bytes: Uint8Array | ReadableStream,
  headers: Record<string, string> = jsonType,
): Promise<ApiResponse> {
  const init = { method, headers, body: bytes, duplex: 'half' }
  const response = await fetch(florin.url + path, init as RequestInit)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

function assertRejected(response: ApiResponse, status: number, about: string): void {
  assert.equal(response.status, status, `${about}: ${response.text}`)
  assertErrorShape(response, about)
  assert.equal(response.body.error, 'invalid_request', about)
}

const bearer = { ...jsonType, authorization: `Bearer ${owner.token}` }
const largest: [kib: number, method: string, path: string, headers: Record<string, string>][] = [
  [4, 'POST', '/v1/auth/login', jsonType],
  [4, 'POST', '/v1/auth/refresh', jsonType],
  [4, 'DELETE', '/v1/auth/session', bearer],
  [4, 'POST', '/dashboard/api/session', { ...jsonType, 'florin-dashboard': '1' }],
  [8, 'POST', '/v1/users', jsonType],
  [8, 'POST', '/v1/accounts', jsonType],
  [8, 'PATCH', '/v1/account', bearer],
  [32, 'POST', '/v1/api_keys', bearer],
  [32, 'POST', '/v1/webhook_endpoints', bearer],
  [128, 'POST', '/v1/transactions', bearer],
  [128, 'POST', '/v1/payments', bearer],
  [128, 'POST', '/v1/subscriptions', bearer],
  [1_024, 'POST', '/v1/transactions/bulk', bearer],
]

for (const [kib, method, path, headers] of largest) {
  test(`${method} ${path} accepts ${kib} KiB and returns 413 for one byte more`, async () => {
    const text = `{"name":"${'a'.repeat(kib * 1_024 - 11)}"}`
    const chunked = (bytes: string) => new Blob([bytes]).stream()
    assertRejected(await send(method, path, Buffer.from(text), headers), 400, 'it fits')
    // A chunked body has a few bytes of framing for each chunk.
    const smaller = text.replace('a'.repeat(64 + kib), '')
    assertRejected(await send(method, path, chunked(smaller), headers), 400, 'it fits in chunks')
    for (const body of [Buffer.from(`${text} `), chunked(`${text} `)]) {
      const response = await send(method, path, body, headers)
      assertRejected(response, 413, 'one byte more')
      const message = `The request body is too large. The maximum for this path is ${kib} KiB.`
      assert.equal(response.body.message, message)
    }
  })
}

const chunked_json = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

test('returns 413 for a body of thousands of tiny chunks before it ends', async () => {
  const head = 'POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\n'
  const bytes = `${head}${chunked_json}${'1\r\n \r\n'.repeat(1_000)}`
  const [response] = await sendRaw(florin.url, Buffer.from(bytes))
  assert.equal(response?.status, 413)
  assert.equal(response.headers.connection, 'close')
})

test('does not read a rejected chunked request to its end', async () => {
  for (const path of ['/nowhere', '/v1/account', '/v1/auth/login']) {
    const head = `PATCH ${path} HTTP/1.1\r\nHost: localhost\r\n`
    const bytes = `${head}${chunked_json}1\r\n \r\n`
    const [response] = await sendRaw(florin.url, Buffer.from(bytes))
    assert.ok([401, 404, 405].includes(response?.status ?? 0), path)
    assert.equal(response?.headers.connection, 'close', path)
  }
})

test('accepts as many metadata keys as 16 KiB hold, and no more', async () => {
  const make = (count: number) => {
    const keys = Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(36), 1]))
    const money = { account_id: owner.account_id, amount: 100, currency: 'USD', type: 'payment' }
    return { token: owner.token, body: { ...money, metadata: { keys } } }
  }
  const fits = await florin.call('POST', '/v1/transactions', make(1_900))
  assert.equal(fits.status, 201, fits.text)
  const many = await florin.call('POST', '/v1/transactions', make(3_200))
  assertRejected(many, 400, 'too many')
  assert.match(many.body.message, /has more than 3200 keys\.$/)
})

test('returns 413 for a body of 10 MiB, even without a token', async () => {
  const bytes = Buffer.alloc(10 * 1024 * 1024, 0x20)
  assertRejected(await send('PATCH', '/v1/account', bytes), 413, 'by Content-Length')
  assertRejected(await send('POST', '/v1/users', new Blob([bytes]).stream()), 413, 'in chunks')
})

test('limits the bytes and fields of a form', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const link = `/pay/${'x'.repeat(43)}`
  const statusOf = async (body: string) =>
    (await florin.call('POST', link, { body, headers: type })).status
  assert.equal(await statusOf('a=b&'.repeat(99)), 404)
  assert.equal(await statusOf('a=b&'.repeat(101)), 400)
  assert.equal(await statusOf('a'.repeat(4_097)), 413)
})
