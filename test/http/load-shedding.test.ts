// Under overload, changes that use a lane are rejected before any work is done for them. All
// other requests are served, and changes are accepted again when there is room.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { pino } from 'pino'
import { makeServer } from '../../src/http/http-server.ts'
import { body_max_bytes } from '../../src/http/json-body.ts'
import { Shedding } from '../../src/http/shedding.ts'

const pending: FastifyReply[] = []
const lines: { msg: string; rejected: number }[] = []
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
const shedding = new Shedding(log, { in_lanes_max: 2 })
const app = Fastify({
  serverFactory: (handler) => makeServer(handler, undefined, shedding),
}) as unknown as FastifyInstance
shedding.watch(app)
let begun = 0
app.decorateRequest('item_count', 1)
app.addHook('preParsing', async (request) => {
  if (request.headers['content-length'] === '100') begun += 1
  // The parser of bodies sets it.
  request.item_count = Number(request.headers['x-items'] ?? 1)
})
const lane = { token: 'required', operation: 'create_transaction', lane: 'transactions' } as const
for (const [method, url, bodyLimit] of [
  ['POST', '/v1/transactions', body_max_bytes.metadata],
  ['DELETE', '/v1/transactions/:transaction_id', body_max_bytes.ordinary],
  ['POST', '/v1/transactions/bulk', body_max_bytes.bulk],
] as const) {
  app.route({
    method,
    url,
    bodyLimit,
    config: { access: lane },
    handler: (_, reply) => {
      pending.push(reply)
    },
  })
}
app.get('/v1/transactions', async () => 'read')
app.post('/v1/users', async () => 'made')
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

const call = (method: string, path: string, signal?: AbortSignal) =>
  fetch(origin + path, { method, ...(signal && { signal }) })

async function waitFor(truth: () => boolean): Promise<void> {
  while (!truth()) await new Promise((done) => setTimeout(done, 5))
}

test('returns 503 for changes while the lanes are full, and serves all else', async () => {
  const inside = [call('POST', '/v1/transactions'), call('DELETE', '/v1/transactions/txn_1')]
  await waitFor(() => pending.length === 2)
  for (const [method, path] of [
    ['POST', '/v1/transactions'],
    ['DELETE', '/v1/transactions/txn_2'],
  ] as const) {
    const refused = await call(method, path)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(refused.headers.get('cache-control'), 'no-store')
    assert.match(refused.headers.get('request-id') ?? '', /^req_[0-9a-z]{26}$/)
    assert.deepEqual(await refused.json(), {
      error: 'unavailable',
      message: 'Florin is too busy right now. Try again shortly.',
    })
  }
  assert.equal((await call('GET', '/v1/transactions')).status, 200)
  assert.equal((await call('POST', '/v1/users')).status, 200)
  assert.equal(pending.length, 2, 'no handler ran for rejected requests')
  for (const reply of pending.splice(0)) reply.send('done')
  assert.deepEqual(
    (await Promise.all(inside)).map((response) => response.status),
    [200, 200],
  )
})

test('completed and disconnected requests free their slots', async () => {
  for (let round = 0; round < 3; round++) {
    const gone = new AbortController()
    const lost = call('POST', '/v1/transactions', gone.signal).catch(() => 'disconnected')
    const stays = call('POST', '/v1/transactions')
    await waitFor(() => pending.length === 2)
    gone.abort()
    assert.equal(await lost, 'disconnected')
    for (const reply of pending.splice(0)) reply.send('done')
    assert.equal((await stays).status, 200)
  }
})

test('logs the number of rejected requests once per second', async () => {
  const sum = () => lines.reduce((all, { rejected }) => all + Number(rejected), 0)
  await waitFor(() => sum() >= 2)
  assert.equal(sum(), 2)
  for (const { msg } of lines) assert.equal(msg, 'overloaded: requests rejected')
  const before = lines.length
  const inside = [call('POST', '/v1/transactions'), call('POST', '/v1/transactions')]
  await waitFor(() => pending.length === 2)
  const started = performance.now()
  for (let n = 0; n < 20; n++) await call('POST', '/v1/transactions')
  await waitFor(() => sum() >= 22)
  const seconds = (performance.now() - started) / 1_000
  assert.equal(sum(), 22)
  assert.ok(lines.length - before <= 1 + seconds, `${lines.length - before} in ${seconds} s`)
  for (const reply of pending.splice(0)) reply.send('done')
  await Promise.all(inside)
})

const bulk_path = '/v1/transactions/bulk'
const two_items = { 'x-items': '2' }

test('a bulk request counts as its items, and frees all of them', async () => {
  for (const end of ['response', 'disconnect', 'response'] as const) {
    const gone = new AbortController()
    const bulk = fetch(origin + bulk_path, {
      method: 'POST',
      headers: two_items,
      signal: gone.signal,
    })
    const outcome = bulk.then(({ status }) => status).catch(() => 'disconnected')
    await waitFor(() => pending.length === 1)
    assert.equal((await call('POST', '/v1/transactions')).status, 503)
    const replies = pending.splice(0)
    const closed = once(replies[0]!.raw, 'close')
    if (end === 'disconnect') gone.abort()
    else for (const reply of replies) reply.send('done')
    await closed
    assert.equal(await outcome, end === 'disconnect' ? 'disconnected' : 200)
    const next = call('POST', '/v1/transactions')
    await waitFor(() => pending.length === 1)
    for (const reply of pending.splice(0)) reply.send('done')
    assert.equal((await next).status, 200)
  }
})

test('a client that does not read the response of a bulk request blocks no other', async (t) => {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  t.after(() => socket.destroy())
  socket.write(`POST ${bulk_path} HTTP/1.1\r\nHost: localhost\r\nX-Items: 2\r\n\r\n`)
  await waitFor(() => pending.length === 1)
  const [reply] = pending.splice(0)
  // More than the buffers of a connection can hold.
  reply!.send('a'.repeat(50_000_000))
  const next = call('POST', '/v1/transactions')
  await Promise.race([next, waitFor(() => pending.length === 1)])
  for (const other of pending.splice(0)) other.send('done')
  assert.equal((await next).status, 200)
  assert.equal(reply!.raw.writableFinished, false, 'the response is still being sent')
})

test('slow bodies do not count against the limit', async (t) => {
  const { port } = app.server.address() as AddressInfo
  const head =
    'POST /v1/transactions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const slow = [1, 2, 3, 4].map(() => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`${head}Content-Length: 100\r\n\r\n{`)
    return socket
  })
  t.after(() => {
    for (const socket of slow) socket.destroy()
  })
  await waitFor(() => begun === 4)
  const whole = call('POST', '/v1/transactions')
  await Promise.race([whole, waitFor(() => pending.length === 1)])
  for (const reply of pending.splice(0)) reply.send('done')
  assert.equal((await whole).status, 200)
})

test('requests that wait for locked accounts do not count against the limit', async () => {
  shedding.countBlocked = () => 1
  const inside = [1, 2, 3].map(() => call('POST', '/v1/transactions'))
  await waitFor(() => pending.length === 3)
  assert.equal((await call('POST', '/v1/transactions')).status, 503)
  shedding.countBlocked = () => 0
  for (const reply of pending.splice(0)) reply.send('done')
  for (const response of await Promise.all(inside)) assert.equal(response.status, 200)
})
