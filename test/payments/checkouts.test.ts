// Payers pay on the provider's page. Its state enters only as a snapshot.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { jobsOf } from '../../src/worker-jobs.ts'
import { CheckoutFixtures, stripe_env, type Visit } from './checkout-fixtures.ts'

const fixtures = await CheckoutFixtures.open()
const { fake, florin } = fixtures

async function statusOf({ shop, id }: Visit): Promise<string> {
  return (await fixtures.status(shop, id)).body.status
}

function creations(): number {
  return fake.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions',
  ).length
}

test('a payer pays at the provider, and the snapshot settles the request', async () => {
  const visit = await fixtures.visit({ amount: 2_000 })
  const session_id = await fixtures.atStripe(visit)
  assert.equal(await statusOf(visit), 'pending')
  const charge = fake.pay(session_id)!
  assert.equal(await fixtures.receive(session_id), 'applied')
  const paid = (await fixtures.getPayment(visit.shop, visit.id)).body
  assert.equal(paid.status, 'succeeded')
  const recorded = await fixtures.chargeOf(paid.transaction_id)
  assert.equal(recorded.charge_id, charge.id)
  assert.equal(recorded.amount, 2_000)
  assert.equal(recorded.fee, 55)
  const [checkout] = await fixtures.checkouts(visit)
  assert.equal(checkout!.state, 'paid')
  assert.equal(checkout!.check_at, null)
  assert.equal((await visit.payer.open()).state, 'paid')
})

test('applying a snapshot again changes nothing', async () => {
  const visit = await fixtures.visit({ amount: 900 })
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  const received = await Promise.all(Array.from({ length: 5 }, () => fixtures.receive(session_id)))
  assert.deepEqual(new Set(received), new Set(['applied']))
  const before = await fixtures.checkouts(visit)
  assert.equal(await fixtures.receive(session_id), 'applied')
  assert.deepEqual(await fixtures.checkouts(visit), before)
  const transactions = await fixtures.transactionsOf(visit.shop)
  assert.deepEqual(
    transactions.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
    [['payment', 900]],
  )
})

test('an older snapshot after a newer one does not reopen a checkout', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  const older = (await fixtures.provider.fetchSnapshot(session_id))!
  fake.pay(session_id)
  await fixtures.receive(session_id)
  const provider = { ...fixtures.provider, fetchSnapshot: async () => older }
  assert.equal(await fixtures.receive(session_id, { provider }), 'applied')
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'paid')
})

test('the provider gets what it shows, and where to send the payer back', async () => {
  const visit = await fixtures.visit({ amount: 1_234, reference: 'Invoice 7' })
  await fixtures.atStripe(visit)
  const { params, idempotency_key } = fake.requests.at(-1)!
  const [checkout] = await fixtures.checkouts(visit)
  assert.match(idempotency_key!, /^chk_/)
  assert.equal(params.client_reference_id, idempotency_key)
  assert.equal(params['metadata[florin_account_id]'], visit.shop.account_id)
  assert.equal(params['line_items[0][price_data][unit_amount]'], '1234')
  assert.match(params['line_items[0][price_data][product_data][name]']!, /: Invoice 7$/)
  assert.equal(params.customer_email, 'customer@example.com')
  const page_url = florin.config.public_url + visit.payer.path
  assert.equal(params.success_url, `${page_url}?returned=1&lang=en`)
  assert.equal(params.cancel_url, `${page_url}?lang=en`)
  assert.equal(params.locale, 'en')
  assert.equal(checkout!.state, 'open')
})

test('a description that is cut within a character still opens the page', async () => {
  // The cut at 250 falls into the middle of a character of two code units.
  const visit = await fixtures.visit({ reference: '🎁'.repeat(127) })
  await fixtures.atStripe(visit)
  const { params } = fake.requests.at(-1)!
  const name = params['line_items[0][price_data][product_data][name]']!
  assert.ok(name.isWellFormed() && name.endsWith('🎁'), name)
  const longer = await fixtures.visit({ reference: `.${'🎁'.repeat(127)}` })
  await fixtures.atStripe(longer)
})

test('the provider and the way back use the language of the browser', async () => {
  const visit = await fixtures.visit()
  const headers = { 'accept-language': 'de-CH,en;q=0.5' }
  assert.equal((await visit.payer.choose('stripe', headers)).status, 303)
  const { params } = fake.requests.at(-1)!
  assert.equal(params.locale, 'de')
  assert.match(params.success_url!, /[?&]lang=de$/)
})

test('a payer who comes back continues with the same checkout', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  const before = creations()
  assert.equal(await fixtures.atStripe(visit), session_id)
  assert.equal(creations(), before)
})

test('a checkout that ends soon is replaced and ended at the provider', async () => {
  const visit = await fixtures.visit()
  const first = await fixtures.atStripe(visit)
  await florin.db.pool.query(
    `update checkouts set expires_at = now() + interval '5 minutes' where provider_id = $1`,
    [first],
  )
  const second = await fixtures.atStripe(visit)
  assert.notEqual(second, first)
  await fixtures.check()
  assert.equal(fake.sessions.get(first)!.status, 'expired')
  assert.equal(fake.sessions.get(second)!.status, 'open')
  const states = (await fixtures.checkouts(visit)).map(({ state }) => state)
  assert.deepEqual(states, ['ended', 'open'])
})

