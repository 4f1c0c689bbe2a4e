// What bank entries do to payouts: debits pay them, returns give the money back, and an entry that
// does not fit exactly changes nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OutgoingEntry, settleOutgoing } from '../../src/payouts/settle-outgoing.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { patient, startFlorin } from '../support/florin.ts'
import { openPayoutFixtures } from './payout-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPayoutFixtures(florin)
const lanes = new TransactionLanes(florin.db, patient)

const debit = (payout_id: string, more: Partial<OutgoingEntry> = {}): OutgoingEntry => ({
  id: newUuid(Date.now()),
  direction: 'debit',
  amount: 100,
  currency: 'USD',
  is_reversal: false,
  return_reason: null,
  end_to_end_id: payout_id.replace('_', '-'),
  payment_information_id: null,
  remittance: null,
  target: null,
  ...more,
})
const returned = (payout_id: string, more: Partial<OutgoingEntry> = {}) =>
  debit(payout_id, { direction: 'credit', return_reason: 'AC04', ...more })

const settle = (entry: OutgoingEntry) => settleOutgoing({ db: florin.db, lanes }, entry)
const read = async (id: string) => (await fixtures.read(fixtures.admin, id)).body
const statusOf = async (id: string) => (await read(id)).status

test('the debit of a payout pays it once, and its return gives the money back', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.inTransit(shop)
  const paid = debit(id)
  assert.deepEqual([await settle(paid), await settle(paid)], [id, id])
  assert.deepEqual(await fixtures.funds(shop), [900, 0])
  assert.equal(await settle(debit(id)), undefined, 'a second debit is left to a person')

  const back = returned(id)
  assert.deepEqual([await settle(back), await settle(back)], [id, id])
  assert.deepEqual([(await read(id)).status, (await read(id)).reason], ['returned', 'AC04'])
  assert.deepEqual(await fixtures.funds(shop), [1_000, 0])
  assert.equal(await settle(returned(id)), undefined)
  assert.equal(await settle(paid), id, 'after a crash, the entry is repeated')
})

test('a return may be read before the debit, and a reversal has no reason', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.inTransit(shop)
  assert.equal(await settle(returned(id, { return_reason: null, is_reversal: true })), id)
  assert.equal(await statusOf(id), 'returned')
  assert.equal(await settle(debit(id)), id)
  assert.equal(await statusOf(id), 'returned')
  assert.deepEqual(await fixtures.funds(shop), [1_000, 0])
})

test('banks write ids in upper case, with spaces, and in the text', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.inTransit(shop)
  const spaced = id.toUpperCase().replace(/(.{5})/g, '$1 ')
  const entry = debit(id, { end_to_end_id: 'NOTPROVIDED', remittance: `SEPA ${spaced} thanks` })
  assert.equal(await settle(entry), id)
})

test('an entry that was recorded by hand before is connected', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.paid(shop)
  const before = (await fixtures.funds(shop)).join()
  assert.equal(await settle(debit(id)), id)
  assert.equal(await settle(debit(id)), undefined)
  assert.deepEqual([await statusOf(id), (await fixtures.funds(shop)).join()], ['paid', before])
})

test('an entry that does not fit exactly changes nothing', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.inTransit(shop)
  const other = await fixtures.approved(shop)
  const wrong = [
    debit(id, { amount: 99 }),
    debit(id, { amount: 101 }),
    debit(id, { currency: 'EUR' }),
    // Money that the account's owner sends with this text is not a return.
    debit(id, { direction: 'credit' }),
    debit(id, { is_reversal: true }),
    debit(id, { return_reason: 'AC04' }),
    debit(id, { remittance: other.id }),
    debit(other.id),
    returned(other.id),
    debit('po_01h455vb4pex5vsknk084sn02q'),
    debit('', { end_to_end_id: null }),
  ]
  for (const entry of wrong) assert.equal(await settle(entry), undefined, JSON.stringify(entry))
  assert.deepEqual([await statusOf(id), await statusOf(other.id)], ['in_transit', 'approved'])
  await fixtures.change(fixtures.admin, id, 'resolve', { status: 'failed' })
  assert.equal(await settle(debit(id)), undefined, 'a failed payout was not paid')
  await fixtures.change(shop, other.id, 'cancel')
})

test('one debit of a whole payment file pays all of its payouts', async () => {
  const shops = [await fixtures.payable(), await fixtures.payable()]
  const ids = [
    (await fixtures.approved(shops[0]!, 120)).id,
    (await fixtures.approved(shops[0]!, 30)).id,
    (await fixtures.approved(shops[1]!, 230)).id,
  ]
  const { body } = await fixtures.export()
  const collective = debit('', {
    amount: 380,
    end_to_end_id: null,
    payment_information_id: body.id.replace('_', '-'),
  })
  assert.equal(await settle({ ...collective, amount: 379 }), undefined)
  assert.deepEqual([await settle(collective), await settle(collective)], [body.id, body.id])
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['paid', 'paid', 'paid'])
  assert.equal(await settle({ ...collective, id: newUuid(Date.now()) }), undefined)
  assert.equal(await settle(returned(ids[1]!, { amount: 30 })), ids[1])
})

test('a collective debit has no transfer that the bank had rejected before', async () => {
  const shop = await fixtures.payable()
  const [rejected, executed, returned_id] = [
    (await fixtures.approved(shop, 120)).id,
    (await fixtures.approved(shop, 30)).id,
    (await fixtures.approved(shop, 5)).id,
  ]
  const { body } = await fixtures.export()
  const names = { end_to_end_id: null, payment_information_id: body.id }
  const collective = debit('', { amount: 35, ...names })
  assert.equal(await settle(collective), undefined)
  const resolve = (id: string, status: string) =>
    fixtures.change(fixtures.admin, id, 'resolve', { status })
  await resolve(rejected, 'failed')
  // What was returned after it was executed is part of the debit.
  await resolve(returned_id, 'paid')
  await resolve(returned_id, 'returned')
  assert.deepEqual([await settle(collective), await settle(collective)], [body.id, body.id])
  const statuses = await Promise.all([rejected, executed, returned_id].map(statusOf))
  assert.deepEqual(statuses, ['failed', 'paid', 'returned'])
  assert.equal(await settle(debit('', { amount: 155, ...names })), undefined)
})

test('entries of one payout at the same time settle it once', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.inTransit(shop)
  const same = debit(id)
  const results = await Promise.all([settle(same), settle(same), settle(debit(id))])
  assert.ok(results.filter((result) => result === id).length >= 1)
  assert.deepEqual(await fixtures.funds(shop), [900, 0])
})
