// Every call of the adapter, checked by Stripe's own mock: an unknown or mistyped parameter, or
// another API version, is rejected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderError } from '../../src/processors/provider.ts'
import { openStripe } from '../../src/processors/stripe.ts'
import { noStripeMock, startStripeMock } from '../support/stripe-mock.ts'

test('stripe-mock accepts every call', { skip: noStripeMock }, async (t) => {
  const api_url = await startStripeMock(t)
  const stripe = openStripe({ secret_key: 'sk_test_123', webhook_secrets: [], api_url })
  const opened = await stripe.createCheckout({
    account_id: 'acct_01',
    id: 'chk_01',
    amount: 4_200,
    currency: 'EUR',
    description: 'Invoice 7',
    payer_email: 'payer@example.com',
    language: 'de',
    success_url: 'https://pay.example.com/pay/x?returned=1',
    cancel_url: 'https://pay.example.com/pay/x',
    public_url: 'https://pay.example.com',
    expires_at: new Date(Date.now() + 3_600_000),
  })
  assert.match(opened.provider_id, /^cs_/)
  assert.ok(opened.expires_at.getTime() > 0)
  for (const id of [opened.provider_id, 'pi_1']) {
    const snapshot = await stripe.fetchSnapshot(id)
    assert.match(snapshot!.provider_id, /^cs_/)
  }
  assert.match((await stripe.expireCheckout(opened.provider_id)).provider_id, /^cs_/)
  const refund = await stripe.refund({
    transaction_id: 'txn_1',
    provider_id: opened.provider_id,
    charge_id: 'ch_1',
    amount: 100,
    currency: 'EUR',
  })
  assert.match(refund.id, /^re_/)
  const first = await stripe.listChanges(undefined)
  await stripe.listChanges(first.cursor)
  const { listEntries, listSettlements } = stripe.balance!
  const since = new Date(0)
  const { rows } = await listEntries({ since }, undefined)
  assert.match(rows[0]!.id, /^txn_/)
  const [settlement] = (await listSettlements({ since }, undefined)).rows
  assert.match(settlement!.id, /^po_/)
  await listEntries({ settlement_id: settlement!.id }, rows[0]!.id)
  await listSettlements({ since }, settlement!.id)
  await stripe.check()
})

test('a rejected request is final, a lost one is not', { skip: noStripeMock }, async (t) => {
  const api_url = await startStripeMock(t)
  const stripe = openStripe({ secret_key: 'sk_test_123', webhook_secrets: [], api_url })
  const rejected = { transaction_id: 'txn_1', provider_id: 'cs_1', charge_id: 'ch_1' }
  await assert.rejects(
    stripe.refund({ ...rejected, amount: Number.NaN, currency: 'EUR' }),
    (error) => error instanceof ProviderError && error.is_final,
  )
  // Refunds wait until the operator has replaced the key.
  const refused = openStripe({ secret_key: 'not a key', webhook_secrets: [], api_url })
  await assert.rejects(
    refused.check(),
    (error) => error instanceof ProviderError && !error.is_final,
  )
  const lost = openStripe({
    secret_key: 'sk_test_123',
    webhook_secrets: [],
    api_url: 'http://127.0.0.1:9',
  })
  await assert.rejects(lost.check(), (error) => error instanceof ProviderError && !error.is_final)
})
