// The adapter against the stateful stand-in for Mollie.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openMollie } from '../../src/processors/mollie.ts'
import { type Checkout, type Provider, ProviderError } from '../../src/processors/provider.ts'
import { FakeMollie } from '../support/fake-mollie.ts'

const checkout: Checkout = {
  account_id: 'acct_01',
  id: 'chk_01',
  amount: 4_200,
  currency: 'EUR',
  description: 'Invoice 7',
  payer_email: null,
  language: 'nl',
  success_url: 'https://pay.example.com/pay/x?returned=1',
  cancel_url: 'https://pay.example.com/pay/x',
  public_url: 'https://pay.example.com',
  expires_at: new Date(Date.now() + 3_600_000),
}

const eur = (value: string) => ({ currency: 'EUR', value })

async function start(t: TestContext) {
  const fake = await FakeMollie.start()
  t.after(() => fake.stop())
  const provider = openMollie({ api_key: 'test_123', access_token: undefined, api_url: fake.url })
  const open = (fields: Partial<Checkout> = {}) =>
    provider.createCheckout({ ...checkout, ...fields })
  return { fake, provider, open }
}

async function snapshotOf(provider: Provider, id: string) {
  return (await provider.fetchSnapshot(id))!
}

test('a payment is open until it is paid, and then is its charge', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id, url, expires_at } = await open()
  assert.ok(url.startsWith(fake.url) && expires_at.getTime() > Date.now())
  const before = await snapshotOf(provider, provider_id)
  assert.deepEqual([before.state, before.charge, before.is_live], ['open', null, false])
  assert.deepEqual(before.checkout, { account_id: 'acct_01', checkout_id: 'chk_01' })
  fake.pay(provider_id)
  const paid = await snapshotOf(provider, provider_id)
  const card = { brand: 'mastercard', last4: '6787' }
  assert.deepEqual(paid.charge, { id: provider_id, amount: 4_200, fee: null, card })
  assert.equal(paid.state, 'paid')
  assert.equal(await provider.fetchSnapshot('tr_unknown'), undefined)
})

test('creating a payment again after a lost response returns the first one', async (t) => {
  const { fake, open } = await start(t)
  fake.lost_responses = 1
  await assert.rejects(open(), (error) => error instanceof ProviderError && !error.is_final)
  await open()
  assert.equal(fake.payments.size, 1)
})

test('expiring a payment cancels it, and reports one that was paid', async (t) => {
  const { fake, provider, open } = await start(t)
  const first = await open()
  assert.equal((await provider.expireCheckout(first.provider_id)).state, 'ended')
  const second = await open({ id: 'chk_02' })
  fake.pay(second.provider_id)
  assert.equal((await provider.expireCheckout(second.provider_id)).state, 'paid')
})

test('refunds happen once, stay pending until the bank has them, and can fail', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  fake.pay(provider_id)
  const request = { provider_id, charge_id: provider_id, currency: 'EUR', amount: 1_200 }
  fake.lost_responses = 1
  await assert.rejects(provider.refund({ ...request, transaction_id: 'txn_1' }))
  const refund = await provider.refund({ ...request, transaction_id: 'txn_1' })
  assert.deepEqual([refund.state, refund.amount], ['pending', 1_200])
  const dashboard = fake.refundInDashboard(provider_id, eur('5.00'))
  fake.finishRefund(refund.id, 'refunded')
  fake.finishRefund(dashboard.id, 'failed')
  const { refunds } = await snapshotOf(provider, provider_id)
  assert.deepEqual(refunds, [
    { id: refund.id, transaction_id: 'txn_1', amount: 1_200, state: 'succeeded' },
    { id: dashboard.id, transaction_id: null, amount: 500, state: 'failed' },
  ])
  await assert.rejects(
    provider.refund({ ...request, transaction_id: 'txn_2', amount: 4_200 }),
    (error) => error instanceof ProviderError && error.is_final,
  )
})

test('a chargeback is a lost dispute, and a won one after its reversal', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  fake.pay(provider_id)
  const chargeback = fake.chargeBack(provider_id, eur('42.00'))
  const { id } = chargeback
  const lost = { id, amount: 4_200, reason: 'AC01', status: 'lost', due_at: null }
  assert.deepEqual((await snapshotOf(provider, provider_id)).disputes, [lost])
  chargeback.reversedAt = '2026-02-01T00:00:00+00:00'
  assert.equal((await snapshotOf(provider, provider_id)).disputes[0]?.status, 'won')
})

test('changes since a cursor name each payment once, oldest first', async (t) => {
  const { fake, provider, open } = await start(t)
  const [first, second] = [await open(), await open({ id: 'chk_02' })]
  fake.pay(first.provider_id)
  const { notices, cursor } = await provider.listChanges(undefined)
  assert.deepEqual(notices, [])
  assert.deepEqual((await provider.listChanges(cursor)).notices, [])
  fake.expire(second.provider_id)
  fake.refundInDashboard(first.provider_id, eur('1.00'))
  fake.chargeBack(first.provider_id, eur('1.00'))
  const next = await provider.listChanges(cursor)
  const ids = [second.provider_id, first.provider_id]
  assert.deepEqual(
    next.notices,
    ids.map((id) => ({ event_id: id, provider_id: id })),
  )
  assert.deepEqual((await provider.listChanges(next.cursor)).notices, [])
})

test('the reversal of a chargeback is a change', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  fake.pay(provider_id)
  const chargeback = fake.chargeBack(provider_id, eur('42.00'))
  const { cursor } = await provider.listChanges(undefined)
  chargeback.reversedAt = '2999-02-01T00:00:00+00:00'
  const { notices } = await provider.listChanges(cursor)
  assert.deepEqual(notices, [{ event_id: provider_id, provider_id }])
})

test('a webhook needs the MAC of its checkout in the path', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  const url = new URL(fake.payments.get(provider_id)!.webhookUrl as string)
  assert.equal(url.origin, 'https://pay.example.com')
  const path = url.pathname.replace('/v1/processors/mollie/webhook/', '')
  assert.match(path, /^acct_01\.chk_01\.[\w-]{43}$/)
  const body = Buffer.from(`id=${provider_id}`)
  const read = (changed: string, sent = body) =>
    provider.readWebhook({ path: changed, headers: {}, body: sent })
  assert.deepEqual(await read(path), { event_id: provider_id, provider_id })
  assert.equal(await read(path, Buffer.from('id=../payments')), null)
  const forged = ['', '..', 'acct_01.chk_01', `${path}x`, path.replace('chk_01', 'chk_02')]
  for (const each of [...forged, path.slice(0, -1)]) assert.equal(await read(each), undefined)
  const other = openMollie({ api_key: 'test_456', access_token: undefined, api_url: fake.url })
  assert.equal(await other.readWebhook({ path, headers: {}, body }), undefined)
})

test('a server that Mollie cannot reach sends no webhook URL', async (t) => {
  const { fake, open } = await start(t)
  const { provider_id } = await open({ public_url: 'http://localhost:4000' })
  assert.equal(fake.payments.get(provider_id)!.webhookUrl, undefined)
})

test('a rejected key is not final, and the clock is reported', async (t) => {
  const { fake, provider } = await start(t)
  assert.ok(Math.abs((await provider.check()).at.getTime() - Date.now()) < 5_000)
  const rejected = openMollie({ api_key: 'wrong', access_token: undefined, api_url: fake.url })
  await assert.rejects(
    rejected.check(),
    (error) => error instanceof ProviderError && !error.is_final && error.code === '401',
  )
})
