-- Quotas per account that are counted in rows which are written anyway, and the progress of account
-- closings.

-- How many bytes of large metadata the account's objects were written with on one UTC day, given
-- in days since 1970. Every change of money rewrites this row, so counting costs no statement.
-- Constant defaults: no rewrite of the table.
alter table balances
  add column metadata_day integer not null default 0,
  add column metadata_day_bytes bigint not null default 0;

-- Subscriptions that are not canceled. Each creates payment requests and emails without further API
-- calls, so their number is bounded.
alter table balances add column open_subscriptions integer not null default 0;
update balances
set open_subscriptions = open.n
from (
  select account_id, count(*) as n
  from subscriptions
  where status <> 'canceled'
  group by account_id) as open
where balances.account_id = open.account_id;

-- How many distinct inboxes an account has sent email to on one UTC day, in the row of that account
-- and day.
alter table inbox_counts add column recipients integer not null default 0;

-- In real time, unlike closed_at, which is business time.
alter table account_closings
  add column started_at timestamptz(3) not null default now(),
  add column progressed_at timestamptz(3) not null default now();
