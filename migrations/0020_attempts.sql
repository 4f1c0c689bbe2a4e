-- Every card attempt of a payment request that the processor judged: the merchant sees why a
-- request was not paid, and reports count what was declined. Written in the same database
-- transaction that decides the attempt. The tenth decline fails a request, so its rows are few.
-- Never the card number: brand and the last four digits only.
create table payment_attempts (
  account_id uuid not null,
  payment_id uuid not null,
  -- Counts the attempts of the request from one. A request from before this table may start later.
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
-- The volume report counts declines by time. The key's own order is by request.
create index payment_attempts_declined on payment_attempts (account_id, created_at)
  where outcome = 'declined';

-- How many attempts are stored. Null for requests from before this migration, whose attempts are
-- known only as a number of declines. No default: a process of the previous version that still
-- runs stores no attempts.
alter table payment_requests add column attempts smallint;

-- attempts is the position in the retry schedule, which a resend restarts. The number of attempts
-- ever made is the sum of both columns.
alter table webhook_deliveries add column earlier_attempts integer not null default 0;

-- Deliveries that were resent before this migration. One attempt is in the delivery itself, the
-- others are in webhook_attempts; a canceled delivery has its last attempt in both. A delivery that
-- a worker holds has counted an attempt that is not recorded yet.
with past as (
  select account_id, delivery_id, count(*) as recorded, max(tried_at) as last_at
  from webhook_attempts
  group by account_id, delivery_id
), counted as (
  select delivery.account_id, delivery.id,
    coalesce(recorded, 0)
      + (tried_at is not null and tried_at is distinct from last_at)::integer
      - (attempts - (lease_id is not null)::integer) as missing
  from webhook_deliveries as delivery
  left join past on past.account_id = delivery.account_id and past.delivery_id = delivery.id
  where past.delivery_id is not null or status = 'pending'
)
update webhook_deliveries
set earlier_attempts = missing
from counted
where webhook_deliveries.account_id = counted.account_id
  and webhook_deliveries.id = counted.id
  and missing > 0;
