// Refunds of payments that arrived by bank transfer: they are in the same payment files as payouts,
// and bank entries settle them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PayoutComparison } from '../../src/operations/compare-payouts.ts'
import { listPaidOut } from '../../src/operations/reconcile-bank.ts'
import { type OutgoingEntry, settleOutgoing } from '../../src/payouts/settle-outgoing.ts'
import { findUuid, max_uuid, newUuid, nil_uuid } from '../../src/primitives/ids.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { BankFixtures, type PaidShop } from '../bank-statements/bank-fixtures.ts'
import { cleanUp, letSlicesRun, stopSlices } from '../operations/closing/leftovers.ts'
import { patient } from '../support/florin.ts'
import { PayoutFixtures } from './payout-fixtures.ts'

const bank = await BankFixtures.open()
const { florin, admin } = bank
const payouts = new PayoutFixtures(florin, admin)
const lanes = new TransactionLanes(florin.db, patient)

// Of the payer in the statements of the fixtures.
const payer_iban = 'FR1420041010050500013M02606'

const exportEuros = () => payouts.export(admin, { currency: 'EUR' })
const fileOf = async (id: string) =>
  (await florin.call('GET', `/v1/payout_exports/${id}/file`, { token: admin.token })).text
const statusOf = async (id: string) => (await bank.get(admin, id)).body.status

const debit = (id: string, more: Partial<OutgoingEntry> = {}): OutgoingEntry => ({
  id: newUuid(Date.now()),
  direction: 'debit',
  amount: 4_000,
  currency: 'EUR',
  is_reversal: false,
  return_reason: null,
  end_to_end_id: id.replace('_', '-'),
  payment_information_id: null,
  remittance: null,
  target: null,
  ...more,
})
const settle = (entry: OutgoingEntry) => settleOutgoing({ db: florin.db, lanes }, entry)

/** What reconciliation finds if these entries have settled refunds of the account. */
async function differencesOf({ shop }: PaidShop, shown: OutgoingEntry[]): Promise<string[]> {
  const all = await listPaidOut(florin.db, { after: nil_uuid, through: max_uuid })
  const entries = shown.map(({ id, direction, amount, currency }) => {
    const signed = direction === 'credit' ? amount : -amount
    return { id, settles: 'txn_', amount: signed, currency, is_recent: false }
  })
  const comparison = new PayoutComparison([], 0)
  comparison.addPayouts(all.filter(({ account_id }) => account_id === shop.uuid))
  comparison.addEntries(entries)
  return comparison.end().differences.map(({ found }) => found)
}

test('a refund is exported to the payer once, and settled by its debit', async () => {
  const paid = await bank.paidShop()
  const id = await bank.refunded(paid)
  const made = await exportEuros()
  assert.deepEqual([made.body.payouts, made.body.refunds, made.body.amount], [0, 1, 4_000])
  const file = await fileOf(made.body.id)
  assert.match(file, new RegExp(`<EndToEndId>${id.replace('_', '-')}</EndToEndId>`))
  assert.ok(file.includes(payer_iban))
  assert.equal((await exportEuros()).status, 409)
  const canceled = await bank.cancel(paid.shop, id)
  assert.deepEqual([canceled.status, canceled.body.error], [409, 'not_cancellable'])
  assert.match(canceled.body.message, /has been sent to the bank/)

  assert.equal(await settle(debit(id, { amount: 3_999 })), undefined)
  const shown = debit(id)
  assert.deepEqual([await settle(shown), await settle(shown)], [id, id])
  assert.equal(await settle(debit(id)), undefined, 'a second debit is left to a person')
  assert.equal(await statusOf(id), 'succeeded')
  assert.deepEqual(await payouts.funds(paid.shop), [6_000, 0])
  assert.deepEqual(await differencesOf(paid, [shown]), [])

  const back = debit(id, { direction: 'credit', return_reason: 'AC04' })
  assert.deepEqual([await settle(back), await settle(back)], [id, id])
  assert.deepEqual(await bank.transactionsOf(paid.shop), [
    ['payment', 'succeeded', 10_000],
    ['refund', 'succeeded', 4_000],
    ['credit', 'succeeded', 4_000],
  ])
  assert.deepEqual(await differencesOf(paid, [shown, back]), [])
  assert.deepEqual(await differencesOf(paid, [shown]), ['-4000 more at the bank than its payouts'])
})

