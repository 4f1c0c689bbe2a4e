// Ways to corrupt a database, and the differences that `florin verify` must report for each.

export interface Corruption {
  what: string
  /** Statements; `busiest` is the account with the most postings. */
  sql: string
  /** Exactly the rules that are reported, in alphabetical order. */
  rules: string[]
  /** Matches one of the reported differences. */
  shows?: RegExp
}

// Drops the constraints that would otherwise prevent the corruption.
const unguarded = (sql: string) => `
  alter table balances drop constraint balances_available_must_not_be_negative;
  alter table balances drop constraint balances_held_must_not_be_negative;
  ${sql}`

const busiest = '(select account_id from balances order by posting_sequence desc limit 1)'
const waiting = '(select min(account_id::text)::uuid from balances where incoming > 0)'
export const ofBusiest = `account_id = ${busiest}`
/** Sequence number of the first such posting of the busiest account. */
const aPosting = (movement: string) =>
  `(select min(sequence) from postings where ${ofBusiest} and movement = '${movement}')`

/** The oldest such transaction of the busiest account. */
const aTransaction = (kind: string) =>
  `(select id from transactions where ${ofBusiest} and ${kind} order by id limit 1)`

export const corruptions: Corruption[] = [
  {
    what: 'a balance that is too high',
    sql: `update balances set available = available + 1 where ${ofBusiest}`,
    rules: ['balance_is_rebuilt', 'buckets_sum_to_zero'],
    shows: /^available: found (\d+), expected \d+$/,
  },
  {
    what: 'money moved between two buckets of a balance',
    sql: `update balances set incoming = incoming + 5, available = available - 5
      where ${ofBusiest}`,
    rules: ['balance_is_rebuilt', 'balance_is_rebuilt'],
  },
  {
    what: 'a held amount without a posting',
    sql: `update balances set held = held + 7 where ${ofBusiest}`,
    rules: ['balance_is_rebuilt', 'buckets_sum_to_zero'],
    shows: /^held: found \d+, expected \d+$/,
  },
  {
    what: 'a posting with a wrong amount',
    sql: `update postings set amount = amount + 1
      where ${ofBusiest} and sequence = ${aPosting('arrive')}`,
    rules: ['balance_is_rebuilt', 'buckets_sum_to_zero', 'states_have_their_postings'],
  },
  {
    what: 'a missing posting in the middle',
    sql: `delete from postings where ${ofBusiest} and sequence = ${aPosting('pay_out')}`,
    rules: [
      'balance_is_rebuilt',
      'buckets_sum_to_zero',
      'postings_have_no_gaps',
      'states_have_their_postings',
    ],
    shows: /^posting \d+: found number \d+, expected number \d+$/,
  },
  {
    what: 'a missing posting at the end',
    sql: `update balances set posting_sequence = posting_sequence + 1 where ${ofBusiest}`,
    rules: ['posting_sequence_matches'],
    shows: /^posting_sequence: found \d+, expected \d+$/,
  },
  {
    what: 'a wrong available_after of a posting',
    sql: `update postings set available_after = available_after + 3
      where ${ofBusiest} and sequence = 10`,
    rules: ['available_after_is_rebuilt', 'available_after_is_rebuilt'],
    shows: /^posting 10: found \d+ available after it, expected \d+$/,
  },
  {
    what: 'a posting time that decreases',
    sql: `update postings set at = at - interval '300 days' where ${ofBusiest}
      and sequence = (select max(sequence) - 3 from postings where ${ofBusiest})`,
    rules: ['postings_follow_their_transaction', 'times_do_not_decrease'],
    shows: /^posting \d+: found \S+Z, expected \S+Z or later$/,
  },
  {
    what: 'a transaction status without its posting',
    sql: `update transactions set status = 'failed'
      where ${ofBusiest} and id = ${aTransaction("status = 'succeeded' and type = 'credit'")}`,
    rules: ['states_have_their_postings'],
    shows:
      /^txn_\w+: found a failed credit of (\d+) with arrive \1, settle \1, expected arrive \1,/,
  },
  {
    what: 'a pending transaction with settled postings',
    sql: `update transactions set status = 'pending'
      where ${ofBusiest} and id = ${aTransaction("status = 'succeeded' and type = 'credit'")}`,
    rules: ['states_have_their_postings'],
    shows: /pending credit of (\d+) with arrive \1, settle \1, expected arrive \1$/,
  },
  {
    what: 'a transaction with a wrong amount',
    sql: `update transactions set amount = amount + 1
      where ${ofBusiest} and id = ${aTransaction("status = 'canceled'")}`,
    rules: ['states_have_their_postings'],
  },
  {
    what: 'postings without their transaction',
    sql: `delete from transactions where ${ofBusiest} and id = ${aTransaction("type = 'credit'")}`,
    rules: ['states_have_their_postings'],
    shows:
      /^txn_\w+: found no such transaction, with arrive \d+(, \w+ \d+)?, expected no postings$/,
  },
  {
    what: 'a transaction without postings',
    sql: `insert into transactions (account_id, id, status, amount, currency, type, updated_at)
      select account_id, '01900000-0000-7000-8000-000000000000', 'pending', 5, currency, 'payment',
        last_at from balances where ${ofBusiest}`,
    rules: ['states_have_their_postings'],
    shows: /found a pending payment of 5 with no postings, expected arrive 5$/,
  },
  {
    what: 'a transaction id in two partitions',
    sql: `insert into transactions select account_id, id, 'pending', amount, currency, type,
        refund_of, due_at, updated_at, reference, metadata from transactions
      where ${ofBusiest} and id = ${aTransaction("status = 'succeeded' and type = 'credit'")}`,
    rules: ['ids_are_unique', 'states_have_their_postings'],
    shows: /^txn_\w+: found two rows with this id, expected one$/,
  },
  {
    what: 'a transaction updated before it was created',
    sql: `update transactions set updated_at = '2001-01-01'
      where ${ofBusiest} and id = ${aTransaction("status = 'succeeded'")}`,
    rules: ['times_do_not_decrease'],
    shows: /^txn_\w+: found updated_at 2001-01-01T/,
  },
  {
    what: 'a finished transaction that is still due',
    sql: `update transactions set due_at = now()
      where ${ofBusiest} and id = ${aTransaction("status = 'failed'")}`,
    rules: ['only_pending_is_due'],
    shows: /found failed and due at \S+, expected no due_at$/,
  },
  {
    what: 'a transaction in the wrong currency',
    sql: `update transactions set currency = 'XAF'
      where ${ofBusiest} and id = ${aTransaction("status = 'succeeded'")}`,
    rules: ['currency_matches'],
    shows: /^currency of transactions: found XAF, expected [A-Z]{3}$/,
  },
  {
    what: 'a last_transaction_id that is too low',
    sql: `update balances set last_transaction_id = '00000000-0000-0000-0000-000000000000'
      where ${ofBusiest}`,
    rules: ['last_transaction_id_is_latest'],
    shows: /^last_transaction_id: found txn_0{26}, expected txn_\w+, the newest, or later$/,
  },
  {
    what: 'a last_at that is too early',
    sql: `update balances set last_at = '2001-01-01' where ${ofBusiest}`,
    rules: ['last_at_is_latest', 'last_at_is_latest', 'last_at_is_latest'],
    shows: /^last_at: found an? \w+ of \S+, expected none after 2001-01-01T00:00:00.000Z$/,
  },
  {
    what: 'a refund total that is too high',
    sql: `update refund_totals set amount = amount * 2 where (account_id, payment_id) =
      (select account_id, payment_id from refund_totals where amount > 0 limit 1)`,
    rules: ['refund_total_matches'],
    shows: /^txn_\w+: found a total of \d+, expected \d+, the sum of its refunds$/,
  },
  {
    what: 'a missing refund total',
    sql: `delete from refund_totals where (account_id, payment_id) =
      (select account_id, payment_id from refund_totals where amount > 0 limit 1)`,
    rules: ['refund_total_matches'],
    shows: /found a total of 0, expected \d+/,
  },
  {
    what: 'a succeeded refund missing in the total',
    sql: `update refund_totals set succeeded_amount = 0 where (account_id, payment_id) =
      (select account_id, payment_id from refund_totals where succeeded_amount > 0 limit 1)`,
    rules: ['refund_total_matches'],
    shows: /found a succeeded total of 0, expected \d+, the sum of its succeeded refunds$/,
  },
  {
    what: 'refunds larger than their payment',
    sql: `update transactions as payment set amount = 1 from refund_totals
      where payment.account_id = refund_totals.account_id and payment.id = payment_id
        and payment_id = (select payment_id from refund_totals where amount > 1 limit 1)`,
    rules: ['refunds_stay_within_payment', 'states_have_their_postings'],
    shows: /^txn_\w+: found \d+ refunded, expected at most 1$/,
  },
  {
    what: 'a refund of a missing payment',
    sql: `update transactions set refund_of = '01900000-0000-7000-8000-000000000000'
      where type = 'refund' and status = 'canceled' and refund_of is not null
        and id = (select id from transactions where type = 'refund' and status = 'canceled'
          and refund_of is not null limit 1)`,
    rules: ['refunds_have_their_payment'],
    shows: /found refunds of a missing transaction, expected a payment$/,
  },
  {
    what: 'a payment with refund_of',
    sql: `update transactions set refund_of = id
      where ${ofBusiest} and id = ${aTransaction("status = 'succeeded' and type = 'payment'")}`,
    rules: ['only_refunds_are_linked'],
    shows: /found a payment that refunds txn_\w+, expected a refund$/,
  },
  {
    what: 'a missing event in the middle',
    sql: `delete from events where ${ofBusiest}
      and sequence = (select max(sequence) - 5 from events where ${ofBusiest})`,
    rules: ['events_have_no_gaps'],
    shows: /^event \d+: found number \d+, expected number \d+$/,
  },
  {
    what: 'a missing event at the end',
    sql: `delete from events where ${ofBusiest}
      and sequence = (select max(sequence) from events where ${ofBusiest})`,
    rules: ['event_sequence_matches'],
    shows: /^event_sequence: found \d+, expected \d+$/,
  },
  {
    what: 'an event earlier than its predecessor',
    sql: `update events set at = '2001-01-01' where ${ofBusiest}
      and sequence = (select max(sequence) - 5 from events where ${ofBusiest})`,
    rules: ['times_do_not_decrease'],
  },
  {
    what: 'a new account without its first events',
    sql: `delete from events where sequence = 1
      and account_id = (select max(account_id::text)::uuid from balances)`,
    rules: ['events_have_no_gaps'],
    shows: /^events: found the first is number 2, expected number 1$/,
  },
  {
    what: 'a balance whose status differs from the account',
    sql: `update balances set status = 'suspended' where ${ofBusiest}`,
    rules: ['balance_agrees_with_account'],
    shows: /^status: found suspended in balances, expected active, as in accounts$/,
  },
  {
    what: 'an account without a balance',
    sql: `delete from balances where ${ofBusiest}`,
    rules: [
      'balance_agrees_with_account',
      'events_have_a_balance',
      'postings_have_a_balance',
      'transactions_have_a_balance',
    ],
  },
  {
    what: 'a balance without an account',
    sql: `delete from accounts where id = ${busiest}`,
    rules: ['counts_match', 'nothing_is_left_without_account', 'nothing_is_left_without_account'],
  },
  {
    what: 'an account without an owner',
    sql: `update users set role = 'member' where ${ofBusiest}`,
    rules: ['accounts_have_one_owner'],
    shows: /^owner: found no owner, expected usr_\w+ with the email \S+$/,
  },
  {
    what: 'a closed account with users',
    sql: `update accounts set status = 'closed', closed_at = now() where id = ${busiest};
      update balances set status = 'closed' where ${ofBusiest}`,
    rules: ['closed_accounts_have_no_users', 'counts_match', 'counts_match'],
  },
  {
    what: 'a closed account with incoming money',
    sql: `update balances set status = 'closed' where account_id = ${waiting}`,
    rules: ['balance_agrees_with_account', 'closed_accounts_move_no_money'],
  },
  {
    what: 'a list count that is one too high',
    sql: `update list_counts set n = n + 1 where (list, status, type, slot) =
      (select list, status, type, slot from list_counts where list = 'users' limit 1)`,
    rules: ['counts_match'],
    shows: /^active users: found a count of 13, expected 12$/,
  },
  {
    what: 'a user email without a claim',
    sql: `delete from email_claims where user_id = (select id from users where ${ofBusiest})`,
    rules: ['emails_are_claimed'],
    shows: /@\S+: found not claimed, expected claimed by usr_\w+$/,
  },
  {
    what: 'a token without a session',
    sql: `insert into tokens (token_hash, kind, principal_id, user_id, account_id, role, expires_at)
      select '\\x00', 'access', id, id, account_id, role, now() + interval '1 hour' from users
      where ${ofBusiest};
      insert into tokens (token_hash, kind, principal_id, user_id, account_id, role, expires_at)
      select '\\x01', 'access', id, id, account_id, role, now() from users where ${ofBusiest}`,
    rules: ['tokens_have_a_session'],
  },
  {
    what: 'a bucket that was negative for a while',
    sql: unguarded(`
      with moved as (
        select account_id, min(sequence) filter (where movement = 'hold') as sequence
        from postings where ${ofBusiest} group by account_id)
      update postings set available_after = -available_after - 1 from moved
      where postings.account_id = moved.account_id and postings.sequence = moved.sequence`),
    rules: ['available_after_is_rebuilt', 'available_after_is_rebuilt', 'no_bucket_is_negative'],
    shows: /^available: found -\d+ at its lowest, expected 0 or more$/,
  },
  {
    what: 'an event id with another sequence number',
    sql: `update events set id = (left(id::text, 26) || '00000000ff')::uuid
      where ${ofBusiest}
        and sequence = (select event_sequence from balances where ${ofBusiest})`,
    rules: ['event_ids_carry_their_number'],
    shows: /^event \d+: found number 255, expected number \d+$/,
  },
  {
    what: 'an active API key without a token',
    sql: `insert into api_keys (id, account_id, user_id, role, name, scopes, last4)
      select gen_random_uuid(), account_id, id, 'account_key', 'A key', '{*}', 'abcd'
      from users where role = 'owner' limit 1`,
    rules: ['keys_have_a_token'],
    shows: /^key_\w+: found 0 tokens, expected one token$/,
  },
  {
    what: 'a token of a revoked API key',
    sql: `insert into tokens (token_hash, kind, principal_id, user_id, account_id, role, scopes,
        expires_at)
      select 'x', 'api_key', gen_random_uuid(), id, account_id, 'account_key', '{*}', 'infinity'
      from users where role = 'owner' limit 1`,
    rules: ['key_tokens_have_a_key'],
  },
  {
    what: 'an active API key without its creator',
    sql: `with made as (
        insert into api_keys (id, account_id, user_id, role, name, scopes, last4)
        values (gen_random_uuid(), null, gen_random_uuid(), 'platform', 'A key', '{*}', 'abcd')
        returning id, user_id)
      insert into tokens (token_hash, kind, principal_id, user_id, account_id, role, scopes,
        expires_at)
      select 'x', 'api_key', id, user_id, null, 'platform', '{*}', 'infinity' from made`,
    rules: ['keys_have_an_active_creator'],
  },
]
