// What the entries of bank statements do to payment requests.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceOfPayment } from '../../src/bank/creditor-reference.ts'
import { groupByFour } from '../../src/bank/iban.ts'
import { settleEntries } from '../../src/bank-statements/settle-entries.ts'
import { findUuid, toTypeId } from '../../src/primitives/ids.ts'
import { PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { BankFixtures, fileOf } from './bank-fixtures.ts'

const fixtures = await BankFixtures.open()
const { florin } = fixtures
const { token } = fixtures.admin
const payouts = new PayoutFixtures(florin, fixtures.admin)

test('an entry with the id and the amount of a request pays it', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 7_500)
  const entry = await fixtures.receive({ signed: 7_500, text: `Invoice ${id.toUpperCase()}` })
  const { status, settles, payment_id, account_id, reason } = entry
  assert.deepEqual(
    { status, settles, payment_id, account_id, reason },
    { status: 'settled', settles: id, payment_id: id, account_id: shop.account_id, reason: null },
  )
  assert.equal((await fixtures.getPayment(shop, id)).body.status, 'succeeded')
  assert.deepEqual(await fixtures.transactionsOf(shop), [['payment', 'succeeded', 7_500]])
  const { transaction_id } = (await fixtures.getPayment(shop, id)).body
  const { body } = await florin.call('GET', `/v1/transactions/${transaction_id}/charge`, {
    token: shop.token,
  })
  assert.deepEqual(
    [body.provider, body.charge_id, body.fee, body.net],
    ['bank_transfer', entry.id, 0, 7_500],
  )
})

const referenceOf = (id: string) => referenceOfPayment(findUuid('payment', id)!)

test('an entry with the creditor reference and the amount of a request pays it', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 4_200)
  const typed = groupByFour(referenceOf(id)).toLowerCase()
  const entry = await fixtures.receive({ signed: 4_200, text: `my order, ${typed}. Thanks` })
  assert.deepEqual([entry.status, entry.settles], ['settled', id])
  assert.deepEqual(await fixtures.transactionsOf(shop), [['payment', 'succeeded', 4_200]])
})

test('a mistyped reference, and an amount without a reference, are proposals only', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 4_321)
  const typed = referenceOf(id).replace(/.$/, (last) => (last === '2' ? '3' : '2'))
  const mistyped = await fixtures.receive({ signed: 5, text: typed })
  const proposal = { payment_id: id, reasons: ['similar_reference', 'short'], difference: -4_316 }
  assert.deepEqual([mistyped.status, mistyped.reason], ['open', 'unknown'])
  assert.deepEqual(mistyped.proposals, [proposal])
  const silent = await fixtures.receive({ signed: 4_321, text: 'thank you' })
  assert.deepEqual(silent.proposals, [{ payment_id: id, reasons: ['same_amount'], difference: 0 }])
  assert.deepEqual(await fixtures.transactionsOf(shop), [])
})

test('more than a payment can have cannot be matched', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 100)
  const entry = await fixtures.receive({ signed: 1_000_000_000_000, text: id })
  assert.deepEqual([entry.status, entry.reason], ['open', 'over'])
  const rejected = await fixtures.decide(entry.id, 'match', { payment_id: id, late: 'keep' })
  assert.equal(rejected.status, 400)
  assert.match(rejected.body.message, /at most 999999999999.*; got 1000000000000\. Return/)
})

// What becomes of money that a person matches: the request, and the transactions of its account.
const outcomes = {
  short: { received: 60, late: 'keep', status: 'pending', money: [['payment', 'succeeded', 60]] },
  over: {
    received: 150,
    late: 'keep',
    status: 'succeeded',
    money: [
      ['payment', 'succeeded', 100],
      ['payment', 'succeeded', 50],
    ],
  },
  over_refunded: {
    received: 150,
    late: 'refund',
    status: 'succeeded',
    money: [
      ['payment', 'succeeded', 100],
      ['payment', 'succeeded', 50],
      ['refund', 'pending', 50],
    ],
  },
} as const

for (const [name, { received, late, status, money }] of Object.entries(outcomes)) {
  test(`money that differs stays open until a person decides: ${name}`, async () => {
    const shop = await fixtures.euroShop()
    const id = await fixtures.euroRequest(shop, 100)
    const entry = await fixtures.receive({ signed: received, text: id })
    assert.deepEqual([entry.status, entry.reason], ['open', name.split('_')[0]])
    assert.deepEqual(entry.proposals, [
      {
        payment_id: id,
        reasons: ['same_reference', name.split('_')[0]],
        difference: received - 100,
      },
    ])
    assert.deepEqual(await fixtures.transactionsOf(shop), [])
    const body = { payment_id: id, late, note: 'Seen.' }
    const matched = await fixtures.decide(entry.id, 'match', body)
    assert.deepEqual([matched.status, matched.body.status], [200, 'settling'])
    await fixtures.settleAll()
    assert.equal((await fixtures.getPayment(shop, id)).body.status, status)
    assert.deepEqual(await fixtures.transactionsOf(shop), money)
    const again = await fixtures.decide(entry.id, 'match', body)
    assert.deepEqual([again.status, again.body.error], [409, 'conflict'])
  })
}

