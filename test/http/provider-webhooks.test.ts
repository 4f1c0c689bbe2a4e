// Webhooks of payment providers: what is accepted, and what is stored.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import Stripe from 'stripe'
import { openMollie } from '../../src/processors/mollie.ts'
import { FakeMollie } from '../support/fake-mollie.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { startFlorin } from '../support/florin.ts'

const stripe = await FakeStripe.start()
const mollie = await FakeMollie.start()
after(() => Promise.all([stripe.stop(), mollie.stop()]))
const env = {
  FLORIN_PROCESSOR: 'stripe,mollie',
  FLORIN_PUBLIC_URL: 'https://pay.example',
  FLORIN_STRIPE_SECRET_KEY: 'sk_test_1',
  FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old',
  FLORIN_STRIPE_API_URL: stripe.url,
  FLORIN_MOLLIE_API_KEY: 'test_1',
  FLORIN_MOLLIE_API_URL: mollie.url,
}
const florin = await startFlorin(env)

beforeEach(() => florin.db.pool.query('delete from provider_events'))

async function readEvents() {
  const { rows } = await florin.db.pool.query(
    'select provider, event_id, provider_id, state, attempts from provider_events order by 2',
  )
  return rows
}

/** The number of database connections that the requests used, and of calls to providers. */
async function countWork(act: () => Promise<unknown>): Promise<number> {
  let used = 0
  const count = () => {
    used += 1
  }
  const pools = [florin.db.pool, florin.db.reserved.pool]
  for (const pool of pools) pool.on('acquire', count)
  const before = stripe.requests.length + mollie.requests.length
  await act()
  for (const pool of pools) pool.off('acquire', count)
  return used + stripe.requests.length + mollie.requests.length - before
}

const stripe_path = '/v1/processors/stripe/webhook'

interface Signing {
  secret?: string
  timestamp?: number
}

function sign(payload: string, { secret = 'whsec_new', timestamp }: Signing = {}): string {
  const at = timestamp === undefined ? {} : { timestamp }
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, ...at })
}

function sendStripe(body: string, signature: string | undefined) {
  const headers = signature === undefined ? {} : { 'stripe-signature': signature }
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return florin.call('POST', stripe_path, { body, headers: { ...type, ...headers } })
}

function eventOf(id: string, more: Record<string, unknown> = {}): string {
  const object = { id: 'cs_test_1', object: 'checkout.session' }
  const type = 'checkout.session.completed'
  return JSON.stringify({ id, object: 'event', type, data: { object }, ...more })
}

test('a signed message is stored once, however often it arrives', async () => {
  for (const id of ['evt_2', 'evt_1', 'evt_2', 'evt_1', 'evt_1']) {
    const body = eventOf(id)
    const { status, text } = await sendStripe(body, sign(body))
    assert.deepEqual([status, text], [200, '{"received":true}'])
  }
  const stored = { provider: 'stripe', provider_id: 'cs_test_1', state: 'due', attempts: 0 }
  assert.deepEqual(await readEvents(), [
    { event_id: 'evt_1', ...stored },
    { event_id: 'evt_2', ...stored },
  ])
})

test('both secrets are accepted during a rotation', async () => {
  for (const secret of ['whsec_new', 'whsec_old']) {
    const body = eventOf(`evt_${secret}`)
    assert.equal((await sendStripe(body, sign(body, { secret }))).status, 200)
  }
  assert.equal((await readEvents()).length, 2)
})

test('a forged, changed, old or unsigned message causes no query', async () => {
  const body = eventOf('evt_1')
  const signature = sign(body)
  const old = sign(body, { timestamp: Math.floor(Date.now() / 1_000) - 301 })
  const messages: [string, string | undefined][] = [
    [body, undefined],
    [body, ''],
    [body, 't=1,v1=00'],
    [body, sign(body, { secret: 'whsec_other' })],
    [body, old],
    [eventOf('evt_2'), signature],
    [`${body} `, signature],
    ['', signature],
    ['{"id":', signature],
  ]
  const work = await countWork(async () => {
    for (const [sent, header] of messages) {
      const { status, body: error } = await sendStripe(sent, header)
      assert.deepEqual([status, error.error], [400, 'invalid_request'], sent)
      assert.match(error.message, /^The signature in Stripe-Signature is missing, wrong or older/)
    }
  })
  assert.equal(work, 0)
  assert.deepEqual(await readEvents(), [])
})

