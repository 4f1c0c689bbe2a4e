// Receipts and credit notes: numbers without gaps, one document for each payment and refund, and
// content that does not change.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueCreditNote } from '../../src/documents/issue-documents.ts'
import { verifyDatabase } from '../../src/operations/verify-database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { findTransactions } from '../../src/transactions/find-transaction.ts'
import { openPaymentFixtures } from '../payments/payment-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)

const get = (shop: Shop, path: string) => florin.call('GET', path, { token: shop.token })

async function found(shop: Shop, path: string) {
  const response = await get(shop, path)
  assert.equal(response.status, 200, response.text)
  return response.body
}

async function paid(shop: Shop, body: object = {}): Promise<string> {
  const id = await fixtures.request(shop, body)
  assert.equal((await fixtures.settlePayment(id)).status, 200)
  return id
}

async function refunded(shop: Shop, payment_id: string, amount: number): Promise<string> {
  const { transaction_id } = (await fixtures.getPayment(shop, payment_id)).body
  const refund = await fixtures.refund(shop, amount, transaction_id)
  assert.equal(refund.status, 201, refund.text)
  assert.equal((await fixtures.settle(refund.body.id)).status, 200)
  return refund.body.id
}

const receiptOf = (shop: Shop, id: string) => found(shop, `/v1/payments/${id}/receipt`)
const creditNoteOf = (shop: Shop, id: string) => found(shop, `/v1/transactions/${id}/credit_note`)

test('the first request issues a receipt, and later ones return it', async () => {
  const shop = await fixtures.shop()
  const payment_id = await paid(shop, { amount: 7_500, reference: 'Invoice 1' })
  const receipt = await receiptOf(shop, payment_id)
  const { transaction_id } = (await fixtures.getPayment(shop, payment_id)).body
  assert.deepEqual(receipt, {
    id: receipt.id,
    account_id: shop.account_id,
    type: 'receipt',
    number: 1,
    receipt_number: null,
    payment_id,
    transaction_id,
    amount: 7_500,
    currency: 'USD',
    customer_email: 'customer@example.com',
    reference: 'Invoice 1',
    created_at: receipt.created_at,
  })
  assert.deepEqual(await receiptOf(shop, payment_id), receipt)
  assert.deepEqual(await found(shop, `/v1/documents/${receipt.id}`), receipt)
})

test('a credit note follows the receipt of its payment', async () => {
  const shop = await fixtures.shop(1)
  const payment_id = await paid(shop, { amount: 500 })
  const first = await refunded(shop, payment_id, 200)
  const second = await refunded(shop, payment_id, 300)
  const credit_note = await creditNoteOf(shop, second)
  assert.equal(credit_note.type, 'credit_note')
  assert.equal(credit_note.amount, 300)
  assert.equal(credit_note.receipt_number, 1)
  assert.equal(credit_note.number, 2)
  assert.equal(credit_note.transaction_id, second)
  assert.equal((await receiptOf(shop, payment_id)).number, 1)
  assert.equal((await creditNoteOf(shop, first)).number, 3)
  assert.deepEqual(await creditNoteOf(shop, second), credit_note)
})

test('a refund that fails while its credit note is issued has none', async () => {
  const shop = await fixtures.shop(1)
  const payment_id = await paid(shop, { amount: 500 })
  const { transaction_id } = (await fixtures.getPayment(shop, payment_id)).body
  const { body } = await fixtures.refund(shop, 200, transaction_id)
  const key = { account_id: shop.uuid, id: findUuid('transaction', body.id)! }
  const [row] = await findTransactions(florin.db, [key])
  const seen = { ...row!, status: 'succeeded' as const }
  await assert.rejects(issueCreditNote({ db: florin.db, sandbox: false }, seen), {
    code: 'conflict',
    message: /the status of this one is "pending"/,
  })
  assert.deepEqual((await found(shop, '/v1/documents')).data, [])
})

test('numbers have no gaps under concurrent requests', async () => {
  const shop = await fixtures.shop()
  const ids = await Promise.all(Array.from({ length: 12 }, () => paid(shop)))
  const requests = [...ids, ...ids].map((id) => receiptOf(shop, id))
  const receipts = await Promise.all(requests)
  const numbers = new Set(receipts.map(({ number }) => number))
  assert.deepEqual(
    [...numbers].sort((a, b) => a - b),
    Array.from(ids, (_, at) => at + 1),
  )
  const { data } = await found(shop, '/v1/documents?limit=100')
  assert.deepEqual(
    data.map((one: { number: number }) => one.number),
    Array.from(ids, (_, at) => 12 - at),
  )
})

test('each account has its own numbers', async () => {
  const [one, other] = [await fixtures.shop(), await fixtures.shop()]
  assert.equal((await receiptOf(one, await paid(one))).number, 1)
  assert.equal((await receiptOf(other, await paid(other))).number, 1)
})

