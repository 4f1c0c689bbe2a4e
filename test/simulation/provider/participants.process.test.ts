// The provider's side of a chaos run: what reaches Florin's webhook endpoint, what the bank does,
// and that the provider is healthy at the end.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { Random } from '../../../src/operations/seeding/random.ts'
import { Sender } from '../clients/send.ts'
import { World } from '../clients/world.ts'
import { Recorder } from '../record.ts'
import { openProvider } from './open-provider.ts'
import { runParticipants } from './participants.ts'

interface Message {
  path: string
  signature: string
  body: string
}

test('payers pay, and messages arrive late, twice, forged or never', async (t) => {
  const provider = await openProvider(2)
  t.after(() => provider.fake.stop())
  const received: Message[] = []
  const port = await startReceiver(t, async ({ path, signature, body }) => {
    if (path.startsWith('/pay/'))
      return `${provider.fake.url}/c/pay/${await openSession(provider.fake.url)}`
    received.push({ path, signature, body })
    return undefined
  })
  const sender = new Sender([port], 16)
  t.after(() => sender.close())
  const recorder = openRecorder(t)
  const world = new World([], 'token', { has_provider: true })
  const shop = { account: 'acct_1', email: '', password: '', token: '' }
  world.addRequest(shop, 'pay_1', 'http://localhost/pay/secret')
  await runParticipants({
    provider,
    world,
    sender,
    recorder,
    randomOf: (name, number = 0) => new Random(2, name, number),
    chooseServer: () => 0,
    until_ms: recorder.now() + 3_000,
  })

  const { history } = recorder
  const { charges, refunds, disputes, sessions } = provider.state()
  assert.ok(charges.length > 10, `${charges.length} charges`)
  assert.ok(refunds.length > 0 && disputes.length > 0)
  assert.ok(sessions.length > charges.length, 'some payers do not pay')
  const dropped = history.notices.filter(({ is_dropped }) => is_dropped)
  const forged = history.notices.filter(({ is_forged }) => is_forged)
  assert.ok(dropped.length > 0 && forged.length > 0)
  const isGenuine = ({ signature, body }: Message) => {
    try {
      return Stripe.webhooks.constructEvent(body, signature, provider.webhook_secret) !== undefined
    } catch {
      return false
    }
  }
  const genuine = received.filter(isGenuine).map(({ body }) => JSON.parse(body).id)
  assert.equal(received.length - genuine.length, forged.length)
  assert.ok(new Set(genuine).size < genuine.length, 'some arrive twice')
  assert.notDeepEqual(genuine, genuine.toSorted(), 'some are overtaken')
  const dropped_ids = new Set(dropped.map(({ event }) => event))
  assert.ok(genuine.every((id) => !dropped_ids.has(id)))
  assert.deepEqual(
    [provider.fake.is_down, provider.fake.has_fees, provider.fake.faults.size],
    [false, true, 0],
  )
})

test('the seed decides whether late payments are refunded or kept', async (t) => {
  for (const [seed, policy] of [
    [2, 'refund'],
    [3, 'keep'],
  ] as const) {
    const provider = await openProvider(seed)
    t.after(() => provider.fake.stop())
    assert.equal(provider.env.FLORIN_LATE_PAYMENTS, policy)
    assert.equal(provider.state().late_payments, policy)
  }
})

async function openSession(url: string): Promise<string> {
  const body = new URLSearchParams({
    client_reference_id: 'chk_1',
    'line_items[0][price_data][unit_amount]': '1000',
    'line_items[0][price_data][currency]': 'usd',
  })
  for (;;) {
    const created = await fetch(`${url}/v1/checkout/sessions`, { method: 'POST', body }).catch(
      () => undefined,
    )
    if (created?.ok) return ((await created.json()) as { id: string }).id
  }
}

/** Redirects to the address that `handle` returns; otherwise responds with 200. */
async function startReceiver(
  t: TestContext,
  handle: (message: Message) => Promise<string | undefined>,
): Promise<number> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const signature = String(request.headers['stripe-signature'] ?? '')
    const body = Buffer.concat(parts).toString()
    const location = await handle({ path: request.url!, signature, body })
    response.writeHead(location ? 303 : 200, location ? { location } : {}).end()
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function openRecorder(t: TestContext): Recorder {
  const directory = mkdtempSync(join(tmpdir(), 'participants-'))
  const recorder = new Recorder(join(directory, 'history.jsonl'))
  t.after(() => {
    recorder.close()
    rmSync(directory, { recursive: true })
  })
  return recorder
}
