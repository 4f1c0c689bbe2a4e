-- Payment requests, their links and their card attempts. Links are looked up by value alone and
-- shard by it.

-- List-partitioned by status, as transactions are and for the same reasons. (account_id, id) is
-- unique because ids are assigned under the account lock, from the same sequence as those of
-- transactions (balances.last_transaction_id); `florin verify` checks it.
create table payment_requests (
  account_id uuid not null,
  id uuid not null,
  status text not null,
  amount bigint not null
    constraint payment_requests_amount_in_range check (amount between 1 and 999999999999),
  currency text not null,
  customer_email text not null,
  -- Readable, not hashed: the link must be shown and sent again.
  token text not null,
  -- How many cards were declined, and how often the link was emailed.
  declines smallint not null
    constraint payment_requests_declines_in_range check (declines between 0 and 10),
  sends integer not null
    constraint payment_requests_are_sent_at_least_once check (sends >= 1),
  transaction_id uuid,
  expires_at timestamptz(3) not null,
  -- When the worker handles it next: to remind the customer, then to expire it. One column, so
  -- that one index serves both.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  reference text,
  -- JSON as it is returned; null is {}.
  metadata text,
  -- How many rows of payment_attempts belong to it.
  attempts smallint,
  primary key (account_id, id, status),
  constraint payment_requests_succeeded_have_a_transaction
    check ((status = 'succeeded') = (transaction_id is not null)),
  constraint payment_requests_only_pending_are_due
    check ((status = 'pending') = (due_at is not null))
) partition by list (status);
create table payment_requests_pending partition of payment_requests for values in ('pending');
create table payment_requests_succeeded partition of payment_requests for values in ('succeeded');
create table payment_requests_failed partition of payment_requests for values in ('failed');
create table payment_requests_canceled partition of payment_requests for values in ('canceled');
-- For admins and platforms, who list all accounts.
create index payment_requests_id on payment_requests (id);
-- Sixteen slots by the last digit of the account, as for due transactions.
create index payment_requests_due
  on payment_requests_pending (right(account_id::text, 1), due_at);
-- From a transaction to the request that it paid: for customer emails in lists and statements, and
-- for the email about a refund.
create index payment_requests_transaction
  on payment_requests_succeeded (account_id, transaction_id);

create table payment_links (
  token text primary key,
  account_id uuid not null,
  payment_id uuid not null
);

-- Every card attempt that the processor decided: the merchant sees why a request was not paid, and
-- reports count declines. Written in the database transaction that decides the attempt. The tenth
-- decline fails a request. Never the card number: brand and the last four digits only.
create table payment_attempts (
  account_id uuid not null,
  payment_id uuid not null,
  number smallint not null
    constraint payment_attempts_number_in_range check (number between 1 and 10),
  created_at timestamptz(3) not null,
  outcome text not null
    constraint payment_attempts_outcome_is_known check (outcome in ('succeeded', 'declined')),
  decline_code text,
  card_brand text not null,
  card_last4 text not null
    constraint payment_attempts_last4_are_four_digits check (card_last4 ~ '^[0-9]{4}$'),
  primary key (account_id, payment_id, number),
  constraint payment_attempts_only_declines_have_a_code
    check ((outcome = 'declined') = (decline_code is not null))
);
-- The volume report counts declines by time. The primary key is in order of requests.
create index payment_attempts_declined on payment_attempts (account_id, created_at)
  where outcome = 'declined';
