// The adapter against the stateful stand-in for Stripe, whose responses are validated against the
// published API description where it is installed.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Checkout, ProviderError } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { noStripeSchema, validateStripeResponse } from '../support/stripe-schema.ts'

async function start(t: TestContext) {
  if (noStripeSchema) t.diagnostic(noStripeSchema)
  const fake = await FakeStripe.start(validateStripeResponse)
  t.after(() => fake.stop())
  const secret_key = 'sk_test_123'
  const provider = openStripe({ secret_key, webhook_secrets: ['whsec_1'], api_url: fake.url })
  const open = () => provider.createCheckout(checkout)
  return { fake, provider, open }
}

const checkout: Checkout = {
  account_id: 'acct_01',
  id: 'chk_01',
  amount: 4_200,
  currency: 'EUR',
  description: 'Invoice 7',
  payer_email: null,
  language: 'en',
  success_url: 'https://pay.example.com/pay/x?returned=1',
  cancel_url: 'https://pay.example.com/pay/x',
  public_url: 'https://pay.example.com',
  expires_at: new Date(Date.now() + 3_600_000),
}

test('a checkout is open until it is paid, and then has a charge and a fee', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id, url } = await open()
  assert.ok(url.startsWith(fake.url))
  const before = await provider.fetchSnapshot(provider_id)
  assert.deepEqual([before?.state, before?.charge], ['open', null])
  assert.deepEqual(before?.checkout, { account_id: 'acct_01', checkout_id: 'chk_01' })
  fake.has_fees = false
  const charge = fake.pay(provider_id)!
  const paid = await provider.fetchSnapshot(provider_id)
  assert.equal(paid?.state, 'paid')
  assert.deepEqual(paid?.charge, { id: charge.id, amount: 4_200, fee: null, card: null })
  fake.has_fees = true
  assert.equal((await provider.fetchSnapshot(provider_id))?.charge?.fee, 88)
})

// The library of Stripe repeats a request once if the connection was closed, with the same key.
test('creating a checkout again after a lost response returns the first one', async (t) => {
  const { fake, open } = await start(t)
  fake.faults.set('/v1/checkout', ['lose_response', 'lose_response'])
  await assert.rejects(open(), (error) => error instanceof ProviderError && !error.is_final)
  await open()
  assert.equal(fake.sessions.size, 1)
})

test('expiring a paid checkout reports the payment', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  fake.pay(provider_id)
  assert.equal((await provider.expireCheckout(provider_id)).state, 'paid')
})

test('expiring an open checkout ends it', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  assert.equal((await provider.expireCheckout(provider_id)).state, 'ended')
  assert.equal(fake.pay(provider_id), undefined)
})

test('a refund happens once, and refunds of the dashboard are seen', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  const charge_id = fake.pay(provider_id)!.id
  const request = { provider_id, charge_id, transaction_id: 'txn_1', amount: 200, currency: 'EUR' }
  fake.faults.set('/v1/refunds', ['lose_response', 'lose_response'])
  await assert.rejects(provider.refund(request), (error) => !(error as ProviderError).is_final)
  await provider.refund(request)
  const dashboard = fake.refundInDashboard(charge_id, 300)
  const snapshot = await provider.fetchSnapshot(provider_id)
  assert.deepEqual(
    snapshot?.refunds.map(({ transaction_id, amount, state }) => [transaction_id, amount, state]),
    [
      [null, 300, 'succeeded'],
      ['txn_1', 200, 'succeeded'],
    ],
  )
  fake.failRefund(dashboard.id)
  assert.equal((await provider.fetchSnapshot(provider_id))?.refunds[0]?.state, 'failed')
  const over = { ...request, transaction_id: 'txn_2', amount: 4_001 }
  await assert.rejects(provider.refund(over), (error) => (error as ProviderError).is_final)
})

test('a dispute may exceed the payment', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  const dispute = fake.dispute(fake.pay(provider_id)!.id, 5_700)
  const find = async () => (await provider.fetchSnapshot(provider_id))!.disputes[0]!
  const { amount, reason, status } = await find()
  assert.deepEqual([amount, reason, status], [5_700, 'fraudulent', 'needs_response'])
  fake.closeDispute(dispute.id, 'won')
  assert.equal((await find()).status, 'won')
})

