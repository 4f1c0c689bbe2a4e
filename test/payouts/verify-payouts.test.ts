// `florin verify` detects every kind of corruption of payouts.

import { verifyLedger } from '../../src/ledger/verify-ledger.ts'
import { verifyExports, verifyPayouts } from '../../src/payouts/verify-payouts.ts'
import { type Corruption, testCorruptions } from '../support/corruptions.ts'
import { startFlorin } from '../support/florin.ts'
import { openPayoutFixtures } from './payout-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPayoutFixtures(florin)
const shop = await fixtures.payable(10_000)

// Each amount names one payout.
await fixtures.created(shop, 100)
const returned = await fixtures.paid(shop, 200)
await fixtures.change(fixtures.admin, returned.id, 'resolve', { status: 'returned' })
await fixtures.paid(shop, 300)
await fixtures.change(shop, (await fixtures.created(shop, 400)).id, 'cancel')

const postings = ['payouts_have_their_postings']
const sums = ['exports_have_their_sum']

const corruptions: Corruption[] = [
  {
    what: 'a payout that is missing',
    sql: 'delete from payouts where amount = 100',
    rules: postings,
    message: /^po_\w+: found payout_hold 100, expected no postings$/,
  },
  {
    what: 'a paid payout whose money is still held',
    sql: `update payouts set status = 'in_transit' where amount = 300`,
    rules: postings,
  },
  {
    what: 'a canceled payout that is called paid',
    sql: `update payouts
      set status = 'paid', export_id = gen_random_uuid() where amount = 400`,
    rules: [...postings, ...sums],
  },
  {
    what: 'a return without its posting',
    sql: `update payouts set status = 'returned' where amount = 300`,
    rules: postings,
  },
  {
    what: 'another amount',
    sql: 'update payouts set amount = 101 where amount = 100',
    rules: postings,
  },
  {
    what: 'another currency',
    sql: `update payouts set currency = 'EUR' where amount = 100`,
    rules: ['currency_matches'],
  },
  {
    what: 'an exported payout that its file does not have',
    sql: `update payouts set export_id = (
        select export_id from payouts where amount = 200) where amount = 400`,
    rules: sums,
    message: /^pex_\w+: found 1 payouts, 0 refunds, 200 USD, expected 2 payouts, .*, 600 USD$/,
  },
  {
    what: 'a payment file that is missing',
    sql: 'delete from payout_exports where amount = 200',
    rules: sums,
    message: /^pex_\w+: found no payment file, expected 1 payouts, 0 refunds, 200 USD$/,
  },
  {
    what: 'a payment file without its payouts',
    sql: `insert into payout_exports
      select gen_random_uuid(), currency, payouts, refunds, amount, created_by, file
      from payout_exports where amount = 200`,
    rules: sums,
  },
  {
    what: 'a file with another sum',
    sql: `update payout_exports set file = replace(file, '2.00', '2.01') where amount = 200`,
    rules: sums,
    message: /found a file with the sum 2.01 instead of 2.00, expected 1 payouts/,
  },
  {
    what: 'a change after the last change of its account',
    sql: `update payouts set updated_at = updated_at + interval '1 day' where amount = 100`,
    rules: ['last_at_is_latest'],
  },
]

testCorruptions(florin.db, corruptions, async (db, range, locks) => {
  const { facts } = await verifyLedger(db, range, locks)
  return [...(await verifyPayouts(db, range, locks, facts)), ...(await verifyExports(db))]
})