test('a message of 64 KiB is accepted, and a longer one is rejected unread', async () => {
  const empty = eventOf('evt_1', { padding: '' })
  const fits = eventOf('evt_1', { padding: 'x'.repeat(65_536 - empty.length) })
  assert.equal((await sendStripe(fits, sign(fits))).status, 200)
  const long = eventOf('evt_2', { padding: 'x'.repeat(65_537 - empty.length) })
  const { status, body } = await sendStripe(long, sign(long))
  assert.deepEqual([status, body.error], [413, 'invalid_request'])
  assert.equal((await readEvents()).length, 1)
})

test('a message about anything else is acknowledged and not stored', async () => {
  const body = eventOf('evt_1', { type: 'customer.created' })
  assert.equal((await sendStripe(body, sign(body))).status, 200)
  assert.deepEqual(await readEvents(), [])
})

const provider = openMollie({ api_key: 'test_1', access_token: undefined, api_url: mollie.url })
const { provider_id } = await provider.createCheckout({
  account_id: 'acct_01',
  id: 'chk_01',
  amount: 100,
  currency: 'EUR',
  description: 'Invoice 7',
  payer_email: null,
  language: 'en',
  success_url: 'https://pay.example/pay/x',
  cancel_url: 'https://pay.example/pay/x',
  public_url: 'https://pay.example',
  expires_at: new Date(Date.now() + 3_600_000),
})
const mollie_path = new URL(mollie.payments.get(provider_id)!.webhookUrl as string).pathname

function sendMollie(path: string, body: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return florin.call('POST', path, { body, headers })
}

test('a repeated message of Mollie makes its row due again', async () => {
  const stored = { provider: 'mollie', event_id: provider_id, provider_id }
  const send = async () => {
    const { status, text } = await sendMollie(mollie_path, `id=${provider_id}`)
    assert.deepEqual([status, text], [200, '{"received":true}'])
    assert.deepEqual(await readEvents(), [{ ...stored, state: 'due', attempts: 0 }])
  }
  await send()
  await florin.db.pool.query(
    "update provider_events set state = 'done', next_at = null, attempts = 3",
  )
  await send()
})

test('a forged token of Mollie causes no query and no call to Mollie', async () => {
  const tokens = [mollie_path.slice(0, -1), `${mollie_path}A`, mollie_path.replace('01.', '02.')]
  const work = await countWork(async () => {
    for (const path of [...tokens, '/v1/processors/mollie/webhook/x']) {
      const { status, body } = await sendMollie(path, `id=${provider_id}`)
      assert.deepEqual([status, body.error], [404, 'not_found'], path)
    }
  })
  assert.equal(work, 0)
  assert.deepEqual(await readEvents(), [])
})

test('a server without the provider returns 404', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const body = eventOf('evt_1')
  const response = await manual.call('POST', stripe_path, {
    body,
    headers: { 'stripe-signature': sign(body) },
  })
  assert.deepEqual([response.status, response.body.error], [404, 'not_found'])
  assert.match(response.body.message, /Add it to FLORIN_PROCESSOR/)
})

test('messages of providers are limited per address, apart from other requests', async () => {
  const limited = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '3' })
  const send = () => limited.call('POST', stripe_path, { body: '{}' })
  const statuses = []
  for (let at = 0; at < 5; at++) statuses.push((await send()).status)
  assert.deepEqual(statuses.slice(0, 3), [400, 400, 400])
  assert.ok(statuses.includes(429), String(statuses))
  assert.equal((await limited.call('GET', '/pay/unknown')).status, 404)
})