test('concurrent visits create one checkout session', async () => {
  const visit = await fixtures.visit()
  const before = fake.sessions.size
  const ids = await Promise.all(Array.from({ length: 5 }, () => fixtures.atStripe(visit)))
  assert.equal(new Set(ids).size, 1)
  assert.equal(fake.sessions.size, before + 1)
  assert.equal((await fixtures.checkouts(visit)).length, 1)
})

test('after a lost response the next visit repeats the call with the same key', async () => {
  const visit = await fixtures.visit()
  fake.faults.set('/v1/checkout/sessions', ['lose_response', 'lose_response'])
  const failed = await visit.payer.choose()
  assert.equal(failed.status, 503)
  assert.equal(failed.state, 'checkout')
  assert.match(failed.text, /could not be opened/)
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'creating')
  const lost = fake.requests.at(-1)!
  const sessions = fake.sessions.size
  const session_id = await fixtures.atStripe(visit)
  assert.deepEqual(fake.requests.at(-1), lost)
  assert.equal(fake.sessions.size, sessions, 'the session of the first call')
  fake.pay(session_id)
  await fixtures.receive(session_id)
  assert.equal(await statusOf(visit), 'succeeded')
})

test('a repeated call has the language of the first visit', async () => {
  const visit = await fixtures.visit()
  fake.faults.set('/v1/checkout/sessions', ['lose_request', 'lose_request'])
  await visit.payer.choose('stripe', {}, '?lang=de')
  const { payer } = visit
  const response = await payer.choose('stripe', {}, '?lang=fr')
  assert.equal(response.status, 303, response.text)
  assert.equal(fake.requests.at(-1)!.params.locale, 'de')
})

test('a payer can pay after a lost response and a new name of the account', async () => {
  const visit = await fixtures.visit()
  fake.faults.set('/v1/checkout/sessions', ['lose_response', 'lose_response'])
  await visit.payer.choose()
  const { token } = visit.shop
  await florin.call('PATCH', '/v1/account', { token, body: { name: 'Renamed' } })
  const repeated = await visit.payer.choose()
  assert.equal(repeated.status, 503, 'the key belongs to other parameters')
  await fixtures.atStripe(visit)
  const states = (await fixtures.checkouts(visit)).map(({ state }) => state)
  assert.deepEqual(states, ['failed', 'open'])
})

test('money of a checkout whose creation was not confirmed finds its request', async () => {
  const visit = await fixtures.visit()
  fake.faults.set('/v1/checkout/sessions', ['lose_response', 'lose_response'])
  await visit.payer.choose()
  const session_id = [...fake.sessions.keys()].at(-1)!
  fake.pay(session_id)
  assert.equal(await fixtures.receive(session_id), 'applied')
  assert.equal(await statusOf(visit), 'succeeded')
  assert.equal((await fixtures.checkouts(visit))[0]!.provider_id, session_id)
})

test('a rejected checkout has failed, and the next visit creates another', async () => {
  const visit = await fixtures.visit()
  fake.faults.set('/v1/checkout/sessions', ['reject'])
  const rejected = await visit.payer.choose()
  assert.equal(rejected.status, 503)
  assert.match(rejected.text, /did not accept this payment/)
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'failed')
  await fixtures.atStripe(visit)
  const states = (await fixtures.checkouts(visit)).map(({ state }) => state)
  assert.deepEqual(states, ['failed', 'open'])
})

test('one link cannot call the provider without limit', async () => {
  const visit = await fixtures.visit()
  const page = await visit.payer.open()
  fake.faults.set('/v1/checkout/sessions', Array(40).fill('reject'))
  const all = Array.from({ length: 40 }, () => visit.payer.submit(page, 'stripe'))
  const responses = await Promise.all(all)
  fake.faults.delete('/v1/checkout/sessions')
  const limited = responses.filter(({ status }) => status === 429)
  assert.ok(limited.length > 10, `${limited.length} of 40`)
  assert.equal(limited[0]!.state, 'checkout')
  assert.ok((await fixtures.checkouts(visit)).length < 30)
})

test('an unconfirmed checkout ends after an hour', async () => {
  const visit = await fixtures.visit()
  fake.faults.set('/v1/checkout/sessions', ['lose_request', 'lose_request'])
  await visit.payer.choose()
  await fixtures.makeDue(visit)
  await fixtures.check()
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'creating', 'a visit may be under way')
  await fixtures.age(visit, 61)
  await fixtures.makeDue(visit)
  await fixtures.check()
  const [checkout] = await fixtures.checkouts(visit)
  assert.deepEqual([checkout!.state, checkout!.check_at], ['ended', null])
})