/** A credit of 199.00 of two transfers of 100.00, of which the bank has kept a fee of 1.00. */
function batchMinusFee(reference: string, listed = 2): string {
  const file = fileOf([{ signed: 19_900, text: 'x' }])
  const details = ['Alice', 'Bob'].slice(0, listed).map(
    (payer, at) => `<TxDtls><Amt Ccy="EUR">100.00</Amt><RltdPties>
<Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr>
<DbtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${at === 0 ? reference : 'from Bob'}</Ustrd></RmtInf></TxDtls>`,
  )
  return file.replace(/<TxDtls>.*<\/TxDtls>/s, details.join(''))
}

for (const listed of [1, 2]) {
  test(`a collective credit of which ${listed} transfers are known has no payer`, async () => {
    const shop = await fixtures.euroShop()
    const id = await fixtures.euroRequest(shop, 10_000)
    const [statement] = await fixtures.import(batchMinusFee(referenceOf(id), listed))
    await fixtures.settleAll()
    const [entry] = await fixtures.entriesOf(statement.id)
    assert.partialDeepStrictEqual(entry, {
      ...{ status: 'open', reason: 'incomplete_batch', amount: 19_900, is_complete: false },
      ...{ counterparty_name: null, counterparty_account: null, creditor_reference: null },
      remittance: `Alice ${referenceOf(id)}${listed === 1 ? '' : ' Bob from Bob'}`,
      proposals: [{ payment_id: id }],
    })
    const rejected = await fixtures.decide(entry.id, 'match', { payment_id: id })
    assert.deepEqual([rejected.status, rejected.body.error], [400, 'invalid_request'])
    assert.match(rejected.body.message, /^"late" must be "keep" or "refund".*; got nothing\. /)
    const exportRefunds = () => payouts.export(fixtures.admin, { currency: 'EUR' })
    await exportRefunds()
    const body = { payment_id: id, late: 'refund' }
    assert.equal((await fixtures.decide(entry.id, 'match', body)).status, 200)
    await fixtures.settleAll()
    assert.deepEqual(await fixtures.transactionsOf(shop), [
      ['payment', 'succeeded', 10_000],
      ['payment', 'succeeded', 9_900],
      ['refund', 'pending', 9_900],
    ])
    // No payment file contains the refund: its payer is not known.
    assert.equal((await exportRefunds()).status, 409)
  })
}

test('a transfer minus a fee keeps its payer', async () => {
  const file = batchMinusFee('thanks', 1).replaceAll('>199.00<', '>99.00<')
  const [statement] = await fixtures.import(file)
  const [entry] = await fixtures.entriesOf(statement.id)
  assert.partialDeepStrictEqual(entry, { amount: 9_900, counterparty_name: 'Alice' })
})

test('transfers for a paid request and for a canceled request stay open', async () => {
  const shop = await fixtures.euroShop()
  const paid = await fixtures.euroRequest(shop, 100)
  const canceled = await fixtures.euroRequest(shop, 100)
  await fixtures.cancelPayment(shop, canceled)
  const money = [paid, paid, canceled].map((text) => ({ signed: 100, text }))
  const [statement] = await fixtures.import(fileOf(money))
  await fixtures.settleAll()
  const entries = await fixtures.entriesOf(statement.id)
  const seen = entries.map(({ status, reason }: Record<string, string>) => `${status} ${reason}`)
  assert.deepEqual(seen.toSorted(), ['open already_paid', 'open late', 'settled null'])
  assert.deepEqual(await fixtures.transactionsOf(shop), [['payment', 'succeeded', 100]])
})

test('a transfer in another currency cannot be matched, but ignored and reopened', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const entry = await fixtures.receive({ signed: 100, text: id })
  assert.deepEqual([entry.status, entry.reason], ['open', 'wrong_currency'])
  const rejected = await fixtures.decide(entry.id, 'match', { payment_id: id })
  assert.equal(rejected.status, 400)
  assert.match(rejected.body.message, /must be in EUR.*got USD/)
  const ignored = await fixtures.decide(entry.id, 'ignore', { note: 'Returned.' })
  assert.deepEqual([ignored.body.status, ignored.body.note], ['ignored', 'Returned.'])
  const reopened = await fixtures.decide(entry.id, 'reopen')
  assert.equal(reopened.body.status, 'new')
  await fixtures.settleAll()
  assert.deepEqual(await fixtures.transactionsOf(shop), [])
})

