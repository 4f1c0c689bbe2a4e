-- Ids are assigned under the account lock, from the sequence that transactions and payment requests
-- share (decision 9). Not partitioned by status: few end, and none is written often.
create table subscriptions (
  account_id uuid not null,
  id uuid not null,
  status text not null
    constraint subscriptions_status_is_known check (status in ('active', 'paused', 'canceled')),
  customer_email text not null,
  amount bigint not null
    constraint subscriptions_amount_in_range check (amount between 1 and 999999999999),
  currency text not null,
  interval_unit text not null
    constraint subscriptions_interval_is_known
    check (interval_unit in ('day', 'week', 'month', 'year')),
  interval_count integer not null
    constraint subscriptions_interval_count_in_range check (interval_count between 1 and 1096),
  -- The number of the next period. The first is 0, and is requested at once.
  next_period integer not null
    constraint subscriptions_begin_with_a_period check (next_period >= 1),
  next_at timestamptz(3),
  updated_at timestamptz(3) not null,
  reference text,
  -- JSON as it is returned; null is {}.
  metadata text,
  primary key (account_id, id),
  constraint subscriptions_only_active_have_a_next_time
    check ((status = 'active') = (next_at is not null))
);
-- For admins and platforms, who look one up by its id alone.
create index subscriptions_id on subscriptions (id);
-- For lists by status, and for closing an account, which reads the few that have not ended.
create index subscriptions_by_status on subscriptions (account_id, status, id);
-- Sixteen slots by the last digit of the account, as for due payment requests.
create index subscriptions_due on subscriptions (right(account_id::text, 1), next_at)
  where status = 'active';

-- Which payment request was created for which period, written in the same database transaction as
-- the request. The primary key makes a second request for a period impossible.
create table subscription_periods (
  account_id uuid not null,
  subscription_id uuid not null,
  period integer not null,
  -- When the period began; the request may have been created later.
  starts_at timestamptz(3) not null,
  payment_id uuid not null,
  primary key (account_id, subscription_id, period)
);
