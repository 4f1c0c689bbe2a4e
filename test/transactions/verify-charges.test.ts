// `florin verify` detects every kind of corruption of charges and refunds at providers.

import { verifyLedger } from '../../src/ledger/verify-ledger.ts'
import { verifyCharges } from '../../src/transactions/verify-charges.ts'
import { type Corruption, testCorruptions } from '../support/corruptions.ts'
import { startFlorin } from '../support/florin.ts'
import { StripeCharges } from './stripe-charges.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await StripeCharges.open(florin)
const { fake } = fixtures
const shop = await fixtures.shop(10_000)

/** Refunds the whole payment at Stripe. */
async function refunded(amount: number) {
  const payment = await fixtures.paid(shop, amount)
  await fixtures.refund(shop, amount, payment.id)
  await fixtures.submitRefunds()
  return payment
}

await refunded(1_000)
const failing = await refunded(2_000)
fake.failRefund([...fake.refunds.keys()].at(-1)!)
await fixtures.apply(failing)
const pending = await fixtures.paid(shop, 3_000)
await fixtures.refund(shop, 3_000, pending.id)

const isRefundOf = (amount: number) =>
  `id = (select id from transactions where type = 'refund' and amount = ${amount})`

const corruptions: Corruption[] = [
  {
    what: 'a charge of another amount',
    sql: 'update charges set amount = amount + 1 where amount = 1000',
    rules: ['charges_have_their_payment'],
    message:
      /^txn_\w+: found a charge of 1001 for a succeeded payment of 1000, expected .* of 1001$/,
  },
  {
    what: 'a charge without a payment',
    sql: `insert into charges (account_id, transaction_id, provider, charge_id, amount)
      select account_id, gen_random_uuid(), provider, 'x', amount from charges
      where amount = 1000`,
    rules: ['charges_have_their_payment'],
    message: /found a charge of 1000 for a missing transaction/,
  },
  {
    what: 'a fee that is not posted',
    sql: 'update charges set fee = fee + 1 where amount = 2000',
    rules: ['fees_match_charges'],
    message: /^fees: found 55 posted, expected 56, the fees of its charges$/,
  },
  {
    what: 'a posted fee without a charge',
    sql: 'update charges set fee = null where amount = 2000',
    rules: ['fees_match_charges'],
    message: /expected 0, the fees of its charges$/,
  },
  {
    what: 'a refund that succeeded at the provider only',
    sql: `update provider_refunds set state = 'succeeded' where ${isRefundOf(3_000)}`,
    rules: ['refunds_match_their_provider'],
    message: /found succeeded at the provider with a pending transaction of 3000 that refunds txn_/,
  },
  {
    what: 'a refund that succeeded here only',
    sql: `update provider_refunds set state = 'submitted' where ${isRefundOf(1_000)}`,
    rules: ['refunds_match_their_provider'],
  },
  {
    what: 'a refund that failed at the provider only',
    sql: `update provider_refunds set state = 'failed' where ${isRefundOf(1_000)}`,
    rules: ['refunds_match_their_provider'],
  },
  {
    what: 'a refund of another payment',
    sql: `update provider_refunds set payment_id = account_id where ${isRefundOf(1_000)}`,
    rules: ['refunds_match_their_provider'],
  },
  {
    what: 'a refund of a charge that the provider never receives',
    sql: `delete from provider_refunds where ${isRefundOf(3_000)}`,
    rules: ['refunds_match_their_provider'],
    message: /found no row for the provider with a pending transaction/,
  },
  {
    what: 'a refund at the provider without a transaction',
    sql: `insert into provider_refunds (account_id, id, payment_id, provider, state)
      select account_id, gen_random_uuid(), payment_id, provider, state
      from provider_refunds where ${isRefundOf(1_000)}`,
    rules: ['refunds_match_their_provider'],
    message: /with no transaction,/,
  },
  {
    what: 'a failed refund whose credit is missing',
    sql: `update provider_refunds set credit_id = account_id where credit_id is not null`,
    rules: ['refunds_match_their_provider'],
    message: /found failed at the provider and credited nothing with a succeeded transaction/,
  },
]

testCorruptions(florin.db, corruptions, async (tx, range, locks) => {
  const { facts } = await verifyLedger(tx, range, locks)
  return verifyCharges(tx, range, locks, facts)
})
