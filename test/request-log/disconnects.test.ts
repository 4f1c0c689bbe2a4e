// A request whose client disconnects is logged like any other: one line in the log and one entry in
// the request log, with the status that the client would have received.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../src/http/app.ts'
import { call } from '../support/call.ts'
import { patient, startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import {
  holdLock,
  openTransactionFixtures,
  type Shop,
  waitForWaiters,
} from '../transactions/transaction-fixtures.ts'

interface Line {
  msg?: string
  route: string | null
  status: number
  aborted?: boolean
}

const florin = await startFlorin()
const fixtures = await openTransactionFixtures(florin)
const lines: Line[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const { db, config } = florin
const app = await buildApp({ db, log, config, version: '0.0.0-test', lane_options: patient })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
after(() => app.close())

function begin(shop: Shop, requests: string[]): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const token = `Authorization: Bearer ${shop.token}\r\n`
  for (const request of requests) socket.write(request.replace('@', token))
  return socket.on('error', () => {})
}

function create(shop: Shop, length?: number): string {
  const money = { account_id: shop.account_id, amount: 7500, currency: 'USD', type: 'payment' }
  const body = JSON.stringify(money)
  const head = `POST /v1/transactions HTTP/1.1\r\nHost: localhost\r\n@`
  const type = 'Content-Type: application/json\r\n'
  return `${head}${type}Content-Length: ${length ?? body.length}\r\n\r\n${body}`
}

const ofRoute = (route: string) => lines.filter((line) => line.route === route)

async function entriesOf({ token }: Shop): Promise<{ status: number; path: string }[]> {
  const response = await call(url, 'GET', '/v1/request_logs', { token })
  return response.body.data
}

async function entriesUntil(shop: Shop, count: number) {
  await until(async () => (await entriesOf(shop)).length >= count)
  return (await entriesOf(shop)).map(({ status }) => status)
}

test('logs a change once with 201 if the client disconnects before the response', async () => {
  lines.length = 0
  const shop = await fixtures.shop()
  const release = await holdLock(florin, shop)
  const socket = begin(shop, [create(shop)])
  await waitForWaiters(florin)
  socket.resetAndDestroy()
  await new Promise((resolve) => socket.once('close', resolve))
  await release()
  await until(() => ofRoute('/v1/transactions').length > 0)
  assert.deepEqual(await entriesUntil(shop, 1), [201])
  const [line, ...more] = ofRoute('/v1/transactions')
  assert.deepEqual([line?.status, line?.aborted, more], [201, true, []])
  assert.equal(await fixtures.count(shop), 1)
})

test('logs a request once with 400 if the client disconnects during the body', async () => {
  lines.length = 0
  const shop = await fixtures.shop()
  const socket = begin(shop, [create(shop, 4_000)])
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.resetAndDestroy()
  await until(() => ofRoute('/v1/transactions').length > 0)
  assert.deepEqual(await entriesUntil(shop, 1), [400])
  assert.equal(ofRoute('/v1/transactions').length, 1)
})

test('logs a stream once after the client disconnects', async () => {
  lines.length = 0
  const shop = await fixtures.shop()
  const head = 'GET /v1/events/stream HTTP/1.1\r\nHost: localhost\r\n@\r\n'
  const socket = begin(shop, [head])
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resetAndDestroy()
  await until(() => ofRoute('/v1/events/stream').length > 0)
  assert.deepEqual(await entriesUntil(shop, 1), [200])
  assert.equal(ofRoute('/v1/events/stream').length, 1)
})

test('does not mark a request as aborted if the client gets the response', async () => {
  lines.length = 0
  const shop = await fixtures.shop()
  const socket = begin(shop, [create(shop), create(shop)])
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await until(() => text.split('HTTP/1.1 201').length === 3)
  socket.destroy()
  assert.deepEqual(await entriesUntil(shop, 2), [201, 201])
  const logged = ofRoute('/v1/transactions').map(({ status, aborted }) => [status, aborted])
  assert.deepEqual(logged, [
    [201, undefined],
    [201, undefined],
  ])
})
