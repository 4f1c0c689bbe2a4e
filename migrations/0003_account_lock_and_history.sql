-- The account's lock, and what happened. Every change to anything of an account first locks its row
-- in balances; events are numbered under that lock, without gaps.

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
  -- A time written under the lock never falls behind this one.
  last_at timestamptz(3) not null
) with (fillfactor = 60);

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

-- What was done by whom: every deed of admins and platforms, and every change of a user without an
-- account, written in the deed's own database transaction.
create table audit_log (
  id uuid primary key,
  actor_role text not null,
  actor_id uuid,
  action text not null,
  object_id uuid,
  account_id uuid,
  request_id text,
  details text not null
);
