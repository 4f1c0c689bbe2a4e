import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, type FlorinEvent, type StreamEventsQuery } from '../../client/src/florin.ts'
import { BlockReader } from '../../client/src/server-sent-events.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

const server = await startFlorin()
const proxy = await startFaultProxy(server.url)
const owner = await server.people.owner()
const direct = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
/** Number of streams opened through the proxy. */
let opened = 0
const florin = new Florin({
  base_url: proxy.url,
  tokens: { access_token: owner.token },
  fetch: async (url, init) => {
    const response = await fetch(url, init)
    if (url.includes('/v1/events/stream')) opened += 1
    return response
  },
})

const body = { account_id: owner.account_id, amount: 5, currency: 'USD', type: 'payment' } as const
const pay = (reference: string) => direct.transactions.create({ ...body, reference })

async function take(events: AsyncGenerator<FlorinEvent>, count: number): Promise<FlorinEvent[]> {
  const taken: FlorinEvent[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    assert.ok(!done && value, 'the stream continues')
    taken.push(value)
  }
  return taken
}

function referenceOf(event: FlorinEvent): string | null | undefined {
  return event.type === 'transaction.created' ? event.data.reference : undefined
}

test('streams new events', async () => {
  const events = florin.events.stream()
  const first = events.next()
  await until(() => opened === 1, 'the stream is open')
  await pay('now')
  assert.equal(referenceOf((await first).value!), 'now')
  await events.return()
})

test('after sets where the stream starts', async () => {
  const events = florin.events.stream({ after: 0 })
  const [created] = await take(events, 1)
  assert.equal(created!.sequence, 1)
  await events.return()
})

test('a lost connection loses no event and repeats none', async () => {
  const { data } = await direct.events.list({ limit: 1 })
  const from = data[0]!.sequence
  const before = opened
  const events = florin.events.stream()
  const references: string[] = []
  const numbers: number[] = []
  for (let round = 0; round < 4; round += 1) {
    // Two events without a connection: before the first event, and between two connections.
    const coming = events.next()
    if (round === 0) await until(() => opened > before, 'the stream is open')
    proxy.cut()
    await pay(`round ${round} a`)
    await pay(`round ${round} b`)
    const taken = [(await coming).value!, ...(await take(events, 1))]
    references.push(...taken.map((event) => String(referenceOf(event))))
    numbers.push(...taken.map(({ sequence }) => sequence))
  }
  await events.return()
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => from + 1 + at),
  )
  assert.deepEqual(references.slice(0, 3), ['round 0 a', 'round 0 b', 'round 1 a'])
  const resumed = proxy.requests.filter((text) => /^last-event-id: \d+/im.test(text))
  assert.ok(resumed.length >= 5)
})

test('type filters events', async () => {
  const events = florin.events.stream({ after: 0, type: 'account.*' })
  const [event] = await take(events, 1)
  assert.equal(event!.type, 'account.created')
  await events.return()
})

test('resumes after the number that a heartbeat sent', async () => {
  const requests: (string | null)[] = []
  const client = new Florin({
    base_url: server.url,
    tokens: { access_token: owner.token },
    fetch: async (_, init) => {
      requests.push(new Headers(init?.headers).get('last-event-id'))
      if (requests.length > 1) return new Response(null, { status: 204 })
      const headers = { 'content-type': 'text/event-stream' }
      // The last block is incomplete, so it does not count.
      return new Response('retry: 1000\n\nid: 12\n\n:\n\nid: 13\nevent: x\n', { headers })
    },
  })
  const events = client.events.stream({ after: 4, type: 'payment.*' })
  assert.deepEqual(await Array.fromAsync(events), [])
  assert.equal(requests.at(-1), '12')
})

test('backs off if streams end immediately', async (t) => {
  t.mock.method(Math, 'random', () => 0)
  const requested_at: number[] = []
  const ending = new Florin({
    base_url: server.url,
    tokens: { access_token: owner.token },
    fetch: async () => {
      requested_at.push(performance.now())
      if (requested_at.length === 4) return new Response(null, { status: 204 })
      const headers = { 'content-type': 'text/event-stream' }
      // The number at the start is not progress.
      return new Response('retry: 1000\nid: 4\n\n', { headers })
    },
  })
  assert.deepEqual(await Array.fromAsync(ending.events.stream({ after: 4 })), [])
  assert.ok(requested_at[3]! - requested_at[0]! > 1_700, '0.25, 0.5 and 1 s')
})

