// Hundreds of slow clients do not delay other clients, and each one is disconnected. The
// production timeouts are asserted; the tests themselves use shorter ones.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import { assertErrorShape, connect, parseResponses, type RawResponse } from '../support/raw.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()
const { server } = florin.app

test('the server has the expected timeouts', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server
  assert.deepEqual(
    { headersTimeout, requestTimeout, keepAliveTimeout, timeout },
    { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 72_000, timeout: 60_000 },
  )
  assert.ok(server.maxRequestsPerSocket === 0 || server.maxRequestsPerSocket === null)
})

interface SlowClient {
  socket: Socket
  ended: Promise<RawResponse[]>
}

const timers = new Set<NodeJS.Timeout>()
after(() => {
  for (const timer of timers) clearInterval(timer)
})

/** Sends the beginning, then a small piece of the rest at intervals, and reads the responses. */
function dribble(beginning: string, piece: string): SlowClient {
  const socket = connect(florin.url)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  if (beginning !== '') socket.write(beginning)
  const timer = setInterval(() => socket.writable && piece !== '' && socket.write(piece), 200)
  timers.add(timer)
  const ended = new Promise<RawResponse[]>((resolve) => {
    const settle = () => {
      clearInterval(timer)
      timers.delete(timer)
      socket.destroy()
      resolve(parseResponses(text))
    }
    socket.on('end', settle)
    socket.on('close', settle)
  })
  return { socket, ended }
}

const slowHeaders = () => dribble('GET /livez HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n')
const json = 'Content-Type: application/json\r\n'
const slowBody = () =>
  dribble(`POST /v1/users HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 1000\r\n\r\n{`, ' ')
const slowChunks = () =>
  dribble(
    `POST /v1/users HTTP/1.1\r\nHost: localhost\r\n${json}Transfer-Encoding: chunked\r\n\r\n`,
    '1\r\n \r\n',
  )
const silent = () => dribble('', '')
const unreadBody = () =>
  dribble(`POST /nowhere HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 100000\r\n\r\n`, ' ')

const many = (count: number, make: () => SlowClient) => Array.from({ length: count }, make)

test('400 slow clients delay no one and are all disconnected', async () => {
  const before = await hashDatabase(florin.db.pool)
  const headers = many(200, slowHeaders)
  const bodies = many(100, slowBody)
  const chunks = many(100, slowChunks)
  const silents = many(20, silent)
  const unread = many(20, unreadBody)

  const calls = Array.from({ length: 100 }, () =>
    florin.call('GET', '/v1/account', { token: owner.token }),
  )
  for (const response of await Promise.all(calls)) assert.equal(response.status, 200)
  const slow = [...headers, ...bodies, ...chunks, ...silents, ...unread]
  const open = slow.filter((client) => !client.socket.destroyed)
  assert.ok(open.length > 200, `only ${open.length} were still slow: nothing was tested`)

  // They have been slow for a while, but not long enough for a busy machine to have ended
  // them.
  server.headersTimeout = 3_000
  server.requestTimeout = 3_500
  const ended = await Promise.all([...headers, ...bodies, ...chunks].map((client) => client.ended))
  assert.equal(ended.length, 400)
  for (const responses of ended) {
    assert.equal(responses.length, 1)
    assert.equal(responses[0]!.status, 408)
    assertErrorShape(responses[0]!, 'slow')
    assert.equal(responses[0]!.headers.connection, 'close')
  }
  for (const responses of await Promise.all(silents.map((client) => client.ended))) {
    assert.ok(responses.every((response) => response.status === 408))
  }
  for (const responses of await Promise.all(unread.map((client) => client.ended))) {
    assert.equal(
      responses[0]?.status,
      404,
      'an error that does not need the body is sent before it arrives',
    )
  }
  assert.deepEqual(await hashDatabase(florin.db.pool), before)
  countRefusals(slow.length)
  assert.equal((await florin.call('GET', '/livez')).status, 200)
})

test('disconnects a client that never reads its responses', async () => {
  const before = await countConnections()
  server.setTimeout(1_000)
  // Counted on connect: on a busy machine the first may be closed before the last connects.
  let connected = 0
  const countConnection = () => {
    connected += 1
  }
  server.on('connection', countConnection)
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connect(florin.url)
    socket.on('error', () => {})
    // Far more than the socket buffers hold.
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(400))
    return socket
  })
  try {
    await until(async () => connected >= sockets.length)
    await until(async () => (await countConnections()) <= before)
  } finally {
    server.off('connection', countConnection)
    for (const socket of sockets) socket.destroy()
  }
})

test('closes an idle connection after the keep-alive timeout', async () => {
  server.keepAliveTimeout = 300
  const socket = connect(florin.url)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const ended = new Promise((resolve) => socket.on('end', resolve))
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await ended
  socket.destroy()
  assert.deepEqual(
    parseResponses(text).map((response) => response.status),
    [200],
  )
})

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const give_up_at = Date.now() + 20_000
  while (!(await holds())) {
    assert.ok(Date.now() < give_up_at, 'the condition was never met')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
