// The worker's checks of checkouts, the return of the payer, and an outage of the provider.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccounts } from '../../src/accounts/find-accounts.ts'
import { referenceOfPayment } from '../../src/bank/creditor-reference.ts'
import { groupByFour } from '../../src/bank/iban.ts'
import { nextCheck } from '../../src/payments/checkout.ts'
import { openCheckout } from '../../src/payments/open-checkout.ts'
import { selectPaymentsById } from '../../src/payments/queries.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import type { ProviderName, Snapshot } from '../../src/processors/provider.ts'
import { CheckoutFixtures, type Visit } from './checkout-fixtures.ts'

const fixtures = await CheckoutFixtures.open({ FLORIN_PROCESSOR: 'stripe, manual' })
const { fake, florin } = fixtures
const minute_ms = 60_000

const first_return = '?returned=1&lang=en'

async function statusOf({ shop, id }: Visit): Promise<string> {
  return (await fixtures.status(shop, id)).body.status
}

function fetches(session_id: string): number {
  return fake.requests.filter(({ path }) => path.endsWith(session_id)).length
}

test('a missed webhook is found by a check', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  const [opened] = await fixtures.checkouts(visit)
  const wait_ms = opened!.check_at!.getTime() - Date.now()
  assert.ok(wait_ms > minute_ms / 2 && wait_ms <= minute_ms, 'after a minute')
  await fixtures.check()
  assert.equal(fetches(session_id), 0, 'not due yet')
  fake.pay(session_id)
  await fixtures.makeDue(visit)
  await fixtures.check()
  assert.equal(await statusOf(visit), 'succeeded')
})

test('a checkout is checked after 1, 5 and 30 minutes, at its end, then hourly', () => {
  const now = new Date('2026-11-17T12:00:00.000Z')
  const expires_at = new Date('2026-11-18T11:00:00.000Z')
  const minutesUntil = (checks: number, more = {}) => {
    const row = { state: 'open', checks, expires_at, is_ending: false, ...more } as const
    const at = nextCheck(row, now, false)
    return at && (at.getTime() - now.getTime()) / minute_ms
  }
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((checks) => minutesUntil(checks)),
    [1, 5, 30, 1_380, 1_380],
  )
  assert.equal(minutesUntil(9, { expires_at: now }), 60)
  assert.equal(minutesUntil(0, { is_ending: true }), 60)
  assert.equal(minutesUntil(961), null, 'at most 40 days')
  assert.equal(minutesUntil(0, { state: 'failed' }), null)
  assert.equal(minutesUntil(0, { state: 'ended' }), null)
})

test('canceling a request ends its checkout at the provider', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  const canceled = await fixtures.cancelPayment(visit.shop, visit.id)
  assert.equal(canceled.status, 200)
  assert.equal(fake.sessions.get(session_id)!.status, 'open', 'not within the request')
  await fixtures.check()
  assert.equal(fake.sessions.get(session_id)!.status, 'expired')
  const [checkout] = await fixtures.checkouts(visit)
  assert.deepEqual([checkout!.state, checkout!.check_at], ['ended', null])
})

test('a checkout that the provider no longer has is not checked every minute', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  fake.sessions.delete(session_id)
  const failed = fixtures.errors.length
  await fixtures.check()
  assert.equal(fixtures.errors.length, failed)
  const [checkout] = await fixtures.checkouts(visit)
  assert.equal(checkout!.checks, 1)
  assert.ok(checkout!.check_at!.getTime() > Date.now() + 50 * minute_ms, 'not every minute')
})

test('a request canceled while its checkout is created sends the payer nowhere', async () => {
  const visit = await fixtures.visit()
  const page = await visit.payer.open()
  const blocked = fake.block('/v1/checkout/sessions')
  const submitted = visit.payer.submit(page, 'stripe')
  await blocked.reached
  await fixtures.cancelPayment(visit.shop, visit.id)
  blocked.release()
  const response = await submitted
  assert.equal(response.state, 'canceled')
  await fixtures.check()
  const session_id = [...fake.sessions.keys()].at(-1)!
  assert.equal(fake.sessions.get(session_id)!.status, 'expired')
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'ended')
})

test('an expired checkout does not end its request', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  fake.expire(session_id)
  await fixtures.receive(session_id)
  assert.equal(await statusOf(visit), 'pending')
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'ended')
  const second = await fixtures.atStripe(visit)
  assert.notEqual(second, session_id)
})

