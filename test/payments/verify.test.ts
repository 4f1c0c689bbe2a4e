// `florin verify` detects every kind of corruption of payment requests.

import { verifyLinks, verifyPayments } from '../../src/payments/verify-payments.ts'
import { type Corruption, testCorruptions } from '../support/corruptions.ts'
import { startFlorin } from '../support/florin.ts'
import { Payers } from './payers.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)
const shop = await fixtures.shop()
const paid = await fixtures.request(shop, { amount: 500 })
await fixtures.settlePayment(paid)
await fixtures.settlePayment(await fixtures.request(shop, { amount: 700 }))
await fixtures.request(shop)
await fixtures.cancelPayment(shop, await fixtures.request(shop))
const attempted = await fixtures.request(shop)
const payers = new Payers(florin.db)
for (let n = 0; n < 2; n += 1) await payers.attempt(shop, attempted, false)
await fixtures.settlePayment(attempted, 'failed')

const unguarded = (sql: string) => `
  alter table payment_requests drop constraint payment_requests_succeeded_have_a_transaction;
  alter table payment_requests drop constraint payment_requests_only_pending_are_due;
  ${sql}`

const corruptions: Corruption[] = [
  {
    what: 'a paid request of another amount',
    sql: 'update payment_requests set amount = amount + 1 where amount = 500',
    rules: ['paid_requests_have_their_transaction'],
    message: /^pay_\w+: found a succeeded payment of 500 USD, expected a succeeded .* of 501 USD$/,
  },
  {
    what: 'a paid request whose transaction does not exist',
    sql: 'update payment_requests set transaction_id = account_id where amount = 500',
    rules: ['paid_requests_have_their_transaction'],
    message: /found a missing transaction/,
  },
  {
    what: 'two requests paid by one transaction',
    sql: `update payment_requests set amount = 700, transaction_id = (
        select transaction_id from payment_requests where amount = 700)
      where amount = 500`,
    rules: ['a_transaction_pays_one_request'],
  },
  {
    what: 'a pending request with a transaction',
    sql: unguarded(`update payment_requests set transaction_id = account_id
      where status = 'pending'`),
    rules: ['paid_requests_have_their_transaction'],
    message: /found pending with txn_\w+, expected no transaction$/,
  },
  {
    what: 'a canceled request that is due',
    sql: unguarded("update payment_requests set due_at = expires_at where status = 'canceled'"),
    rules: ['only_pending_is_due'],
    message: /found canceled and due at \S+Z, expected no due_at$/,
  },
  {
    what: 'a request without its link',
    sql: 'delete from payment_links where token = (select min(token) from payment_links)',
    rules: ['links_lead_to_their_request'],
    message: /found a request without its link, expected both$/,
  },
  {
    what: 'a link without a request',
    sql: "insert into payment_links select 'x', account_id, account_id from balances limit 1",
    rules: ['links_lead_to_their_request'],
    message: /found a link without its request/,
  },
  {
    what: 'a link with another token',
    sql: `update payment_links set token = 'x'
      where token = (select min(token) from payment_links)`,
    rules: ['links_lead_to_their_request', 'links_lead_to_their_request'],
  },
  {
    what: 'a request in another currency',
    sql: "update payment_requests set currency = 'EUR' where status = 'canceled'",
    rules: ['currency_matches'],
  },
  {
    what: 'a request stored twice with different statuses',
    sql: `insert into payment_requests select account_id, id, 'failed', amount, currency,
        customer_email, token, declines, sends, null, expires_at, null, updated_at, reference,
        metadata from payment_requests where status = 'canceled'`,
    rules: ['ids_are_unique'],
  },
  {
    what: 'a time that decreases',
    sql: `update payment_requests set updated_at = updated_at - interval '1 day'
      where amount = 500`,
    rules: ['times_do_not_decrease'],
  },
  {
    what: 'a change later than the last_at of its account',
    sql: `update payment_requests set updated_at = updated_at + interval '1 day'
      where amount = 500`,
    rules: ['last_at_is_latest'],
    message: /found a payment request of \S+Z/,
  },
  {
    what: 'an attempt that is not stored',
    sql: `delete from payment_attempts where number = 2`,
    rules: ['attempts_are_stored'],
    message:
      /found 1 stored attempts, 1 of them declined, expected 2 attempts, 2 of them declined$/,
  },
  {
    what: 'a decline that became a success',
    sql: `update payment_attempts set outcome = 'succeeded', decline_code = null where number = 2`,
    rules: ['attempts_are_stored'],
  },
  {
    what: 'an attempt without a request',
    sql: `insert into payment_attempts select account_id, account_id, number, created_at, outcome,
        decline_code, card_brand, card_last4 from payment_attempts where number = 1`,
    rules: ['attempts_are_stored'],
    message: /expected the payment request of these attempts$/,
  },
  {
    what: 'nothing wrong with a request that predates stored attempts',
    sql: `update payment_requests set attempts = null, declines = 5 where declines = 2`,
    rules: [],
  },
  {
    what: 'requests of an account without a balance',
    sql: `insert into payment_requests select gen_random_uuid(), id, status, amount, currency,
        customer_email, 'y', declines, sends, null, expires_at, null, updated_at, reference,
        metadata from payment_requests where status = 'canceled';
      insert into payment_links select 'y', account_id, id from payment_requests
        where token = 'y'`,
    rules: ['payments_have_a_balance'],
  },
]

testCorruptions(florin.db, corruptions, async (tx, range, locks) => [
  ...(await verifyPayments(tx, range, locks)),
  ...(await verifyLinks(tx)),
])