test('what is not paid or not refunded has no document', async () => {
  const shop = await fixtures.shop(1_000)
  const pending = await fixtures.request(shop)
  const payment_id = await paid(shop)
  const { transaction_id } = (await fixtures.getPayment(shop, payment_id)).body
  const refund = await fixtures.refund(shop, 10, transaction_id)
  const unlinked = await fixtures.refund(shop, 10)
  await fixtures.settle(unlinked.body.id)
  const refusals: [string, RegExp][] = [
    [`/v1/payments/${pending}/receipt`, /^Only a paid request has a receipt; .* "pending"\.$/],
    [`/v1/transactions/${transaction_id}/credit_note`, /^Only a refund has a credit note; /],
    [`/v1/transactions/${refund.body.id}/credit_note`, /has succeeded .* "pending"\.$/],
    [`/v1/transactions/${unlinked.body.id}/credit_note`, /belongs to no payment request/],
  ]
  for (const [path, message] of refusals) {
    const response = await get(shop, path)
    assert.equal(response.status, 409, path)
    assert.match(response.body.message, message)
  }
  assert.deepEqual((await found(shop, '/v1/documents')).data, [])
})

test('a change of the account or of the payment does not change a document', async () => {
  const shop = await fixtures.shop()
  const payment_id = await paid(shop, { reference: 'Before' })
  const path = `/v1/payments/${payment_id}/receipt?format=pdf`
  const before = await get(shop, path)
  assert.equal(before.headers.get('content-type'), 'application/pdf')
  assert.equal(before.headers.get('content-disposition'), 'attachment; filename="receipt-1.pdf"')
  await florin.call('PATCH', '/v1/account', { token: shop.token, body: { name: 'Renamed' } })
  const { transaction_id } = (await fixtures.getPayment(shop, payment_id)).body
  await fixtures.patch(shop, transaction_id, { reference: 'After' })
  assert.equal((await get(shop, path)).text, before.text)
  assert.equal((await receiptOf(shop, payment_id)).reference, 'Before')
})

test('documents are listed by number, with cursors and by type', async () => {
  const shop = await fixtures.shop()
  const ids = [await paid(shop), await paid(shop), await paid(shop)]
  for (const id of ids) await receiptOf(shop, id)
  await creditNoteOf(shop, await refunded(shop, ids[0]!, 10))
  const page = await found(shop, '/v1/documents?limit=2')
  const numbersOf = ({ data }: { data: { number: number }[] }) => data.map(({ number }) => number)
  assert.deepEqual(numbersOf(page), [4, 3])
  assert.equal(page.has_more, true)
  const next = await found(shop, `/v1/documents?starting_after=${page.data[1].id}`)
  assert.deepEqual(numbersOf(next), [2, 1])
  const newer = await found(shop, `/v1/documents?ending_before=${next.data[0].id}`)
  assert.deepEqual(numbersOf(newer), [4, 3])
  assert.deepEqual(numbersOf(await found(shop, '/v1/documents?type=credit_note')), [4])
})

test('a closed account still has its documents, and gets those of its payments', async () => {
  const shop = await fixtures.shop()
  const payment_id = await paid(shop)
  await refunded(shop, payment_id, 100)
  const header = { 'florin-account': shop.account_id }
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.ok(closed.status < 300, closed.text)
  const options = { token: fixtures.admin.token, headers: header }
  const response = await florin.call('GET', `/v1/payments/${payment_id}/receipt`, options)
  assert.equal(response.body.number, 1, response.text)
})

test('verify finds a gap', async () => {
  const shop = await fixtures.shop()
  for (const id of [await paid(shop), await paid(shop)]) await receiptOf(shop, id)
  const move = (from: number, to: number) =>
    florin.db.pool.query('update documents set number = $3 where account_id = $1 and number = $2', [
      shop.uuid,
      from,
      to,
    ])
  await move(2, 3)
  const rules: string[] = []
  await verifyDatabase(florin.db, { onDifference: ({ rule }) => rules.push(rule) })
  await move(3, 2)
  assert.deepEqual(rules, ['documents_have_no_gaps'])
})

test('the payer downloads the documents with the link of the payment page', async () => {
  const shop = await fixtures.shop()
  const { id, payment_url } = (await fixtures.createPayment(shop)).body
  const path = new URL(payment_url).pathname
  assert.equal((await fetch(`${florin.url}${path}/receipt`)).status, 404, 'not paid')
  await fixtures.settlePayment(id)
  const refund = await refunded(shop, id, 100)
  const page = await (await fetch(`${florin.url}${path}?lang=de`)).text()
  const links = [...page.matchAll(/href="([^"]+)" download>([^<]+)</g)].map(([, ...one]) => one)
  assert.deepEqual(links, [
    [`${path}/receipt?lang=de`, 'Beleg herunterladen (PDF)'],
    [`${path}/credit-note/${refund}?lang=de`, 'Erstattungsbeleg herunterladen (PDF)'],
  ])
  for (const [href] of links) {
    const response = await fetch(florin.url + href)
    assert.equal(response.headers.get('content-type'), 'application/pdf')
    assert.match(await response.text(), /^%PDF-1\.7/)
  }
  assert.equal((await creditNoteOf(shop, refund)).number, 2)
  const { transaction_id } = (await fixtures.getPayment(shop, id)).body
  for (const other of [transaction_id, 'txn_x', await fixtures.pending(shop)]) {
    assert.equal((await fetch(`${florin.url}${path}/credit-note/${other}`)).status, 404, other)
  }
})
