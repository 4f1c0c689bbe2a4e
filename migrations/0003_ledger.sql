-- The account lock, balances, postings and events. Every change to anything of an account first
-- locks its row in balances; postings and events are numbered under that lock, without gaps.

create table balances (
  account_id uuid primary key,
  currency text not null,
  status text not null,
  available bigint not null
    constraint balances_available_must_not_be_negative check (available >= 0),
  incoming bigint not null
    constraint balances_incoming_must_not_be_negative check (incoming >= 0),
  held bigint not null
    constraint balances_held_must_not_be_negative check (held >= 0),
  posting_sequence bigint not null,
  event_sequence bigint not null,
  -- The id of a new transaction is greater than this one, so id order is commit order.
  last_transaction_id uuid not null,
  -- A time written under the lock is never earlier than this one.
  last_at timestamptz(3) not null,
  -- Bytes of large metadata written on one UTC day, given in days since 1970. Every change of money
  -- rewrites this row, so counting costs no statement.
  metadata_day integer not null default 0,
  metadata_day_bytes bigint not null default 0,
  -- Subscriptions that are not canceled. Each creates payment requests and emails without further
  -- API calls, so their number is limited.
  open_subscriptions integer not null default 0
) with (fillfactor = 60);

-- Append-only. One row moves an amount from one bucket of the account to another, so the sum over
-- an account's buckets is always zero.
create table postings (
  account_id uuid,
  sequence bigint,
  transaction_id uuid not null,
  movement text not null
    constraint postings_movement_is_known
    check (movement in ('arrive', 'settle', 'return', 'hold', 'pay_out', 'release')),
  amount bigint not null constraint postings_amount_is_positive check (amount > 0),
  available_after bigint not null,
  at timestamptz(3) not null,
  primary key (account_id, sequence)
);
-- A statement shows the postings that change available. Without this index a page reads every
-- posting of payments that were created and canceled: 0.6 s for a million. It costs 100 bytes of
-- WAL when money becomes available and for each side of a refund.
create index postings_shown on postings (account_id, sequence)
  where movement in ('settle', 'hold', 'release');

-- The last 40 bits of an id are the sequence, so that an id finds its row by the primary key.
create table events (
  account_id uuid,
  sequence bigint,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  at timestamptz(3) not null,
  data text not null,
  primary key (account_id, sequence)
);

-- Closed accounts that still have rows to clean up. Closing marks the account closed in one short
-- transaction; its open subscriptions, payment requests, transactions, keys and users are ended in
-- slices afterwards. The row records the progress and is removed with the last slice.
create table account_closings (
  account_id uuid primary key,
  -- Every slice writes with this time, as if it had been part of the closing.
  closed_at timestamptz(3) not null,
  stage text not null
    constraint account_closings_stage_is_known
    check (stage in ('subscriptions', 'payments', 'transactions', 'api_keys', 'users', 'account')),
  -- Rows of this stage with a greater id are still to be done.
  after_id uuid not null,
  -- Who closed the account, for the audit log.
  actor_role text not null,
  actor_id uuid,
  request_id text,
  -- Real time, unlike closed_at, which is business time.
  started_at timestamptz(3) not null default now(),
  progressed_at timestamptz(3) not null default now()
);

-- Responses stored for an Idempotency-Key.
create table idempotency_keys (
  scope_id uuid,
  key_hash bytea,
  fingerprint bytea not null,
  retain_until date not null,
  status smallint not null,
  body bytea not null,
  primary key (scope_id, key_hash)
);
create index idempotency_keys_old on idempotency_keys (retain_until);
