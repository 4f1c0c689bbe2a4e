// Bank entries of payouts and refunds that name none, or settle none: a person matches them, and
// reconciliation reports the rest.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcile } from '../../src/operations/reconcile.ts'
import { type OutgoingEntry, settleOutgoing } from '../../src/payouts/settle-outgoing.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { patient } from '../support/florin.ts'
import { PayoutFixtures } from './payout-fixtures.ts'

const bank = await BankFixtures.open()
const { florin, admin } = bank
const payouts = new PayoutFixtures(florin, admin)
const lanes = new TransactionLanes(florin.db, patient)
const settlers = [
  (_: unknown, entry: OutgoingEntry) => settleOutgoing({ db: florin.db, lanes }, entry),
]

/** What a person has matched, after the worker has settled it. */
async function matched(entry_id: string, body: object): Promise<string[]> {
  const response = await bank.decide(entry_id, 'match', body)
  assert.deepEqual([response.status, response.body.status], [200, 'settling'], response.text)
  await bank.settleAll({ settlers })
  const { status, settles } = await bank.entry(entry_id)
  return [status, settles]
}

async function rejected(entry_id: string, body: object, status: number, message: RegExp) {
  const response = await bank.decide(entry_id, 'match', body)
  assert.equal(response.status, status, response.text)
  assert.match(response.body.message, message)
}

const openDifferences = async () => {
  await florin.db.pool.query(`update bank_entries set updated_at = now() - interval '1 hour'`)
  const { lines, differences } = await reconcile(florin.db)
  const fees = lines.find(({ line }) => line === 'bank_fees')?.at_bank ?? 0
  const payouts_off = lines.find(({ line }) => line === 'payouts')?.difference ?? 0
  return { fees, payouts_off, differences }
}
test('a person matches the unnamed debit of a payout, and its return minus a fee', async () => {
  const { shop } = await bank.paidShop()
  await payouts.setDestination(shop)
  const { id } = await payouts.approved(shop, 1_000)
  await payouts.export(admin, { currency: 'EUR' })
  const shown = await bank.receive({ signed: -1_000, text: 'SEPA' })
  const other = await bank.receive({ signed: -999, text: 'SEPA' })
  assert.deepEqual([shown.status, shown.reason], ['open', 'unknown'])
  await rejected(other.id, { payout_id: id }, 400, /amount of the entry, 999 EUR; got 1000 EUR\. /)
  await rejected(shown.id, { payout_id: id, late: 'keep' }, 400, /^Send one of "payment_id"/)
  await rejected(shown.id, { payout_id: id, transaction_id: id }, 400, /^Send one of/)
  await rejected(shown.id, { payout_id: 'po_01h455vb4pex5vsknk084sn02q' }, 404, /^No payout/)
  const dollars = await payouts.inTransit(await payouts.payable(1_000), 1_000)
  await rejected(shown.id, { payout_id: dollars.id }, 400, /1000 EUR; got 1000 USD/)
  assert.deepEqual(await matched(shown.id, { payout_id: id }), ['settled', id])
  assert.equal((await payouts.read(admin, id)).body.status, 'paid')
  assert.deepEqual(await payouts.funds(shop), [9_000, 0])
  const second = await bank.receive({ signed: -1_000, text: 'SEPA' })
  await rejected(second.id, { payout_id: id }, 409, /is paid, or has another bank entry/)

  const back = await bank.receive({ signed: 950, text: 'RETOURE' })
  await rejected(
    back.id,
    { payout_id: id },
    400,
    /^"note" must have .* only 950 of 1000 was returned/,
  )
  const before = await openDifferences()
  await rejected(back.id, { payout_id: id, note: ' ' }, 400, /^"note" must have/)
  const note = 'The bank has kept a fee.'
  assert.deepEqual(await matched(back.id, { payout_id: id, note }), ['settled', id])
  assert.equal((await payouts.read(admin, id)).body.status, 'returned')
  assert.deepEqual(await payouts.funds(shop), [10_000, 0])
  const { fees, payouts_off, differences } = await openDifferences()
  assert.deepEqual([fees, payouts_off], [before.fees - 50, before.payouts_off])
  assert.deepEqual(differences, before.differences)
})

test('a return that lacks more than a fee of a bank is not accepted', async () => {
  const { shop } = await bank.paidShop()
  await bank.receive({ signed: 15_000, text: await bank.euroRequest(shop, 15_000) })
  await payouts.setDestination(shop)
  const { id } = await payouts.approved(shop, 20_000)
  await payouts.export(admin, { currency: 'EUR' })
  await matched((await bank.receive({ signed: -20_000, text: 'SEPA' })).id, { payout_id: id })
  const little = await bank.receive({ signed: 9_999, text: 'RETOURE' })
  const note = 'A fee.'
  await rejected(little.id, { payout_id: id, note }, 400, /may have up to 10000 less/)
  const enough = await bank.receive({ signed: 10_000, text: 'RETOURE' })
  assert.deepEqual(await matched(enough.id, { payout_id: id, note }), ['settled', id])
  const audit = await florin.call('GET', '/v1/audit_log?action=bank_entry.matched', {
    token: admin.token,
    headers: { 'florin-account': shop.account_id },
  })
  assert.equal(audit.body.data[0]?.object_id, enough.id, audit.text)
})

