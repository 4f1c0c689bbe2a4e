// florin listen: forwards events to a local receiver and prints each delivery.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import type { Owner } from '../support/people.ts'
import { startSink } from '../webhooks/sink.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const { people } = florin

async function makeTransaction(owner: Owner, type = 'payment'): Promise<string> {
  const body = { account_id: owner.account_id, amount: 100, currency: 'USD', type }
  const { token } = owner
  const response = await florin.call('POST', '/v1/transactions', { token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

test('forwards each event with a signature, and prints the response status', async () => {
  const sink = await startSink()
  const owner = await people.owner()
  const cli = new Cli(florin.url)
  await cli.logIn(owner)
  const listening = cli.start(['listen', '--forward-to', sink.url])
  const [, secret] = await listening.text(/^Your webhook secret is (whsec_\S+)$/m)
  await listening.text(/Stop with Ctrl-C/)
  // The stream opens a moment later; events until then are forwarded too.
  const id = await makeTransaction(owner)
  await sink.until(1)
  const [line] = await listening.text(/^.*transaction\.created.*$/m)
  assert.match(line, /^\d\d:\d\d:\d\d ✓ transaction\.created +evt_\w+ 200 \d+ ms$/)
  const [{ headers, text, event }] = sink.received as [(typeof sink.received)[0]]
  assert.deepEqual(new Webhook(secret!).verify(text, headers as Record<string, string>), event)
  assert.equal(event.data.id, id)
  assert.equal(headers['webhook-id'], event.id)
  const shown = await florin.call('GET', `/v1/events/${event.id}`, { token: owner.token })
  const { timestamp, ...rest } = event
  assert.deepEqual(rest, shown.body)
  assert.equal(timestamp, event.created_at)

  sink.respond = (_, response) => response.writeHead(500).end()
  await makeTransaction(owner)
  await listening.text(/✗ transaction\.created +evt_\w+ 500 \d+ ms/)
  const ended = await listening.stop('SIGINT')
  assert.deepEqual([ended.code, ended.stderr], [0, ''])

  const again = cli.start(['listen', '--forward-to', sink.url, '--json'])
  const [first] = await again.text(/^.*"listening":true.*$/m)
  assert.equal(JSON.parse(first).secret, secret, 'the same secret after a restart')
  assert.equal((await again.stop()).code, 0)
  await sink.stop()
})

test('--events filters by type, and --after sets the first event', async () => {
  const sink = await startSink()
  const owner = await people.owner()
  const cli = new Cli(florin.url)
  await cli.logIn(owner)
  const id = await makeTransaction(owner)
  await florin.call('DELETE', `/v1/transactions/${id}`, { token: owner.token })
  const filter = ['--events', 'transaction.canceled, payment.*', '--after', '0', '--json']
  const listening = cli.start(['listen', '--forward-to', sink.url, ...filter])
  const [line] = await listening.text(/^.*"event_id".*$/m)
  const { event_id, duration_ms, sequence, ...delivery } = JSON.parse(line)
  assert.deepEqual(delivery, { type: 'transaction.canceled', status: 200, error: null })
  assert.equal(sink.received.length, 1)
  assert.equal(sink.received[0]!.event.id, event_id)
  assert.ok(duration_ms >= 0 && sequence > 1)
  await listening.stop()
  await sink.stop()
})

test('reports an unreachable receiver and continues with the next event', async () => {
  const owner = await people.owner()
  const cli = new Cli(florin.url)
  await cli.logIn(owner)
  await makeTransaction(owner)
  const target = `http://127.0.0.1:${await findFreePort()}/`
  const listening = cli.start(['listen', '--forward-to', target, '--after', '0', '--json'])
  await listening.text(/("status":null.*"error":"ECONNREFUSED"}\n[^\n]*){2}/)
  await listening.stop()
})

test('resumes after a lost connection without missing events', async (t) => {
  const sink = await startSink()
  const owner = await people.owner()
  const line = await openLine(florin.url)
  t.after(() => line.close())
  const cli = new Cli(line.url)
  await cli.logIn(owner)
  const listening = cli.start(['listen', '--forward-to', sink.url])
  await listening.text(/Stop with Ctrl-C/)
  const made: string[] = [await makeTransaction(owner)]
  await sink.until(1)
  line.cut()
  for (let n = 0; n < 3; n++) made.push(await makeTransaction(owner))
  await sink.until(4)
  made.push(await makeTransaction(owner))
  await sink.until(5)
  assert.deepEqual(
    sink.received.map(({ event }) => event.data.id),
    made,
  )
  await listening.stop()
  await sink.stop()
})

test('rejects an invalid filter or URL before it connects', async () => {
  const cli = new Cli(florin.url)
  await cli.logIn(await people.owner())
  const name = await cli.run(['listen', '--forward-to', 'http://x', '--events', 'payment.suceeded'])
  assert.equal(name.code, 64)
  assert.match(
    name.stderr,
    /^--events must contain known event types; got "payment\.suceeded"\. Did you mean "pay/,
  )
  const target = await cli.run(['listen', '--forward-to', 'localhost:3000'])
  assert.equal(target.code, 64)
  assert.match(target.stderr, /^--forward-to must be a URL such as http:\/\/localhost:3000/)
})

/** A TCP proxy to the server whose connections a test can cut. */
async function openLine(url: string) {
  const { port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = createConnection({ host: '127.0.0.1', port: Number(port) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as { port: number }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const close = () => {
    cut()
    server.close()
  }
  return { url: `http://127.0.0.1:${own}`, cut, close }
}