test('a payer who returns after paying sees the receipt without a webhook', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  const page = await visit.payer.open('GET', {}, first_return)
  assert.equal(page.state, 'paid')
  assert.equal(await statusOf(visit), 'succeeded')
})

test('returning settles nothing', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  const page = await visit.payer.open('GET', {}, first_return)
  assert.equal(page.state, 'checkout')
  assert.equal(await statusOf(visit), 'pending')
  await visit.payer.open('GET', {}, first_return)
  assert.equal(fetches(session_id), 1, 'at most one call per second')
})

test('a payer who returns while the provider is down waits on a page that polls', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  fake.faults.set(`/v1/checkout/sessions/${session_id}`, ['rate_limit'])
  const page = await visit.payer.open('GET', {}, first_return)
  assert.equal(page.state, 'processing')
  const poll = /data-refresh="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  const query = poll.slice(poll.indexOf('?'))
  const before = fetches(session_id)
  assert.equal((await visit.payer.open('GET', {}, query)).state, 'processing')
  assert.equal(fetches(session_id), before, 'polling does not ask the provider')
  await fixtures.makeDue(visit)
  await fixtures.check()
  assert.equal((await visit.payer.open('GET', {}, query)).state, 'paid')
})

test('a payment that takes days is processing, and no second checkout is created', async () => {
  const visit = await fixtures.visit()
  const session_id = await fixtures.atStripe(visit)
  const page = await visit.payer.open()
  const snapshot = (await fixtures.provider.fetchSnapshot(session_id))!
  const pending: Snapshot = { ...snapshot, state: 'processing' }
  const provider = { ...fixtures.provider, fetchSnapshot: async () => pending }
  await fixtures.receive(session_id, { provider })
  assert.equal((await visit.payer.open()).state, 'processing')
  assert.equal((await visit.payer.submit(page, 'stripe')).state, 'processing')
  assert.equal((await fixtures.checkouts(visit)).length, 1)
})

test('transfer instructions are below the button of the provider', async () => {
  const visit = await fixtures.visit()
  const { text } = await visit.payer.open()
  assert.match(text, /<button class="primary" name="provider" value="stripe">Pay \$1\.00<\/button>/)
  const code = groupByFour(referenceOfPayment(findUuid('payment', visit.id)!))
  assert.match(text, new RegExp(`class="quoted"[^>]*>${code}<`))
  assert.ok(text.indexOf('name="provider"') < text.indexOf('class="quoted"'))
})

test('with several providers, choosing another one ends the first checkout', async () => {
  const visit = await fixtures.visit()
  const first = await fixtures.atStripe(visit)
  const mollie = { ...fixtures.provider, name: 'mollie' as ProviderName }
  const [row] = await selectPaymentsById(florin.db, [findUuid('payment', visit.id)!])
  const [account] = await findAccounts(florin.db, [visit.shop.uuid])
  const opened = await openCheckout(fixtures.parts, {
    row: row!,
    account: account!,
    provider: mollie,
    language: 'en',
  })
  assert.ok(typeof opened === 'object' && 'url' in opened)
  await fixtures.check()
  assert.equal(fake.sessions.get(first)!.status, 'expired')
  const states = (await fixtures.checkouts(visit)).map(({ provider, state }) => [provider, state])
  assert.deepEqual(states, [
    ['stripe', 'ended'],
    ['mollie', 'open'],
  ])
})

test('while the provider is down, no response of the API changes', async () => {
  const shop = await fixtures.shop()
  const responses = async () => {
    const visit = await fixtures.visit({}, shop)
    const page = await visit.payer.choose()
    const canceled = await fixtures.cancelPayment(shop, visit.id)
    const settled = await fixtures.visit({}, shop)
    const paid = await fixtures.settlePayment(settled.id)
    const refunded = await fixtures.refund(shop, 100, paid.body.transaction_id)
    const list = await fixtures.list(shop)
    const api = [canceled, paid, refunded, list].map(({ status, body }) => [
      status,
      Object.keys(body),
    ])
    return { page, api }
  }
  const up = await responses()
  assert.equal(up.page.status, 303)
  await fake.stop()
  const down = await responses()
  assert.equal(down.page.status, 503)
  assert.equal(down.page.state, 'checkout')
  assert.deepEqual(down.api, up.api)
  const due = await fixtures.visit({}, shop)
  await fixtures.makeDue(due)
  await fixtures.check()
  assert.ok(fixtures.errors.length > 0, 'the worker reports it')
})
