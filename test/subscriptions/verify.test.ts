// `florin verify` detects every kind of corruption of subscriptions.

import { nil_uuid } from '../../src/primitives/ids.ts'
import { verifySubscriptions } from '../../src/subscriptions/verify-subscriptions.ts'
import { type Corruption, testCorruptions } from '../support/corruptions.ts'
import { startFlorin } from '../support/florin.ts'
import { day_s, openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)
const shop = await fixtures.shop()
await fixtures.createSubscription(shop, { interval: 'day', amount: 500 })
await fixtures.cancelSubscription(shop, await fixtures.createSubscription(shop, { amount: 700 }))
await fixtures.advance(2 * day_s)

const unguarded = (sql: string) => `
  alter table subscriptions drop constraint subscriptions_only_active_have_a_next_time;
  ${sql}`

const of_active = '(select id from subscriptions where amount = 500)'

const corruptions: Corruption[] = [
  {
    what: 'a next period that was already requested',
    sql: `update subscriptions set next_period = 1 where amount = 500`,
    rules: ['periods_are_requested_once'],
    message: /^sub_\w+: found period 1 next, and period 2 requested, expected period 3 next/,
  },
  {
    what: 'a request of another amount',
    sql: `update payment_requests set amount = 499 where id = (
      select payment_id from subscription_periods
      where subscription_id = ${of_active} and period = 1)`,
    rules: ['periods_have_their_request'],
    message:
      /^sub_\w+ period 1: found a request for 499 USD to \S+, expected a request for 500 USD/,
  },
  {
    what: 'a missing request',
    sql: `delete from payment_requests where id = (
      select payment_id from subscription_periods
      where subscription_id = ${of_active} and period = 2)`,
    rules: ['periods_have_their_request'],
    message: /period 2: found a missing request/,
  },
  {
    what: 'a missing first period',
    sql: `delete from subscription_periods
      where period = 0 and subscription_id = ${of_active}`,
    rules: ['subscriptions_begin_with_a_period'],
    message: /found period 1 as the first, expected period 0$/,
  },
  {
    what: 'a subscription without periods',
    sql: `delete from subscription_periods where subscription_id = ${of_active}`,
    rules: ['subscriptions_begin_with_a_period'],
    message: /found no period, expected period 0$/,
  },
  {
    what: 'one request for two periods',
    sql: `update subscription_periods set payment_id = (
        select payment_id from subscription_periods
        where subscription_id = ${of_active} and period = 1)
      where subscription_id = ${of_active} and period = 2`,
    rules: ['a_request_is_of_one_period'],
    message: /^pay_\w+: found 2 periods, expected one$/,
  },
  {
    what: 'periods without a subscription',
    sql: 'delete from subscriptions where amount = 700',
    rules: ['periods_have_their_request'],
    message: /found a period of a missing subscription, expected none$/,
  },
  {
    what: 'a canceled subscription with a next time',
    sql: unguarded("update subscriptions set next_at = updated_at where status = 'canceled'"),
    rules: ['only_active_has_a_next_time'],
    message: /found canceled and next_at \S+Z, expected no next_at$/,
  },
  {
    what: 'another currency',
    sql: "update subscriptions set currency = 'EUR' where amount = 700",
    rules: ['currency_matches', 'periods_have_their_request'],
  },
  {
    what: 'a closed account with an active subscription',
    sql: "update balances set status = 'closed'",
    rules: ['closed_accounts_request_nothing'],
    message: /^subscriptions: found 1 not canceled, expected none$/,
  },
  {
    what: 'a last id that was reset',
    sql: `update balances set last_transaction_id = '${nil_uuid}'`,
    rules: ['last_transaction_id_is_latest'],
  },
  {
    what: 'impossible times',
    sql: `update subscriptions set updated_at = updated_at + interval '9 days'
      where amount = 500;
      update subscriptions set updated_at = updated_at - interval '9 days' where amount = 700`,
    rules: ['last_at_is_latest', 'times_do_not_decrease'],
  },
  {
    what: 'subscriptions without a balance',
    sql: 'delete from balances',
    rules: ['subscriptions_have_a_balance'],
  },
]

testCorruptions(florin.db, corruptions, verifySubscriptions)