test('a debit stays open and cannot pay a request, unless something else settles it', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 100)
  const entry = await fixtures.receive({ signed: -100, text: id })
  assert.deepEqual([entry.status, entry.reason], ['open', 'unknown'])
  assert.equal((await fixtures.decide(entry.id, 'match', { payment_id: id })).status, 400)
  const [statement] = await fixtures.import(fileOf([{ signed: -5, text: 'payout' }]))
  await fixtures.settleAll({ settlers: [async () => undefined, async () => 'po_1'] })
  const [settled] = await fixtures.entriesOf(statement.id)
  assert.deepEqual([settled.status, settled.settles], ['settled', 'po_1'])
})

test('a crash after the ledger has recorded an entry records it once', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 100)
  const entry = await fixtures.receive({ signed: 100, text: id })
  await florin.db.pool.query(
    `update bank_entries
     set status = 'settling', settles = null, next_at = now() - interval '1 second'
     where status = 'settled' and settles = $1`,
    [id],
  )
  await fixtures.settleAll()
  const { body } = await florin.call('GET', `/v1/bank_entries/${entry.id}`, { token })
  assert.equal(body.status, 'settled')
  assert.deepEqual(await fixtures.transactionsOf(shop), [['payment', 'succeeded', 100]])
})

test('an entry that cannot be settled now is settled later, without the others', async () => {
  const [statement] = await fixtures.import(
    fileOf([
      { signed: -7, text: 'fails' },
      { signed: -8, text: 'payout' },
    ]),
  )
  const decided: number[] = []
  const fails = async (
    _: unknown,
    { id, remittance }: { id: string; remittance: string | null },
  ) => {
    const path = `/v1/bank_entries/${toTypeId('bank_entry', id)}/ignore`
    decided.push((await florin.call('POST', path, { token, body: {} })).status)
    if (remittance === 'fails') throw new Error('not now')
    return 'po_1'
  }
  const errors: unknown[] = []
  const { signal } = new AbortController()
  const parts = { ...fixtures.parts, settlers: [fails] }
  const run = () => settleEntries(parts, { signal }, (error, failed) => errors.push(error, failed))
  assert.equal((await run()).done, 1)
  assert.deepEqual(errors, [new Error('not now'), 1])
  assert.equal((await run()).done, 0)
  const statuses = async () =>
    (await fixtures.entriesOf(statement.id)).map(({ status }: { status: string }) => status)
  assert.deepEqual(await statuses(), ['settling', 'settled'])
  assert.deepEqual(decided, [409, 409])
  await florin.db.pool.query(
    `update bank_entries set next_at = now() - interval '1 second' where status = 'settling'`,
  )
  await fixtures.settleAll()
  assert.deepEqual(await statuses(), ['open', 'settled'])
})

test('a request that is canceled while its entry settles leaves the entry open', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 100)
  const [statement] = await fixtures.import(fileOf([{ signed: 100, text: id }]))
  // As the worker does before it stops.
  await florin.db.pool.query(
    `update bank_entries
     set status = 'settling', accepts = 'exact', late = 'refund', account_id = $1, payment_id = $2
     where status = 'new'`,
    [shop.uuid, findUuid('payment', id)],
  )
  await fixtures.cancelPayment(shop, id)
  await fixtures.settleAll()
  const [entry] = await fixtures.entriesOf(statement.id)
  assert.deepEqual([entry.status, entry.reason, entry.payment_id], ['open', 'late', null])
})

test('an account owner gets 401, and settles nothing through a file', async () => {
  const shop = await fixtures.euroShop()
  const id = await fixtures.euroRequest(shop, 100)
  const entry = await fixtures.receive({ signed: 99, text: id })
  const file = fileOf([{ signed: 100, text: id }])
  const calls = [
    await fixtures.upload(file, { token: shop.token }),
    await fixtures.decide(entry.id, 'match', { payment_id: id }, { token: shop.token }),
    await fixtures.decide(entry.id, 'ignore', {}, { token: shop.token }),
    await florin.call('GET', '/v1/bank_entries', { token: shop.token }),
  ]
  assert.deepEqual(
    calls.map(({ status }) => status),
    [401, 401, 401, 401],
  )
  await fixtures.settleAll()
  assert.deepEqual(await fixtures.transactionsOf(shop), [])
})
