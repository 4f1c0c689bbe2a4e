-- runs alongside: 0009_request_logs

-- Real payment providers: checkouts, charges, refunds at the provider, disputes, and what an
-- account owes after a fee or a dispute that its balance did not cover.

-- A positive amount is a debt to the operator. Money that becomes available repays it first, so
-- available is zero while owed is positive.
alter table balances add column owed bigint not null default 0;
alter table balances add constraint balances_owed_must_not_be_negative
  check (owed >= 0) not valid;

alter table postings rename constraint postings_movement_is_known to postings_until_finished;
alter table postings add constraint postings_movement_is_known
  check (movement in ('arrive', 'settle', 'return', 'hold', 'pay_out', 'release', 'fee',
    'withdraw', 'reinstate', 'overdraw', 'repay')) not valid;

-- One visit of a payer to a provider's page. The row is written before the provider is called, so
-- that no charge exists without a row that finds it. At most one per request and provider can be
-- used by the payer; another one may still have to be ended at the provider.
create table checkouts (
  account_id uuid,
  id uuid,
  payment_id uuid not null,
  provider text not null,
  -- Null until the provider has created it.
  provider_id text,
  state text not null
    constraint checkouts_state_is_known
    check (state in ('creating', 'open', 'processing', 'paid', 'failed', 'ended')),
  url text,
  -- Of the payer. Stored, because a repeated call to the provider must have the same parameters.
  language text not null,
  -- When the provider ends it; null until the provider has created it.
  expires_at timestamptz(3),
  -- When the worker asks the provider for its state next; null once nothing can change anymore.
  check_at timestamptz(3),
  checks smallint not null default 0,
  -- The request has ended without this checkout, so the provider must end it too.
  is_ending boolean not null default false,
  primary key (account_id, id),
  -- The previous version would not send refunds to the provider.
  constraint checkouts_until_finished check (false)
);
create unique index checkouts_usable on checkouts (account_id, payment_id, provider)
  where state in ('creating', 'open', 'processing') and not is_ending;
-- Sixteen slots by the last digit of the account, as for due transactions.
create index checkouts_due on checkouts (right(account_id::text, 1), check_at)
  where check_at is not null;

-- The charge that paid a transaction. One charge pays one transaction.
create table charges (
  account_id uuid,
  transaction_id uuid,
  provider text not null,
  charge_id text not null,
  -- The checkout, by our id and by the provider's; null in the sandbox, which has no checkouts.
  checkout_id uuid,
  provider_id text,
  amount bigint not null constraint charges_amount_is_positive check (amount > 0),
  -- Null until the provider has determined it.
  fee bigint constraint charges_fee_must_not_be_negative check (fee >= 0),
  -- A payment with a dispute that was not won cannot be refunded.
  is_disputed boolean not null default false,
  -- It did not pay its request: the request had ended, or the amount differs.
  is_late boolean not null default false,
  card_brand text,
  card_last4 text,
  primary key (account_id, transaction_id)
);
create unique index charges_charge_id on charges (account_id, provider, charge_id);
create index charges_late on charges (account_id, transaction_id) where is_late;

-- A refund transaction whose money a provider returns: the outbox of refund calls, and the refunds
-- that were created in the provider's dashboard.
create table provider_refunds (
  account_id uuid,
  -- The refund transaction, and the payment that it refunds.
  id uuid,
  payment_id uuid not null,
  provider text not null,
  -- Null until the provider has created it.
  provider_refund_id text,
  state text not null
    constraint provider_refunds_state_is_known
    check (state in ('queued', 'submitted', 'succeeded', 'failed')),
  -- Set before the first call: from then on the refund cannot be canceled.
  submitted_at timestamptz(3),
  next_at timestamptz(3),
  attempts smallint not null default 0,
  -- The credit that returned the money after a refund that had succeeded failed.
  credit_id uuid,
  primary key (account_id, id)
);
create unique index provider_refunds_provider_id
  on provider_refunds (account_id, provider, provider_refund_id)
  where provider_refund_id is not null;
create index provider_refunds_payment on provider_refunds (account_id, payment_id);
create index provider_refunds_due on provider_refunds (right(account_id::text, 1), next_at)
  where next_at is not null;

create table disputes (
  account_id uuid,
  id uuid,
  -- The payment.
  transaction_id uuid not null,
  provider text not null,
  provider_dispute_id text not null,
  -- May exceed the payment.
  amount bigint not null constraint disputes_amount_is_positive check (amount > 0),
  currency text not null,
  reason text not null,
  status text not null
    constraint disputes_status_is_known
    check (status in ('needs_response', 'under_review', 'won', 'lost')),
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index disputes_provider_id on disputes (account_id, provider, provider_dispute_id);
create index disputes_transaction on disputes (account_id, transaction_id);
-- For admins and platforms, who list all accounts.
create index disputes_id on disputes (id);
-- Disputes of sandbox cards without a response in time, in sixteen slots.
create index disputes_due on disputes (right(account_id::text, 1), due_at)
  where provider = 'sandbox' and status in ('needs_response', 'under_review');

-- Messages of providers. The key removes duplicates; the row is the inbox of the worker.
create table provider_events (
  provider text,
  event_id text,
  -- The object to fetch: messages are never trusted beyond this.
  provider_id text not null,
  state text not null
    constraint provider_events_state_is_known check (state in ('due', 'done', 'unmatched')),
  received_at timestamptz(3) not null default now(),
  -- In microseconds: rounded up to a millisecond, a new event would not be due yet.
  next_at timestamptz,
  attempts smallint not null default 0,
  lease_id uuid,
  -- Of a payment that belongs to no checkout.
  amount bigint,
  currency text,
  primary key (provider, event_id)
);
create index provider_events_due on provider_events (next_at) where state = 'due';
create index provider_events_unmatched on provider_events (received_at) where state = 'unmatched';
create index provider_events_old on provider_events (received_at) where state = 'done';

create table provider_states (
  provider text primary key,
  -- Where the next request for changes continues.
  cursor text,
  last_webhook_at timestamptz(3),
  last_sweep_at timestamptz(3),
  last_error text,
  last_error_at timestamptz(3)
);

-- Where the payment page sends the payer back to. Separate, because few requests have it.
create table payment_returns (
  account_id uuid,
  payment_id uuid,
  return_url text,
  cancel_url text,
  primary key (account_id, payment_id)
);
create table return_origins (
  account_id uuid,
  origin text,
  primary key (account_id, origin)
);
