-- Webhooks: where an account's events are sent, and what became of each sending. Nothing of this is
-- written by a change of money: a worker follows the account's events by their numbers, which have
-- no gaps, so an endpoint is a cursor and a backlog costs nothing (decision 32).

create table webhook_endpoints (
  account_id uuid,
  id uuid,
  url text not null,
  -- Names, `noun.*` or `*`.
  events text[] not null,
  status text not null
    constraint webhook_endpoints_status_is_known check (status in ('enabled', 'disabled')),
  disabled_reason text
    constraint webhook_endpoints_reason_is_known
    check (disabled_reason in ('asked', 'gone', 'failing', 'closed')),
  -- Readable, because every delivery is signed with it. Shown over the API once.
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- The last event of the account that was looked at for this endpoint.
  event_sequence bigint not null,
  -- A replay asked for: events after the one up to the other are sent once more.
  replay_after bigint,
  replay_through bigint,
  -- The account is closed: with this event the endpoint ends.
  ends_with bigint,
  -- Since when nothing has succeeded; null while all is well.
  failing_since timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  constraint webhook_endpoints_disabled_say_why
    check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoints_previous_secret_ends
    check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_replay_has_both_ends
    check ((replay_after is null) = (replay_through is null))
);

-- One row for an event and an endpoint, again for each replay. Its tries count up in it; request
-- and answer are those of the last.
create table webhook_deliveries (
  account_id uuid,
  id uuid,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- Null for a test, which is no event of the account.
  event_sequence bigint,
  -- The whole body of a test. That of an event is made from the event each time.
  test_body text,
  status text not null
    constraint webhook_deliveries_status_is_known
    check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  attempts smallint not null default 0,
  -- When it is tried next. While a worker has it, when that worker's lease runs out.
  next_at timestamptz(3),
  lease_id uuid,
  tried_at timestamptz(3),
  url text,
  duration_ms integer,
  response_status smallint,
  -- The first 64 KiB, whatever they are.
  response_body bytea,
  error text,
  primary key (account_id, id),
  constraint webhook_deliveries_wait_until_they_end
    check ((status = 'pending') = (next_at is not null)),
  constraint webhook_deliveries_have_a_body
    check ((event_sequence is null) = (test_body is not null))
);
create index webhook_deliveries_due on webhook_deliveries (account_id, endpoint_id, next_at)
  where status = 'pending';
-- For the sweep, which deletes by age.
create index webhook_deliveries_id on webhook_deliveries (id);
