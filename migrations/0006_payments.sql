-- Payment requests: what a customer is asked to pay, and the link by which. Keys start with
-- account_id, so requests shard with their account; links are found by value alone and shard by it.

-- List-partitioned by status, as transactions are and for the same reasons: what has ended never
-- moves again, a page of a rare status walks no other, and what is due is looked for only among
-- what is pending. (account_id, id) is unique because ids are given under the account's lock, from
-- the same sequence as those of transactions (balances.last_transaction_id); `florin verify`
-- checks it.
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
  -- How many cards were declined, and how often the link was mailed.
  declines smallint not null
    constraint payment_requests_declines_in_range check (declines between 0 and 10),
  sends integer not null
    constraint payment_requests_are_sent_at_least_once check (sends >= 1),
  transaction_id uuid,
  expires_at timestamptz(3) not null,
  -- When the worker must look at it next: to remind the customer, and after that to let it expire.
  -- One column, so that one index serves both.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  reference text,
  -- JSON as it is answered; null is {}.
  metadata text,
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
-- For admins and platforms, who see all accounts in one list.
create index payment_requests_id on payment_requests (id);
-- Sixteen slots by the last digit of the account, as for transactions that are due.
create index payment_requests_due
  on payment_requests_pending (right(account_id::text, 1), due_at);

create table payment_links (
  token text primary key,
  account_id uuid not null,
  payment_id uuid not null
);
