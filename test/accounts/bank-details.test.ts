// The bank account that payers transfer to: set by operators, shown on the payment page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceOfPayment } from '../../src/bank/creditor-reference.ts'
import { groupByFour } from '../../src/bank/iban.ts'
import { findByReference } from '../../src/payments/find-payment.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { Customer } from '../payments/customer.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import type { Owner } from '../support/people.ts'

const florin = await startFlorin({
  FLORIN_PROCESSOR: 'bank_transfer',
  FLORIN_BANK_IBAN: 'NL91 ABNA 0417 1643 00',
  FLORIN_BANK_NAME: 'Operator B.V.',
  FLORIN_PAYMENT_INSTRUCTIONS: 'instructions of the server',
})
const admin = await florin.people.admin()
const path = '/v1/account/bank_details'

const as = (account_id: string, token = admin.token) => ({
  token,
  headers: { 'florin-account': account_id },
})
const set = (account_id: string, body: unknown) =>
  florin.call('POST', path, { ...as(account_id), body })

const iban_details = { name: 'Acme GmbH', iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeff' }
const instance = {
  source: 'instance',
  name: 'Operator B.V.',
  iban: 'NL91ABNA0417164300',
  bic: null,
  fields: [],
  updated_at: null,
}

test('an account without bank details uses those of the server', async () => {
  const { token, account_id } = await florin.people.owner()
  const before = await florin.call('GET', path, { token })
  assert.deepEqual(before.body, { account_id, ...instance })
  const changed = await set(account_id, iban_details)
  assert.equal(changed.status, 200, changed.text)
  const { updated_at } = changed.body
  assert.deepEqual(changed.body, {
    account_id,
    source: 'account',
    name: 'Acme GmbH',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFF',
    fields: [],
    updated_at,
  })
  assert.deepEqual((await florin.call('GET', path, { token })).body, changed.body)
  await assertNoChanges(florin.db.pool, async () => {
    assert.equal((await set(account_id, iban_details)).status, 200)
  })
  const removed = await florin.call('DELETE', path, as(account_id))
  assert.deepEqual(removed.body, before.body)
})

test('fields identify a bank account in countries without IBANs', async () => {
  const { account_id } = await florin.people.owner()
  const fields = [
    { label: 'Routing number', value: '021000021' },
    { label: 'Account number', value: '1234567890' },
  ]
  const changed = await set(account_id, { name: 'Acme Inc.', fields })
  assert.deepEqual([changed.body.iban, changed.body.fields], [null, fields])
})

test('details that do not identify a bank account are rejected and change nothing', async () => {
  const { account_id } = await florin.people.owner()
  const fields = [{ label: 'Account number', value: '1' }]
  const cases: [object, RegExp][] = [
    [{ name: 'Acme' }, /Either "iban" or "fields" must identify/],
    [{ ...iban_details, fields }, /not both/],
    [{ name: 'Acme', fields, bic: 'COBADEFF' }, /"bic" must be sent with "iban" only/],
    [
      { ...iban_details, iban: 'DE88370400440532013000' },
      /"iban" has wrong check digits.*got "DE88/,
    ],
    [{ ...iban_details, bic: 'X' }, /"bic" must be a BIC/],
    [{ ...iban_details, name: '\u200b' }, /"name" must not be blank/],
    [{ ...iban_details, name: 'x'.repeat(71) }, /name/],
    [{ ...iban_details, name: 'two\nlines' }, /name/],
    [{ name: 'Acme', fields: [{ label: ' ', value: '1' }] }, /"fields\[0\]\.label" must not be/],
    [{ name: 'Acme', fields: Array(9).fill(fields[0]) }, /fields/],
  ]
  await assertNoChanges(florin.db.pool, async () => {
    for (const [body, expected] of cases) {
      const response = await set(account_id, body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.match(response.body.message, expected)
    }
  })
})

test('an owner cannot change where the money of payers goes', async () => {
  const owner = await florin.people.owner()
  const { token } = owner
  await assertNoChanges(florin.db.pool, async () => {
    assert.equal((await florin.call('POST', path, { token, body: iban_details })).status, 401)
    assert.equal((await florin.call('DELETE', path, { token })).status, 401)
  })
  const body = { payment_instructions: 'Transfer to my own IBAN' }
  await florin.call('PATCH', '/v1/account/branding', { token, body })
  const page = await openPage(await requestIn('EUR', owner))
  assert.doesNotMatch(page.text, /my own IBAN|instructions of the server/)
})

test('the page shows the bank account, the code and a QR code', async () => {
  const owner = await florin.people.owner()
  const { account_id } = owner
  const payment = await requestIn('EUR', owner)
  const before = await openPage(payment)
  assert.equal(before.state, 'manual')
  for (const text of ['Operator B.V.', 'NL91 ABNA 0417 1643 00', codeOf(payment.id)]) {
    assert.ok(before.text.includes(`>${text}<`), text)
  }
  assert.ok(!before.text.includes(payment.id), 'the id is not shown')
  assert.match(before.text, /<figure class="qr">\s*<svg role="img"/)
  await set(account_id, iban_details)
  const after = await openPage(payment)
  assert.match(after.text, /DE89 3704 0044 0532 0130 00/)
  assert.match(after.text, />COBADEFF</)
  assert.doesNotMatch(after.text, /NL91/)
})

test('a transfer in another currency has no QR code', async () => {
  const owner = await florin.people.owner()
  const page = await openPage(await requestIn('USD', owner))
  assert.match(page.text, /NL91 ABNA/)
  assert.doesNotMatch(page.text, /class="qr"/)
})

test('without any bank account the page takes no payment', async () => {
  const server = await florin.startSecondServer({
    FLORIN_PROCESSOR: 'bank_transfer',
    FLORIN_BANK_IBAN: '',
    FLORIN_BANK_NAME: '',
  })
  const owner = await florin.people.owner()
  const { account_id } = owner
  const payment = await requestIn('EUR', owner)
  assert.equal((await openPage(payment, server.url)).state, 'unavailable')
  await set(account_id, { name: 'Acme', fields: [{ label: 'Account', value: '<b>7</b>' }] })
  const page = await openPage(payment, server.url)
  assert.equal(page.state, 'manual')
  assert.match(page.text, />&lt;b&gt;7&lt;\/b&gt;</)
})

test('next to a provider, the page offers both', async () => {
  const server = await florin.startSecondServer({
    FLORIN_PROCESSOR: 'stripe,bank_transfer',
    FLORIN_STRIPE_SECRET_KEY: 'sk_test_unused',
    FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_dW51c2Vk',
  })
  const payment = await requestIn('EUR', await florin.people.owner())
  const page = await openPage(payment, server.url)
  assert.equal(page.state, 'checkout')
  const [provider, transfer] = ['name="provider" value="stripe"', 'NL91 ABNA 0417 1643 00']
  assert.ok(page.text.indexOf(provider) < page.text.indexOf(transfer))
  assert.ok(page.text.includes(provider))
})

test('emails contain neither bank details nor the id that the code replaces', async () => {
  const owner = await florin.people.owner()
  const { id } = await requestIn('EUR', owner)
  const { body } = await florin.call('GET', '/v1/emails', as(owner.account_id))
  const [email] = body.data
  assert.equal(email.kind, 'payment_request')
  const parts = await florin.call('GET', `/v1/emails/${email.id}`, as(owner.account_id))
  const shown = `${parts.body.text}${parts.body.html}`
  assert.match(shown, /how to pay/)
  assert.ok(!shown.includes(id))
  assert.doesNotMatch(shown, /NL91|IBAN/)
})

test('a payment request is found by its code', async () => {
  const owner = await florin.people.owner()
  const { token } = owner
  const { id } = await requestIn('EUR', owner)
  const reference = referenceOfPayment(findUuid('payment', id)!)
  const rows = await findByReference(florin.db, [reference, 'RF18539007547034'])
  assert.deepEqual(
    rows.map((row) => row.id),
    [findUuid('payment', id)],
  )
  const search = async (caller: string, q: string) => {
    const query = new URLSearchParams({ q })
    const { body } = await florin.call('GET', `/v1/search?${query}`, { token: caller })
    return body.data.map((found: { id: string }) => found.id)
  }
  assert.deepEqual(await search(token, codeOf(id)), [id])
  assert.deepEqual(await search(admin.token, codeOf(id).toLowerCase()), [id])
  const stranger = await florin.people.owner()
  assert.deepEqual(await search(stranger.token, codeOf(id)), [])
})

function codeOf(id: string): string {
  return groupByFour(referenceOfPayment(findUuid('payment', id)!))
}

async function requestIn(currency: string, { token, account_id }: Owner) {
  const settings = { currency }
  await florin.call('PATCH', '/v1/account', { token, body: { settings } })
  const body = { account_id, amount: 7_500, currency, customer_email: 'ann@example.com' }
  const created = await florin.call('POST', '/v1/payments', { token, body })
  assert.equal(created.status, 201, created.text)
  return created.body as { id: string; payment_url: string }
}

function openPage({ payment_url }: { payment_url: string }, url = florin.url) {
  return new Customer(url, payment_url).open()
}