test('a signal ends an idle stream', async () => {
  const controller = new AbortController()
  const events = florin.events.stream({}, { signal: controller.signal })
  const next = events.next()
  setTimeout(() => controller.abort(new Error('Enough.')), 300)
  await assert.rejects(next, /Enough/)
})

test('refreshes an expired token', async () => {
  const session = await server.people.session(owner)
  const tokens = { access_token: 'fat_ended', refresh_token: session.refresh_token }
  const refreshing = new Florin({ base_url: server.url, tokens })
  const events = refreshing.events.stream({ after: 0 })
  assert.equal((await take(events, 1))[0]!.sequence, 1)
  await events.return()
})

test('fails if it cannot start, and ends when the account closes', async () => {
  const unknown = new Florin({ base_url: server.url, api_key: 'sk_sandbox_unknown' })
  await assert.rejects(unknown.events.stream({ after: 0 }).next(), { code: 'unauthorized' })
  const nowhere = new Florin({ base_url: 'http://127.0.0.1:1', retries_max: 0 })
  await assert.rejects(nowhere.events.stream({ after: 0 }).next(), { code: 'connection_failed' })
  const closing_owner = await server.people.owner()
  const own = new Florin({ base_url: server.url, tokens: { access_token: closing_owner.token } })
  const following = Array.fromAsync(own.events.stream({ after: 0 }))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const admin = await server.people.admin()
  const closing = new Florin({ base_url: server.url, tokens: { access_token: admin.token } })
  await closing.account.close({ account: closing_owner.account_id })
  // A race: the stream may send account.closed before or after its token is revoked.
  const types = await following.then(
    (events) => events.map(({ type }) => type),
    (error) => [error.code],
  )
  assert.ok(['account.closed', 'unauthorized'].includes(types.at(-1)!), types.join())
})

test('closing the account ends every stream, with any filter, and later ones', async () => {
  const closing_owner = await server.people.owner()
  const admin = await server.people.admin()
  const controller = new AbortController()
  let connections = 0
  const platform = new Florin({
    base_url: server.url,
    tokens: { access_token: admin.token },
    account: closing_owner.account_id,
    fetch: (url, init) => {
      if (url.includes('/v1/events/stream')) connections += 1
      // One connection for each stream below; a reconnection would repeat indefinitely.
      if (connections > 5) controller.abort(new Error('It reconnected.'))
      return fetch(url, init)
    },
  })
  const follow = async (query: StreamEventsQuery) => {
    const events = platform.events.stream(query, { signal: controller.signal })
    return (await Array.fromAsync(events)).map(({ type }) => type)
  }
  const filtered = follow({ type: 'payment.*' })
  await until(() => connections === 1)
  await platform.account.close()
  assert.deepEqual(await filtered, [], 'only events of the filter')
  assert.deepEqual(await follow({ type: 'payment.*', after: 0 }), [])
  assert.equal((await follow({ type: 'account.*', after: 0 })).at(-1), 'account.closed')
  assert.deepEqual(await follow({}), [])
  const newest = (await platform.events.list({ limit: 1 })).data[0]!
  assert.deepEqual(await follow({ after: newest.sequence }), [])
})

test('parses blocks from chunks of any size', () => {
  const text =
    ': beat\r\n\r\nretry: 1\n\nid: 7\nevent: a.b\ndata: {"a":\ndata: 1}\r\n\r\ndata:x\r\r'
  for (let size = 1; size <= text.length; size += 1) {
    const reader = new BlockReader()
    const found = []
    for (let at = 0; at < text.length; at += size)
      found.push(...reader.push(text.slice(at, at + size)))
    // The last carriage return may be the first half of CRLF.
    found.push(...reader.push('\n'))
    assert.deepEqual(found, [
      { id: '7', data: '{"a":\n1}' },
      { id: '7', data: 'x' },
    ])
  }
})