test('the balance has every movement, and a settlement has its entries', async (t) => {
  const { fake, provider, open } = await start(t)
  const { provider_id } = await open()
  const charge_id = fake.pay(provider_id)!.id
  fake.failRefund(fake.refundInDashboard(charge_id, 300).id)
  const dispute = fake.dispute(charge_id, 5_700)
  fake.closeDispute(dispute.id, 'won')
  fake.balance.addAccountFee(200, 'eur')
  const payout = fake.balance.payOut('eur')
  const since = new Date(0)
  const { rows } = await provider.balance!.listEntries({ since }, undefined)
  const shown = rows.map(({ kind, amount, fee, charge_id: of, account_id }) =>
    [kind, amount, fee, of ?? '', account_id ?? ''].join(' ').trim(),
  )
  assert.deepEqual(shown.toReversed(), [
    'charge 4200 88  acct_01',
    `refund -300 0 ${charge_id}`,
    `refund 300 0 ${charge_id}`,
    `dispute -5700 1500 ${charge_id}`,
    `dispute 5700 0 ${charge_id}`,
    'other -200 0',
    'settlement -2412 0',
  ])
  const settlements = await provider.balance!.listSettlements({ since }, undefined)
  const [settlement] = settlements.rows
  assert.deepEqual(
    [settlement!.amount, settlement!.grouping, settlement!.references],
    [2_412, 'complete', ['TRACE0001', payout.id]],
  )
  fake.balance.addAccountFee(100, 'eur')
  const of_settlement = await provider.balance!.listEntries({ settlement_id: payout.id }, undefined)
  assert.equal(of_settlement.rows.length, 7)
})

test('the balance is listed over several pages, until entries are too old', async (t) => {
  const { fake, provider } = await start(t)
  for (let entries = 0; entries < 250; entries++) fake.balance.addAccountFee(1, 'eur')
  const first = await provider.balance!.listEntries({ since: new Date(0) }, undefined)
  const second = await provider.balance!.listEntries({ since: new Date(0) }, first.next)
  const ids = [...first.rows, ...second.rows].map(({ id }) => id)
  assert.deepEqual([ids.length, new Set(ids).size], [200, 200])
  const later = new Date(Date.now() + 60_000)
  const recent = await provider.balance!.listEntries({ since: later }, undefined)
  assert.equal(recent.next, undefined)
})

test('changes are listed from a cursor, oldest first', async (t) => {
  const { fake, provider, open } = await start(t)
  const first = await provider.listChanges(undefined)
  const { provider_id } = await open()
  const charge_id = fake.pay(provider_id)!.id
  fake.refundInDashboard(charge_id, 100)
  const next = await provider.listChanges(first.cursor)
  const intent = fake.charges.get(charge_id)!.payment_intent as string
  const [paid, refunded] = fake.events.map(({ id }) => id)
  assert.deepEqual(next.notices, [
    { event_id: paid, provider_id },
    { event_id: refunded, provider_id: intent },
  ])
  assert.equal((await provider.fetchSnapshot(intent))?.provider_id, provider_id)
  assert.deepEqual(await provider.listChanges(next.cursor), { notices: [], cursor: next.cursor })
})

test('changes since an empty cursor are listed over several pages', async (t) => {
  const { fake, provider, open } = await start(t)
  const { cursor } = await provider.listChanges(undefined)
  const charge = fake.pay((await open()).provider_id)!
  for (let refunds = 0; refunds < 150; refunds++) fake.refundInDashboard(charge.id, 1)
  const { notices } = await provider.listChanges(cursor)
  assert.deepEqual(
    notices.map(({ event_id }) => event_id),
    fake.events.map(({ id }) => id),
  )
})

for (const [is_accepted, state] of [
  [true, 'paid'],
  [false, 'failed'],
] as const) {
  test(`a bank debit is processing until it is ${state}`, async (t) => {
    const { fake, provider, open } = await start(t)
    const { provider_id } = await open()
    const find = () => provider.fetchSnapshot(provider_id)
    fake.payByDebit(provider_id)
    assert.deepEqual([(await find())?.state, (await find())?.charge], ['processing', null])
    fake.endDebit(provider_id, is_accepted)
    assert.equal((await find())?.state, state)
  })
}

test('all changes are listed if Stripe has deleted the event of the cursor', async (t) => {
  const { fake, provider, open } = await start(t)
  fake.pay((await open()).provider_id)
  const { notices, cursor } = await provider.listChanges('evt_deleted')
  assert.deepEqual([notices.length, cursor], [1, fake.events[0]!.id])
})

test('an error that Stripe stored for a key stays unknown', async (t) => {
  const { fake, provider, open } = await start(t)
  fake.faults.set('/v1/checkout', ['freeze_500'])
  for (const _ of [1, 2]) {
    await assert.rejects(open(), (error) => !(error as ProviderError).is_final)
  }
  assert.equal(await provider.fetchSnapshot('cs_unknown'), undefined)
})