test('a form from another site or without its token opens nothing', async () => {
  const visit = await fixtures.visit()
  const before = creations()
  const cross = await visit.payer.choose('stripe', { 'sec-fetch-site': 'cross-site' })
  assert.equal(cross.status, 403)
  assert.match(cross.text, /another website/)
  const forged = await visit.payer.send({ provider: 'stripe', form_token: 'x' })
  assert.equal(forged.status, 403)
  assert.equal(creations(), before)
  assert.deepEqual(await fixtures.checkouts(visit), [])
})

test('only the page that leads to a provider allows its form to leave', async () => {
  const visit = await fixtures.visit()
  const policyOf = async () => {
    const { headers } = await visit.payer.open()
    return /form-action ([^;]*)/.exec(headers.get('content-security-policy')!)![1]
  }
  assert.equal(await policyOf(), `'self' https: ${fake.url}`)
  await fixtures.cancelPayment(visit.shop, visit.id)
  assert.equal(await policyOf(), "'self'")
})

test('a request that no longer can be paid opens no checkout', async () => {
  const visit = await fixtures.visit()
  const page = await visit.payer.open()
  await fixtures.cancelPayment(visit.shop, visit.id)
  const before = creations()
  const response = await visit.payer.submit(page, 'stripe')
  assert.equal(response.state, 'canceled')
  assert.equal(creations(), before)
})

test('an amount or currency that no provider accepts cannot be paid', async () => {
  const visit = await fixtures.visit({ amount: 100_000_000 })
  assert.equal((await visit.payer.open()).state, 'unavailable')
})

test('a snapshot of another mode, currency or server matches nothing', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  const snapshot = (await fixtures.provider.fetchSnapshot(session_id))!
  const ids = snapshot.checkout!
  const others = [
    { ...snapshot, is_live: true },
    { ...snapshot, currency: 'EUR' },
    { ...snapshot, checkout: null },
    { ...snapshot, checkout: { ...ids, checkout_id: 'chk_00000000000000000000000000' } },
    { ...snapshot, checkout: { ...ids, account_id: 'x' } },
    { ...snapshot, provider_id: 'cs_test_another' },
  ]
  for (const other of others) {
    const provider = { ...fixtures.provider, fetchSnapshot: async () => other }
    assert.deepEqual(await fixtures.receive(session_id, { provider }), { unmatched: other })
  }
  assert.equal(await statusOf(visit), 'pending')
  assert.equal(await fixtures.receive('cs_test_unknown'), 'unknown')
  assert.equal(await fixtures.receive(session_id), 'applied')
})

test('a fee that arrives later is posted once', async () => {
  fake.has_fees = false
  const visit = await fixtures.visit({ amount: 10_000 })
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  await fixtures.receive(session_id)
  assert.equal((await fixtures.balance(visit.shop)).available, 10_000)
  const [checkout] = await fixtures.checkouts(visit)
  const wait_ms = checkout!.check_at!.getTime() - Date.now()
  assert.ok(wait_ms > 23 * 3_600_000 && wait_ms < 25 * 3_600_000, 'checked daily')
  fake.has_fees = true
  await fixtures.makeDue(visit)
  await fixtures.check()
  await fixtures.receive(session_id)
  assert.equal((await fixtures.balance(visit.shop)).available, 10_000 - 175)
  assert.equal((await fixtures.checkouts(visit))[0]!.check_at, null)
})

test('a fee that never arrives is not waited for longer than two days', async () => {
  fake.has_fees = false
  const visit = await fixtures.visit()
  fake.pay(await fixtures.atStripe(visit))
  await fixtures.makeDue(visit)
  for (let day = 0; day < 4; day++) {
    await fixtures.check()
    await fixtures.makeDue(visit)
  }
  fake.has_fees = true
  assert.equal((await fixtures.checkouts(visit))[0]!.check_at, null)
  assert.equal(await statusOf(visit), 'succeeded')
})

test('a webhook settles the request through the jobs of the worker', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  const { headers, body } = fake.message(
    fake.events.at(-1)!,
    stripe_env.FLORIN_STRIPE_WEBHOOK_SECRET,
  )
  const url = `${florin.url}/v1/processors/stripe/webhook`
  const response = await fetch(url, { method: 'POST', headers, body })
  assert.equal(response.status, 200)
  assert.equal(await statusOf(visit), 'pending', 'the message is only stored')
  const { db, config } = florin
  const jobs = jobsOf({ db, log: pino({ level: 'silent' }), config, processor: fixtures.processor })
  const job = jobs.find(({ name }) => name === 'provider_events')!
  await job.run(db, { slots: [0], signal: new AbortController().signal })
  assert.equal(await statusOf(visit), 'succeeded')
  for (const name of ['check_checkouts', 'provider_changes', 'submit_refunds']) {
    assert.ok(
      jobs.some((one) => one.name === name),
      name,
    )
  }
})

test('the page of an ended request does not claim that nothing was paid', async () => {
  const visit = await fixtures.visit()
  await fixtures.settlePayment(visit.id, 'failed')
  const { text } = await visit.payer.open()
  assert.match(text, /If you already sent the money, contact/)
})