test('a refund that the bank returned gets no credit note, and the next one does', async () => {
  const paid = await bank.paidShop()
  const noteOf = (id: string) =>
    florin.call('GET', `/v1/transactions/${id}/credit_note`, { token: paid.shop.token })
  const back = (id: string) => debit(id, { amount: 10_000, direction: 'credit', is_reversal: true })
  const ids: string[] = []
  for (let time = 0; time < 3; time++) {
    const id = await bank.refunded(paid, 10_000)
    ids.push(id)
    await exportEuros()
    assert.equal(await settle(debit(id, { amount: 10_000 })), id)
    // One note is issued before the return: numbers have no gaps, so it stays.
    if (time === 1) assert.equal((await noteOf(id)).body.number, 2)
    if (time < 2) assert.equal(await settle(back(id)), id)
  }
  const notes = await Promise.all(ids.map(noteOf))
  assert.deepEqual(
    notes.map(({ status }) => status),
    [409, 200, 200],
  )
  assert.match(
    notes[0]!.body.message,
    /^This refund has no credit note: it was returned, and txn_\w{26} credits its amount\.$/,
  )
})

test('a refund that comes back before its debit was read releases its amount', async () => {
  const paid = await bank.paidShop()
  const id = await bank.refunded(paid)
  await exportEuros()
  const [back, shown] = [debit(id, { direction: 'credit', is_reversal: true }), debit(id)]
  assert.equal(await settle(back), id)
  assert.equal(await statusOf(id), 'failed')
  assert.deepEqual(await differencesOf(paid, [back]), [])
  assert.equal(await settle(shown), id)
  assert.equal(await statusOf(id), 'failed')
  assert.deepEqual(await differencesOf(paid, [back, shown]), [])
  assert.deepEqual(await payouts.funds(paid.shop), [10_000, 0])
})

test('one debit of a file settles its payouts and its refunds', async () => {
  const paid = await bank.paidShop()
  await payouts.setDestination(paid.shop)
  const payout = await payouts.approved(paid.shop, 1_000)
  const id = await bank.refunded(paid)
  const { body } = await exportEuros()
  assert.deepEqual([body.payouts, body.refunds, body.amount], [1, 1, 5_000])
  const names = { end_to_end_id: null, payment_information_id: body.id }
  assert.equal(await settle(debit('', { amount: 5_000, ...names })), body.id)
  assert.equal(await statusOf(id), 'succeeded')
  assert.equal((await payouts.read(admin, payout.id)).body.status, 'paid')
})

test('one debit of a file may have the texts of its transfers, or of one', async () => {
  const paid = await bank.paidShop()
  await payouts.setDestination(paid.shop)
  const one = await payouts.approved(paid.shop, 1_000)
  const id = await bank.refunded(paid)
  const { body } = await exportEuros()
  const names = { end_to_end_id: null, payment_information_id: body.id, amount: 5_000 }
  const text = debit('', { ...names, remittance: `A ${one.id} ${id}` })
  assert.equal(await settle({ ...text, payment_information_id: null }), undefined)
  assert.equal(await settle(text), body.id)
  assert.equal(await settle({ ...text, remittance: `A ${one.id}` }), body.id)
  assert.equal(await statusOf(id), 'succeeded')
  assert.equal((await payouts.read(admin, one.id)).body.status, 'paid')
})

test('a debit is left to a person if an equal refund was canceled with its account', async () => {
  const [closed, open] = [await bank.paidShop(), await bank.paidShop()]
  const ids = [await bank.refunded(closed), await bank.refunded(open)]
  const { body } = await exportEuros()
  const { token } = closed.shop
  assert.equal((await florin.call('DELETE', '/v1/account', { token })).status, 200)
  await cleanUp(florin, closed.shop.uuid)
  const names = { end_to_end_id: null, payment_information_id: body.id }
  assert.equal(await settle(debit('', names)), undefined)
  assert.equal(await settle(debit('', { ...names, amount: 8_000 })), body.id)
  assert.equal(await statusOf(ids[1]!), 'succeeded')
})

