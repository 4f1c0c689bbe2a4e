-- runs alongside: 0009_request_logs

-- Options of payment requests, and reusable payment links.

alter table payment_requests
  -- A message to the customer, on the payment page and in its emails.
  add column message text,
  -- How many days before the expiry the customer is reminded. 0: never. Null: the default.
  add column reminder_days smallint;
alter table payment_requests add constraint payment_requests_message_is_short
  check (char_length(message) <= 500) not valid;
alter table payment_requests add constraint payment_requests_reminder_days_in_range
  check (reminder_days between 0 and 29) not valid;

-- The customer of a request may get the link in another way than by email.
alter table payment_requests rename constraint payment_requests_are_sent_at_least_once
  to payment_requests_sends_until_finished;
alter table payment_requests add constraint payment_requests_sends_are_not_negative
  check (sends >= 0) not valid;

-- Reusable payment links. Every payer gets a payment request. `reusable_links`, because
-- payment_links has the tokens of payment requests.
create table reusable_links (
  account_id uuid,
  id uuid,
  slug text not null,
  title text not null,
  -- The account can change its currency until its first payment. The link then ends.
  currency text not null,
  -- Either a fixed amount, or bounds for the amount that the payer enters.
  amount bigint,
  amount_min bigint,
  amount_max bigint,
  amount_suggested bigint,
  max_uses integer
    constraint reusable_links_max_uses_in_range check (max_uses >= 1),
  expires_at timestamptz(3),
  active boolean not null,
  -- JSON as it is returned; null is {}.
  metadata text,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  constraint reusable_links_amount_is_fixed_or_open
    check ((amount is null) = (amount_min is not null and amount_max is not null)
      and (amount is null or coalesce(amount_min, amount_max, amount_suggested) is null)),
  constraint reusable_links_amounts_in_range
    check (amount between 1 and 999999999999
      or (1 <= amount_min and amount_min <= amount_max and amount_max <= 999999999999
        and coalesce(amount_suggested, amount_min) between amount_min and amount_max)),
  -- The previous version does not count the uses of a link.
  constraint reusable_links_until_finished check (false)
);

-- The page has only the slug. Found by value, and sharded by it.
create table link_slugs (
  slug text primary key,
  account_id uuid not null,
  link_id uuid not null
);

-- How many requests of a link are pending and paid. Updated under the account lock, in the database
-- transaction that creates or ends the request, so that a maximum is never exceeded.
create table link_uses (
  account_id uuid,
  link_id uuid,
  reserved integer not null default 0
    constraint link_uses_reserved_is_not_negative check (reserved >= 0),
  paid integer not null default 0
    constraint link_uses_paid_is_not_negative check (paid >= 0),
  primary key (account_id, link_id)
);

alter table payment_requests
  add column link_id uuid,
  -- A hash of the submitted form: submitting it twice creates one request.
  add column form_key text;
