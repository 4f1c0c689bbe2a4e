// Ways to corrupt disputes and debts, and the differences that `florin verify` must report.

import { type Corruption, ofBusiest } from './corruptions.ts'

const oldest = (kind: string) =>
  `(select id from transactions where ${ofBusiest} and ${kind} order by id limit 1)`
const payment = oldest("type = 'payment' and status = 'succeeded'")

/** Adds a posting of the payment, as a change under the account's lock would. */
const post = (movement: string, amount: string, change: string) => `
  with moved as (
    update balances set posting_sequence = posting_sequence + 1, ${change}
    where ${ofBusiest} returning account_id, posting_sequence, available, last_at)
  insert into postings (account_id, sequence, transaction_id, movement, amount, available_after, at)
  select account_id, posting_sequence, ${payment}, '${movement}', ${amount}, available, last_at
  from moved;`

/** A lost dispute of 70 more than the available balance. */
export const disputed = `
  insert into charges (account_id, transaction_id, provider, charge_id, amount, is_disputed)
  select account_id, id, 'sandbox', 'ch_1', amount, true
  from transactions where ${ofBusiest} and id = ${payment};
  insert into disputes (account_id, id, transaction_id, provider, provider_dispute_id, amount,
    currency, reason, status, updated_at)
  select account_id, gen_random_uuid(), ${payment}, 'sandbox', 'dp_1', available + 70, currency,
    'general', 'lost', last_at
  from balances where ${ofBusiest};
  ${post('overdraw', '70', 'available = available + 70, owed = 70')}
  ${post('withdraw', '(select amount from disputes)', 'available = 0')}`

export const dispute_corruptions: Corruption[] = [
  {
    what: 'an owed amount without a posting',
    sql: `${disputed} update balances set owed = owed + 7 where ${ofBusiest}`,
    rules: ['balance_is_rebuilt', 'buckets_sum_to_zero'],
    shows: /^owed: found 77, expected 70$/,
  },
  {
    what: 'money that is available while the account owes some',
    sql: disputed + post('overdraw', '30', 'available = 30, owed = 100'),
    rules: ['owed_is_repaid_first'],
    shows: /^owed: found 100 owed and 30 available, expected nothing available/,
  },
  {
    what: 'a repayment that is missing in the middle',
    sql:
      disputed +
      post('overdraw', '30', 'available = 30, owed = 100') +
      post('overdraw', '10', 'available = 40, owed = 110') +
      post('repay', '40', 'available = 0, owed = 70'),
    rules: ['owed_is_repaid_first'],
    shows: /^posting \d+: found 40 available while the account owes, expected a repayment$/,
  },
  {
    what: 'more repaid than owed',
    sql: `
      alter table balances drop constraint balances_owed_must_not_be_negative;
      ${disputed}
      ${post('reinstate', '80', 'available = 80')}
      ${post('repay', '80', 'available = 0, owed = -10')}`,
    rules: ['disputes_have_their_postings', 'no_bucket_is_negative'],
    shows: /^owed: found -10 at its lowest, expected 0 or more$/,
  },
  {
    what: 'an overdraw of another transaction',
    sql: `${disputed}
      update postings set transaction_id = ${oldest("type = 'credit' and status = 'succeeded'")}
      where ${ofBusiest} and movement = 'overdraw'`,
    rules: ['debts_have_a_cause'],
  },
  {
    what: 'a dispute without its posting',
    sql: `${disputed}
      insert into disputes (account_id, id, transaction_id, provider, provider_dispute_id, amount,
        currency, reason, status, updated_at)
      select account_id, gen_random_uuid(), transaction_id, provider, 'dp_2', 5, currency, reason,
        'lost', updated_at from disputes`,
    rules: ['disputes_have_their_postings'],
    shows: /^txn_\w+: found withdraw (\d+), expected withdraw 5, withdraw \1$/,
  },
  {
    what: 'a won dispute whose amount was not returned',
    sql: `${disputed} update disputes set status = 'won'`,
    rules: ['charges_know_their_disputes', 'disputes_have_their_postings'],
    shows: /^txn_\w+: found withdraw (\d+), expected reinstate \1, withdraw \1$/,
  },
  {
    what: 'a disputed charge that is not marked',
    sql: `${disputed} update charges set is_disputed = false`,
    rules: ['charges_know_their_disputes'],
    shows: /^txn_\w+: found a charge without a dispute, expected a disputed charge$/,
  },
  {
    what: 'a dispute later than last_at, in the wrong currency',
    sql: `${disputed} update disputes set currency = 'XAF', updated_at = '2999-01-01'`,
    rules: ['currency_matches', 'last_at_is_latest'],
  },
]