test('a collective debit has the refunds that the bank executed', async () => {
  for (const amount of [5_000, 1_000]) {
    const paid = await bank.paidShop()
    await payouts.setDestination(paid.shop)
    await payouts.approved(paid.shop, 1_000)
    const id = await bank.refunded(paid)
    const { body } = await exportEuros()
    assert.equal((await bank.settle(id, 'failed')).status, 200)
    const names = { end_to_end_id: null, payment_information_id: body.id }
    const shown = debit('', { amount, ...names })
    assert.deepEqual([await settle(shown), await settle(shown)], [body.id, body.id])
    // Another refund records what was executed nevertheless.
    assert.deepEqual(await payouts.funds(paid.shop), [10_000 - amount, 0])
    assert.deepEqual(await differencesOf(paid, [shown]), [])
  }
})

test('of an export and a cancellation, exactly one succeeds', async () => {
  for (let round = 0; round < 4; round++) {
    const paid = await bank.paidShop()
    const id = await bank.refunded(paid)
    const [made, canceled] = await Promise.all([exportEuros(), bank.cancel(paid.shop, id)])
    const expected = canceled.status === 200 ? [409, 200] : [201, 409]
    assert.deepEqual([made.status, canceled.status], expected)
  }
})

test('without the account of the payer, the operator settles a refund by hand', async () => {
  const paid = await bank.paidShop()
  await forgetPayer(paid)
  const id = await bank.refunded(paid)
  assert.equal((await exportEuros()).status, 409)
  assert.equal((await bank.settle(id)).status, 200)
  const other = await bank.refunded(paid, 1_000)
  assert.equal((await bank.cancel(paid.shop, other)).status, 200)
})

async function forgetPayer({ entry_id }: PaidShop): Promise<void> {
  await florin.db.pool.query('update bank_entries set counterparty_account = null where id = $1', [
    findUuid('bank_entry', entry_id),
  ])
}

test('refunds that no file can contain do not keep the others out of it', async () => {
  const without = await bank.paidShop()
  await forgetPayer(without)
  const copied = findUuid('transaction', await bank.refunded(without, 1))!
  const { shop } = without
  const known = await bank.receive({ signed: 10_000, text: await bank.euroRequest(shop, 10_000) })
  assert.equal(known.status, 'settled')
  const { body } = await florin.call('GET', '/v1/transactions?type=payment', { token: shop.token })
  const id = await bank.refunded({ ...without, payment_id: body.data[0].id })
  const { pool } = florin.db
  const copies = `id <> '${copied}' and left(id::text, 32) = '${copied.slice(0, 32)}'`
  for (const table of ['transactions', 'provider_refunds']) {
    await pool.query(
      `insert into ${table}
       select (jsonb_populate_record(source, jsonb_build_object('id', copy))).*
       from ${table} as source, generate_series(0, 1000) as number,
         cast($1 || lpad(to_hex(number), 4, '0') as uuid) as copy
       where source.id = $2 and copy <> $2`,
      [copied.slice(0, 32), copied],
    )
  }
  const made = await exportEuros()
  for (const table of ['transactions', 'provider_refunds']) {
    const { rowCount } = await pool.query(`delete from ${table} where ${copies}`)
    assert.ok(rowCount! >= 1_000)
  }
  assert.deepEqual([made.status, made.body.refunds], [201, 1], made.text)
  assert.match(await fileOf(made.body.id), new RegExp(id.replace('_', '-')))
})

