// What can happen to payment requests behind Florin's back, and what `florin verify` says of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLocks } from '../../src/ledger/verify-ledger.ts'
import { verifyLinks, verifyPayments } from '../../src/payments/verify-payments.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { type Difference, max_uuid, nil_uuid } from '../../src/primitives/difference.ts'
import { startFlorin } from '../support/florin.ts'
import { Payers } from './payers.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const desk = await openPaymentFixtures(florin)
const shop = await desk.shop()
const paid = await desk.request(shop, { amount: 500 })
await desk.settlePayment(paid)
await desk.settlePayment(await desk.request(shop, { amount: 700 }))
await desk.request(shop)
await desk.callOff(shop, await desk.request(shop))
const tried = await desk.request(shop)
const payers = new Payers(florin.db)
for (let n = 0; n < 2; n += 1) await payers.try(shop, tried, false)
await desk.settlePayment(tried, 'failed')

interface Corruption {
  what: string
  sql: string
  rules: string[]
  says?: RegExp
}

const unguarded = (sql: string) => `
  alter table payment_requests drop constraint payment_requests_succeeded_have_a_transaction;
  alter table payment_requests drop constraint payment_requests_only_pending_are_due;
  ${sql}`

const corruptions: Corruption[] = [
  {
    what: 'a paid request of another amount',
    sql: 'update payment_requests set amount = amount + 1 where amount = 500',
    rules: ['paid_requests_have_their_transaction'],
    says: /^pay_\w+: found a succeeded payment of 500 USD, expected a succeeded .* of 501 USD$/,
  },
  {
    what: 'a paid request whose transaction is nobody’s',
    sql: 'update payment_requests set transaction_id = account_id where amount = 500',
    rules: ['paid_requests_have_their_transaction'],
    says: /found a transaction that is not there/,
  },
  {
    what: 'two requests paid by one transaction',
    sql: `update payment_requests set amount = 700, transaction_id = (
        select transaction_id from payment_requests where amount = 700)
      where amount = 500`,
    rules: ['a_transaction_pays_one_request'],
  },
  {
    what: 'a pending request that says it was paid',
    sql: unguarded(`update payment_requests set transaction_id = account_id
      where status = 'pending'`),
    rules: ['paid_requests_have_their_transaction'],
    says: /found pending with txn_\w+, expected no transaction$/,
  },
  {
    what: 'a canceled request that is due',
    sql: unguarded("update payment_requests set due_at = expires_at where status = 'canceled'"),
    rules: ['only_pending_is_due'],
    says: /found canceled and due at \S+Z, expected no due_at$/,
  },
  {
    what: 'a request without its link',
    sql: 'delete from payment_links where token = (select min(token) from payment_links)',
    rules: ['links_lead_to_their_request'],
    says: /found a request without its link, expected both$/,
  },
  {
    what: 'a link to nowhere',
    sql: "insert into payment_links select 'x', account_id, account_id from balances limit 1",
    rules: ['links_lead_to_their_request'],
    says: /found a link without its request/,
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
    what: 'a request twice under two statuses',
    sql: `insert into payment_requests select account_id, id, 'failed', amount, currency,
        customer_email, token, declines, sends, null, expires_at, null, updated_at, reference,
        metadata from payment_requests where status = 'canceled'`,
    rules: ['ids_are_unique'],
  },
  {
    what: 'a time that runs back',
    sql: `update payment_requests set updated_at = updated_at - interval '1 day'
      where amount = 500`,
    rules: ['times_do_not_decrease'],
  },
  {
    what: 'a change that the lock has not seen',
    sql: `update payment_requests set updated_at = updated_at + interval '1 day'
      where amount = 500`,
    rules: ['last_at_is_latest'],
    says: /found a payment request of \S+Z/,
  },
  {
    what: 'an attempt that is not stored',
    sql: `delete from payment_attempts where number = 2`,
    rules: ['attempts_are_stored'],
    says: /found 1 stored attempts, 1 of them declined, expected 2 attempts, 2 of them declined$/,
  },
  {
    what: 'a decline that became a success',
    sql: `update payment_attempts set outcome = 'succeeded', decline_code = null where number = 2`,
    rules: ['attempts_are_stored'],
  },
  {
    what: 'an attempt of no request',
    sql: `insert into payment_attempts select account_id, account_id, number, created_at, outcome,
        decline_code, card_brand, card_last4 from payment_attempts where number = 1`,
    rules: ['attempts_are_stored'],
    says: /expected the payment request of these attempts$/,
  },
  {
    what: 'nothing wrong with a request from before attempts were stored',
    sql: `update payment_requests set attempts = null, declines = 5 where declines = 2`,
    rules: [],
  },
  {
    what: 'requests of an account without books',
    sql: `insert into payment_requests select gen_random_uuid(), id, status, amount, currency,
        customer_email, 'y', declines, sends, null, expires_at, null, updated_at, reference,
        metadata from payment_requests where status = 'canceled';
      insert into payment_links select 'y', account_id, id from payment_requests
        where token = 'y'`,
    rules: ['payments_have_a_balance'],
  },
]

class Undo extends Error {}

/** Does the damage, looks, and undoes it. */
async function differencesAfter(damage: string): Promise<Difference[]> {
  let found: Difference[] = []
  const work = florin.db.transaction(async (tx) => {
    for (const text of damage.split(';')) await tx.rows({ text, values: [] } as unknown as Sql)
    const locks = await listLocks(tx, nil_uuid, 1_000)
    const range = { after: nil_uuid, through: max_uuid }
    found = [...(await verifyPayments(tx, range, locks)), ...(await verifyLinks(tx))]
    throw new Undo()
  })
  await assert.rejects(work, Undo)
  return found
}

for (const { what, sql, rules, says } of corruptions) {
  test(`verify finds ${what}`, async () => {
    const found = await differencesAfter(sql)
    assert.deepEqual(
      found.map(({ rule }) => rule),
      rules,
    )
    if (says === undefined) return
    const said = found.map((one) => `${one.object}: found ${one.found}, expected ${one.expected}`)
    assert.match(said[0]!, says)
  })
}

test('verify finds nothing where nothing was done', async () => {
  assert.deepEqual(await differencesAfter('select 1'), [])
})