test('an API key matches payment requests, but no payouts', async () => {
  const key = await florin.call('POST', '/v1/api_keys', {
    token: admin.token,
    body: { name: 'Bank', scopes: ['bank_statements:write'], role: 'platform' },
  })
  const entry = await bank.receive({ signed: -1, text: 'SEPA' })
  const path = `/v1/bank_entries/${entry.id}/match`
  const match = (body: object) => florin.call('POST', path, { token: key.body.key, body })
  const { status, body } = await match({ payout_id: 'po_01h455vb4pex5vsknk084sn02q' })
  assert.equal(status, 401)
  assert.match(body.message, /this is not available to API keys/)
  assert.equal((await match({ payment_id: 'pay_01h455vb4pex5vsknk084sn02q' })).status, 404)
})

test('a person matches the entries of a refund, and of a payout resolved by hand', async () => {
  const { shop, payment_id } = await bank.paidShop()
  await payouts.setDestination(shop)
  const payout = await payouts.approved(shop, 700)
  const id = await bank.refunded({ shop, payment_id })
  await payouts.export(admin, { currency: 'EUR' })
  const resolved = await payouts.change(admin, payout.id, 'resolve', { status: 'paid' })
  assert.equal(resolved.status, 200)
  const before = await openDifferences()
  const debits = [
    await bank.receive({ signed: -700, text: 'A' }),
    await bank.receive({ signed: -4_000, text: 'B' }),
  ]
  assert.deepEqual(await matched(debits[0].id, { payout_id: payout.id }), ['settled', payout.id])
  assert.deepEqual(await matched(debits[1].id, { transaction_id: id }), ['settled', id])
  assert.equal((await bank.get(admin, id)).body.status, 'succeeded')
  const back = await bank.receive({ signed: 4_000, text: 'C' })
  assert.deepEqual(await matched(back.id, { transaction_id: id }), ['settled', id])
  assert.deepEqual(await payouts.funds(shop), [9_300, 0])
  const { payouts_off, differences } = await openDifferences()
  assert.deepEqual([payouts_off, differences], [before.payouts_off, before.differences])
})

test('an entry stays open if its payout has ended before the worker settles it', async () => {
  const { shop } = await bank.paidShop()
  await payouts.setDestination(shop)
  const { id } = await payouts.approved(shop, 300)
  await payouts.export(admin, { currency: 'EUR' })
  const shown = await bank.receive({ signed: -300, text: 'SEPA' })
  assert.equal((await bank.decide(shown.id, 'match', { payout_id: id })).status, 200)
  await payouts.change(admin, id, 'resolve', { status: 'failed' })
  await bank.settleAll({ settlers })
  const { status, reason, settles } = await bank.entry(shown.id)
  assert.deepEqual([status, reason, settles], ['open', 'unknown', null])
  await rejected(shown.id, { payout_id: id }, 409, /is failed/)
})
/** An entry of a bank statement, and what the worker makes of it. */
async function receive(signed: number, text: string): Promise<{ id: string; status: string }> {
  const [statement] = await bank.import(fileOf([{ signed, text }]))
  await bank.settleAll({ settlers })
  const [entry] = await bank.entriesOf(statement.id)
  return entry
}

async function unsettledDebits() {
  const { differences } = await reconcile(florin.db)
  const found = differences.filter(({ rule }) => rule === 'debits_settle_their_payout')
  return found.map((one) => [one.account_id, one.object, one.found])
}

test('a debit that names a payout and does not settle it is a difference', async () => {
  const { shop } = await bank.paidShop()
  await payouts.setDestination(shop)
  const [failed, paid] = [
    await payouts.approved(shop, 1_000),
    await payouts.approved(shop, 2_000),
  ].map(({ id }) => id) as [string, string]
  await payouts.export(admin, { currency: 'EUR' })
  await payouts.change(admin, failed, 'resolve', { status: 'failed' })
  assert.equal((await receive(-2_000, paid)).status, 'settled')
  assert.deepEqual(await unsettledDebits(), [])

  // The bank executes what a person took for failed, and another one twice.
  const executed = await receive(-1_000, failed)
  const second = await receive(-2_000, paid)
  assert.deepEqual([executed.status, second.status], ['open', 'open'])
  const { account_id } = shop
  const described = (amount: number, id: string, status: string) =>
    `-${amount} EUR that is not matched, and names ${id}, a payout that is ${status}`
  assert.deepEqual(await unsettledDebits(), [
    [account_id, executed.id, described(1_000, failed, 'failed')],
    [account_id, second.id, described(2_000, paid, 'paid')],
  ])
  // The owner sends it back, and a person decides about the other.
  await receive(1_000, `Sent back: ${failed}`)
  assert.equal((await bank.decide(second.id, 'ignore', { note: 'Claimed.' })).status, 200)
  assert.deepEqual(await unsettledDebits(), [])
  // Rent, and a payout of another system.
  await receive(-5_000, 'Rent')
  await receive(-5_000, 'po_01h455vb4pex5vsknk084sn02q')
  assert.deepEqual(await unsettledDebits(), [])
})