test('an account without anything to export is not locked', async () => {
  const [without, paid] = [await bank.paidShop(), await bank.paidShop()]
  await forgetPayer(without)
  const unknown = await bank.refunded(without)
  await bank.refunded(paid)
  const client = await florin.db.pool.connect()
  try {
    await client.query('begin')
    await client.query('select from balances where account_id = $1 for update', [without.shop.uuid])
    const made = await exportEuros()
    assert.deepEqual([made.status, made.body.refunds], [201, 1], made.text)
  } finally {
    await client.query('rollback')
    client.release()
  }
  assert.equal((await bank.settle(unknown)).status, 200)
})

test('the operator can settle an exported refund if no statement shows it', async () => {
  const paid = await bank.paidShop()
  const id = await bank.refunded(paid)
  await exportEuros()
  assert.equal((await bank.settle(id, 'failed')).status, 200)
  assert.deepEqual(await payouts.funds(paid.shop), [10_000, 0])
  // The bank has paid it nevertheless: another refund records it.
  const shown = debit(id)
  assert.equal(await settle(shown), id)
  assert.deepEqual(await differencesOf(paid, [shown]), [])
  assert.deepEqual(await bank.transactionsOf(paid.shop), [
    ['payment', 'succeeded', 10_000],
    ['refund', 'failed', 4_000],
    ['refund', 'succeeded', 4_000],
  ])
})

test('an exported refund that the operator has settled is connected with its debit', async () => {
  const paid = await bank.paidShop()
  const id = await bank.refunded(paid)
  await exportEuros()
  assert.equal((await bank.settle(id)).status, 200)
  assert.equal(await settle(debit(id)), id)
  const { rows } = await florin.db.pool.query('select state from provider_refunds where id = $1', [
    findUuid('transaction', id),
  ])
  assert.deepEqual(rows, [{ state: 'succeeded' }])
  assert.equal(await settle(debit(id, { direction: 'credit', return_reason: 'AC04' })), id)
  assert.deepEqual(await bank.transactionsOf(paid.shop), [
    ['payment', 'succeeded', 10_000],
    ['refund', 'succeeded', 4_000],
    ['credit', 'succeeded', 4_000],
  ])
})

for (const what of ['settled as failed', 'canceled by closing the account']) {
  test(`a return that is read before the debit of a refund ${what} is credited`, async () => {
    const paid = await bank.paidShop()
    const id = await bank.refunded(paid)
    await exportEuros()
    const { token } = paid.shop
    const ended =
      what === 'settled as failed'
        ? await bank.settle(id, 'failed')
        : await florin.call('DELETE', '/v1/account', { token })
    assert.equal(ended.status, 200, ended.text)
    const [back, shown] = [debit(id, { direction: 'credit', return_reason: 'AC04' }), debit(id)]
    assert.equal(await settle(back), id)
    assert.deepEqual(await differencesOf(paid, [back]), [])
    for (let time = 0; time < 2; time++) assert.equal(await settle(shown), id)
    assert.deepEqual(await differencesOf(paid, [back, shown]), [])
    assert.deepEqual(await payouts.funds(paid.shop), [10_000, 0])
  })
}

test('a refund that a closed account has not canceled yet is not exported', async () => {
  const paid = await bank.paidShop()
  const id = await bank.refunded(paid)
  await stopSlices(florin)
  const { token } = paid.shop
  assert.equal((await florin.call('DELETE', '/v1/account', { token })).status, 200)
  assert.equal(await statusOf(id), 'canceled')
  assert.equal((await exportEuros()).status, 409)
  await letSlicesRun(florin.db)
  await cleanUp(florin, paid.shop.uuid)
  assert.equal((await exportEuros()).status, 409)
  assert.deepEqual(await payouts.funds(paid.shop), [10_000, 0])
})
test('what arrived beyond a request is sent back with the next file', async () => {
  const shop = await bank.euroShop()
  const request_id = await bank.euroRequest(shop, 10_000)
  const entry = await bank.receive({ signed: 10_050, text: request_id })
  const matched = await bank.decide(entry.id, 'match', { payment_id: request_id, late: 'refund' })
  assert.equal(matched.status, 200, matched.text)
  await bank.settleAll()
  const { body } = await exportEuros()
  assert.deepEqual([body.payouts, body.refunds, body.amount], [0, 1, 50])
})
