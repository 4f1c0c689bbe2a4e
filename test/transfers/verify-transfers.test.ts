// `florin verify` detects every kind of corruption of transfers.

import { verifyDisputes } from '../../src/disputes/verify-disputes.ts'
import { verifyLedger } from '../../src/ledger/verify-ledger.ts'
import { verifyTransferPairs, verifyTransfers } from '../../src/transfers/verify-transfers.ts'
import { type Corruption, testCorruptions } from '../support/corruptions.ts'
import { startFlorin } from '../support/florin.ts'
import { crashingDb, openTransferFixtures } from './transfer-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransferFixtures(florin)
const [source, target] = [await fixtures.shop(10_000), await fixtures.shop()]
const platform = await fixtures.shop()
const fee = { fee_amount: 7, fee_account_id: platform.account_id }

// Each amount names one transfer: completed, returned, and in transit with a receipt.
await fixtures.transfer(source, target, 100, fee)
const closed = await fixtures.shop()
await fixtures.transfer(source, closed, 200, fee)
await fixtures.close(closed)
await fixtures.complete()
await fixtures.transfer(source, target, 300, fee)
await fixtures.complete(crashingDb(florin.db, 1)).catch(() => {})

const corruptions: Corruption[] = [
  {
    what: 'a receipt that is missing',
    sql: `delete from transfers where side = 'in' and amount = 100`,
    rules: ['transfers_arrive_once', 'disputes_have_their_postings'],
  },
  {
    what: 'a fee that no account got',
    sql: `delete from transfers where side = 'fee'`,
    rules: ['transfers_arrive_once', 'disputes_have_their_postings'],
  },
  {
    what: 'a receipt in another account',
    sql: `update transfers set account_id = (
        select account_id from transfers where side = 'fee')
      where side = 'in' and amount = 300`,
    rules: [
      'disputes_have_their_postings',
      'last_at_is_latest',
      'transfers_arrive_once',
      'transfers_have_their_postings',
    ],
  },
  {
    what: 'a receipt of another amount',
    sql: `update transfers set amount = amount + 1 where side = 'in' and amount = 100`,
    rules: ['transfers_arrive_once', 'transfers_have_their_postings'],
    message: /^tr_\w+: found reinstate 93, expected reinstate 94$/,
  },
  {
    what: 'a receipt without a transfer',
    sql: `update transfers set id = gen_random_uuid() where side = 'in' and amount = 300`,
    rules: [
      'disputes_have_their_postings',
      'transfers_arrive_once',
      'transfers_have_their_postings',
    ],
  },
  {
    what: 'a transfer that arrived and was returned',
    sql: `update transfers set status = 'returned', returned_amount = amount
      where side = 'out' and amount = 100`,
    rules: ['transfers_arrive_once', 'transfers_have_their_postings'],
  },
  {
    what: 'a returned transfer without its money',
    sql: `update transfers set returned_amount = 0 where side = 'out' and amount = 200`,
    rules: ['transfers_have_their_postings', 'transfers_return_what_was_rejected'],
  },
  {
    what: 'a transfer in transit that counts as completed',
    sql: `update transfers set status = 'completed' where side = 'out' and amount = 300`,
    rules: ['transfers_arrive_once'],
    message: /^tr_\w+: found in 293 of acct_\w+, expected fee 7 of acct_\w+, in 293 of acct_\w+$/,
  },
  {
    what: 'a transfer later than last_at, in the wrong currency',
    sql: `update transfers set currency = 'XAF', updated_at = '2999-01-01'
      where side = 'out' and amount = 100`,
    rules: ['currency_matches', 'last_at_is_latest'],
  },
]

testCorruptions(florin.db, corruptions, async (tx, range, locks) => {
  const { facts } = await verifyLedger(tx, range, locks)
  const { differences, fingerprints } = await verifyTransfers(tx, range, locks)
  const postings = await verifyDisputes(tx, range, locks, facts, fingerprints)
  return [...postings, ...differences, ...(await verifyTransferPairs(tx, 20))]
})
