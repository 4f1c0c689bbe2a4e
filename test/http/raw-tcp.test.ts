// Attacks every seam between Node, Fastify and Florin over raw sockets. Each response has the
// standard error format, and the server keeps serving other clients.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import { assertErrorShape, connect, type RawOptions, sendRaw } from '../support/raw.ts'

const florin = await startFlorin()

const host = 'Host: localhost\r\n'
const json = 'Content-Type: application/json\r\n'
const post = `POST /v1/users HTTP/1.1\r\n${host}${json}`
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`

const get = (target: string, headers = host) => `GET ${target} HTTP/1.1\r\n${headers}\r\n`
const head = (method: string, target: string) => `${method} ${target} HTTP/1.1\r\n${host}\r\n`

const empty = await hashDatabase(florin.db.pool)

// None of these requests changes anything.
afterEach(async () => {
  assert.deepEqual(await hashDatabase(florin.db.pool), empty)
  countRefusals(1)
  const [response] = await sendRaw(florin.url, get('/livez'))
  assert.equal(response?.status, 200, 'the server no longer responds')
})

interface Attack {
  bytes: string | Buffer
  status: number
  options?: RawOptions
  /**
   * Whether the server closes the connection, which it must when it cannot find the next
   * request.
   */
  closes?: boolean
}

const malformed: Record<string, Attack> = {
  'HTTP/1.1 without Host': { bytes: get('/livez', ''), status: 400 },
  'two Host headers': { bytes: get('/livez', 'Host: a\r\nHost: b\r\n'), status: 400 },
  'the same Host twice': { bytes: get('/livez', `${host}${host}`), status: 400 },
  'a request line of one word': { bytes: 'GARBAGE\r\n\r\n', status: 400, closes: true },
  'an unknown method': { bytes: head('FETCH', '/livez'), status: 400, closes: true },
  'a method in lower case': { bytes: head('get', '/livez'), status: 400, closes: true },
  'a target without a slash': { bytes: head('GET', 'livez'), status: 400, closes: true },
  'a space in the target': { bytes: get('/li vez'), status: 400, closes: true },
  'a byte above ASCII in the target': { bytes: get('/caf\xe9'), status: 400, closes: true },
  'the HTTP/2 preface': {
    bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    status: 400,
    closes: true,
  },
  'HTTP/0.9 by its name': { bytes: `GET /livez HTTP/0.9\r\n${host}\r\n`, status: 400 },
  'HTTP/0.9 by its form': { bytes: 'GET /livez\r\n\r\n', status: 400 },
  'HTTP/2.0 by its name': { bytes: `GET /livez HTTP/2.0\r\n${host}\r\n`, status: 400 },
  'HTTP/1.2': { bytes: `GET /livez HTTP/1.2\r\n${host}\r\n`, status: 400, closes: true },
  'bare line feeds': {
    bytes: 'GET /livez HTTP/1.1\nHost: localhost\n\n',
    status: 400,
    closes: true,
  },
  'NUL in a header': { bytes: get('/livez', `${host}X: a\0b\r\n`), status: 400, closes: true },
  'a bare CR in a header': {
    bytes: get('/livez', `${host}X: a\rb\r\n`),
    status: 400,
    closes: true,
  },
  'a folded header': { bytes: get('/livez', `${host}X: a\r\n b\r\n`), status: 400, closes: true },
  'a space before the colon': {
    bytes: get('/livez', `${host}X : a\r\n`),
    status: 400,
    closes: true,
  },
  'a header without a name': { bytes: get('/livez', `${host}: a\r\n`), status: 400, closes: true },
  'headers of 20 KiB in one': {
    bytes: get('/livez', `${host}X: ${'a'.repeat(20_480)}\r\n`),
    status: 431,
    closes: true,
  },
  'headers of 20 KiB in many': {
    bytes: get('/livez', `${host}${'X: y\r\n'.repeat(4_000)}`),
    status: 431,
    closes: true,
  },
  'a target of 9 KiB in the query': { bytes: get(`/livez?${'a'.repeat(9_216)}`), status: 414 },
  'a target of 9 KiB in a path id': { bytes: get(`/v1/users/${'a'.repeat(9_216)}`), status: 414 },
  'a target of 9 KiB to nowhere': { bytes: get(`/${'a'.repeat(9_216)}`), status: 414 },
  'a target of 20 KiB': {
    bytes: get(`/livez?${'a'.repeat(20_480)}`),
    status: 414,
    closes: true,
  },
  'a target of 1 MiB': { bytes: get(`/${'a'.repeat(1_048_576)}`), status: 414, closes: true },
  'Content-Length and Transfer-Encoding': {
    bytes: `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    status: 400,
    closes: true,
  },
  'two different Content-Lengths': {
    bytes: `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'the same Content-Length twice': {
    bytes: `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'a negative Content-Length': {
    bytes: `${post}Content-Length: -2\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'a signed Content-Length': {
    bytes: `${post}Content-Length: +2\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'a Content-Length that is not a number': {
    bytes: `${post}Content-Length: two\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'a Content-Length beyond 64 bits': {
    bytes: `${post}Content-Length: 99999999999999999999\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'a Content-Length of a gigabyte': {
    bytes: `${post}Content-Length: 1073741824\r\n\r\n{}`,
    status: 413,
    closes: true,
  },
  'a body shorter than Content-Length': {
    bytes: `${post}Content-Length: 50\r\n\r\n{}`,
    status: 400,
    options: { half_close: true },
    closes: true,
  },
  'a head that ends in the middle': {
    bytes: 'GET /livez HTTP/1.1\r\nHos',
    status: 400,
    options: { half_close: true },
    closes: true,
  },
  'a chunk size that is not a number': {
    bytes: `${chunked}zz\r\n{}\r\n0\r\n\r\n`,
    status: 400,
    closes: true,
  },
  'a negative chunk size': { bytes: `${chunked}-2\r\n{}\r\n`, status: 400, closes: true },
  'a chunk size beyond 64 bits': {
    bytes: `${chunked}fffffffffffffffff\r\n{}\r\n`,
    status: 400,
    closes: true,
  },
  'a chunk longer than its size': {
    bytes: `${chunked}2\r\n{"a":1}\r\n0\r\n\r\n`,
    status: 400,
    closes: true,
  },
  'a flood of chunk extensions': {
    bytes: `${chunked}2;${'a'.repeat(20_480)}\r\n{}\r\n0\r\n\r\n`,
    status: 413,
    closes: true,
  },
  'trailers of 20 KiB': {
    bytes: `${chunked}2\r\n{}\r\n0\r\nX: ${'a'.repeat(20_480)}\r\n\r\n`,
    status: 431,
    closes: true,
  },
  'Transfer-Encoding: gzip': {
    bytes: `${post}Transfer-Encoding: gzip\r\n\r\n{}`,
    status: 400,
    closes: true,
  },
  'Transfer-Encoding: gzip, chunked': {
    bytes: `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    status: 415,
  },
  'Expect: something else': {
    bytes: `${post}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`,
    status: 417,
    closes: true,
  },
  'a TLS ClientHello': {
    bytes: Buffer.from(`16030100c8010000c40303${'00'.repeat(193)}`, 'hex'),
    status: 400,
    closes: true,
  },
  'random bytes': {
    bytes: Buffer.from(Array.from({ length: 512 }, (_, n) => (n * 167 + 129) % 256)),
    status: 400,
    closes: true,
  },
  CONNECT: { bytes: head('CONNECT', 'example.com:443'), status: 405, closes: true },
}

for (const [what, { bytes, status, options, closes }] of Object.entries(malformed)) {
  test(`returns ${status} in the standard error format for ${what}`, async () => {
    const [response] = await sendRaw(florin.url, bytes, options)
    assert.ok(response, 'no response')
    assert.equal(response.status, status, response.text)
    assertErrorShape(response, what)
    assert.equal(response.body.error, 'invalid_request')
    if (closes) assert.equal(response.headers.connection?.toLowerCase(), 'close')
  })
}

test('accepts HTTP/1.0 without Host and closes the connection', async () => {
  const [response] = await sendRaw(florin.url, 'GET /livez HTTP/1.0\r\n\r\n')
  assert.equal(response?.status, 200)
  assert.equal(response.headers.connection, 'close')
})

test('returns 405 with Allow for known methods that a path does not support', async () => {
  const odd = ['OPTIONS', 'TRACE', 'PUT', 'PROPFIND', 'QUERY', 'LINK', 'M-SEARCH', 'PURGE']
  for (const method of odd) {
    const [response] = await sendRaw(florin.url, head(method, '/v1/users'))
    assert.equal(response?.status, 405, method)
    assertErrorShape(response, method)
    assert.equal(response.headers.allow, 'GET, HEAD, POST', method)
  }
})

test('returns 404 for known methods on unknown paths', async () => {
  for (const method of ['OPTIONS', 'TRACE', 'PUT', 'PROPFIND', 'QUERY', 'DELETE', 'POST']) {
    const [response] = await sendRaw(florin.url, head(method, '/nowhere'))
    assert.equal(response?.status, 404, method)
    assertErrorShape(response, method)
    assert.equal(response.body.error, 'not_found')
  }
  const [star] = await sendRaw(florin.url, head('OPTIONS', '*'))
  assert.equal(star?.status, 404)
  assertErrorShape(star, 'OPTIONS *')
})

test('checks path and method before an invalid body', async () => {
  const bodies = [
    `${json}Content-Length: 1\r\n\r\n{`,
    'Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n{',
    'Content-Type: ///\r\nContent-Length: 1\r\n\r\n{',
  ]
  for (const body of bodies) {
    const [nowhere] = await sendRaw(florin.url, `POST /nowhere HTTP/1.1\r\n${host}${body}`)
    assert.equal(nowhere?.status, 404, body)
    assertErrorShape(nowhere, body)
    const [wrong] = await sendRaw(florin.url, `PUT /v1/users HTTP/1.1\r\n${host}${body}`)
    assert.equal(wrong?.status, 405, body)
    assertErrorShape(wrong, body)
  }
})

test('HEAD returns the status and headers of GET without a body', async () => {
  const [alive, nowhere] = await sendRaw(
    florin.url,
    head('HEAD', '/livez') + head('HEAD', '/nowhere'),
    { responses: 2, head: true },
  )
  assert.equal(alive?.status, 200)
  assert.equal(nowhere?.status, 404)
  assert.match(nowhere.headers['request-id']!, /^req_/)
})

test('uses the path of an absolute-form target and ignores its host', async () => {
  for (const target of ['http://elsewhere.example/livez', 'http://elsewhere.example']) {
    const [response] = await sendRaw(florin.url, get(target))
    assert.equal(response?.status, 200, target)
  }
  for (const target of ['http://elsewhere.example/nowhere', 'ftp://x/y']) {
    const [nowhere] = await sendRaw(florin.url, get(target))
    assert.equal(nowhere?.status, 404, target)
    assertErrorShape(nowhere, target)
  }
})

test('sends 100 Continue and then the response', async () => {
  const bytes = `${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`
  const [interim, response] = await sendRaw(florin.url, bytes, { responses: 2 })
  assert.equal(interim?.status, 100)
  assert.equal(response?.status, 400)
  assertErrorShape(response, '100-continue')
})

test('ignores Upgrade headers and serves the request', async () => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.2']) {
    const headers = `${host}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    const [response] = await sendRaw(florin.url, get('/livez', headers))
    assert.equal(response?.status, 200, protocol)
  }
})

test('accepts non-ASCII bytes in a header', async () => {
  const [response] = await sendRaw(florin.url, get('/livez', `${host}X-Name: caf\xe9 \xff\r\n`))
  assert.equal(response?.status, 200)
  const [bad] = await sendRaw(
    florin.url,
    get('/v1/account', `${host}Authorization: Bearer caf\xe9\r\n`),
  )
  assert.equal(bad?.status, 401)
  assertErrorShape(bad, 'a token above ASCII')
})

test('responds to pipelined requests in order', async () => {
  const paths = ['/readyz', '/livez', '/nowhere', '/v1/account', '/readyz', '/livez']
  const responses = await sendRaw(florin.url, paths.map((path) => get(path)).join(''), {
    responses: paths.length,
  })
  assert.deepEqual(
    responses.map((response) => response.status),
    [200, 200, 404, 401, 200, 200],
  )
})

test('an error that closes the connection waits for earlier responses', async () => {
  const ends: Record<string, number> = {
    'GARBAGE\r\n\r\n': 400,
    [head('CONNECT', 'example.com:443')]: 405,
    [`${post}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`]: 417,
    [get('/livez', `${host}X: ${'a'.repeat(20_480)}\r\n`)]: 431,
  }
  for (const [bytes, status] of Object.entries(ends)) {
    // /readyz queries the database, so it is still in progress when the next request is
    // rejected.
    const responses = await sendRaw(florin.url, get('/readyz') + get('/readyz') + bytes, {
      responses: 3,
    })
    const statuses = responses.map((response) => response.status)
    assert.deepEqual(statuses, [200, 200, status], bytes.slice(0, 40))
    assertErrorShape(responses[2]!, bytes.slice(0, 40))
  }
})

test('closes the server side when a client keeps its side open after an error', async () => {
  const before = await countConnections()
  const faults = ['GARBAGE\r\n\r\n', head('CONNECT', 'a:1'), `${post}Expect: tea\r\n\r\n`]
  const sockets = faults.flatMap((bytes) =>
    Array.from({ length: 10 }, () => {
      const socket = connect(florin.url)
      socket.on('error', () => {})
      socket.resume()
      socket.write(bytes)
      return socket
    }),
  )
  try {
    const ended = sockets.map((socket) => new Promise((resolve) => socket.on('end', resolve)))
    await Promise.all(ended)
    await until(async () => (await countConnections()) <= before)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    florin.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const give_up_at = Date.now() + 10_000
  while (!(await holds())) {
    assert.ok(Date.now() < give_up_at, 'the condition was never met')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
