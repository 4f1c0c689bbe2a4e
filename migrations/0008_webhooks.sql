-- Webhook endpoints, deliveries and attempts. A change of money writes nothing here: a worker reads
-- the account's events by their gapless sequence numbers, so an endpoint is a cursor and a backlog
-- costs nothing (decision 23).

create table webhook_endpoints (
  account_id uuid,
  id uuid,
  url text not null,
  -- Event names, `noun.*` or `*`.
  events text[] not null,
  status text not null
    constraint webhook_endpoints_status_is_known check (status in ('enabled', 'disabled')),
  disabled_reason text
    constraint webhook_endpoints_reason_is_known
    check (disabled_reason in ('manual', 'gone', 'failing', 'closed')),
  -- Readable, because every delivery is signed with it. Returned by the API once.
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- The last event of the account that was handled for this endpoint.
  event_sequence bigint not null,
  -- A requested replay: events after the first up to the second are sent again.
  replay_after bigint,
  replay_through bigint,
  -- The account is closed: the endpoint is disabled after this event.
  final_sequence bigint,
  -- Since when no delivery has succeeded; null while deliveries succeed.
  failing_since timestamptz(3),
  updated_at timestamptz(3) not null,
  -- When the URL last changed: failures of an earlier URL do not count against this one.
  url_changed_at timestamptz(3),
  -- Test deliveries within an hour. Unlike events, nothing else limits their number.
  tests integer not null default 0,
  tests_since timestamptz(3),
  primary key (account_id, id),
  constraint webhook_endpoints_disabled_have_a_reason
    check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoints_previous_secret_ends
    check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_replay_has_both_ends
    check ((replay_after is null) = (replay_through is null))
);
-- For admins and platforms, who look one up by its id alone.
create index webhook_endpoints_id on webhook_endpoints (id);
-- With the position of each endpoint in the index, the worker goes from account to account and sees
-- whether any endpoint is behind, without reading the endpoints.
create index webhook_endpoints_followed
  on webhook_endpoints (right(account_id::text, 1), account_id, event_sequence)
  where status = 'enabled';
-- The few that have work to do although they are not behind.
create index webhook_endpoints_replaying on webhook_endpoints (account_id, id)
  where status = 'enabled' and (replay_after is not null or final_sequence is not null);

-- One row per event and endpoint, and one more for each replay. Request and response are those of
-- the last attempt.
create table webhook_deliveries (
  account_id uuid,
  id uuid,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- Null for a test, which has no event.
  event_sequence bigint,
  -- The whole body of a test. The body of an event is rendered from the event each time.
  test_body text,
  status text not null
    constraint webhook_deliveries_status_is_known
    check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  -- The position in the retry schedule, which a resend restarts.
  attempts smallint not null default 0,
  -- When it is attempted next. While a worker has claimed it, when that worker's lease expires.
  next_at timestamptz(3),
  lease_id uuid,
  attempted_at timestamptz(3),
  url text,
  duration_ms integer,
  response_status smallint,
  -- The first 4 KiB, whatever they are.
  response_body bytea,
  error text,
  -- Attempts before the last resend.
  earlier_attempts integer not null default 0,
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

-- Earlier attempts of a delivery. The last one is in the delivery itself and moves here when
-- another follows, so a delivery that succeeds at once, as nearly all do, writes nothing here.
create table webhook_attempts (
  account_id uuid,
  delivery_id uuid,
  attempted_at timestamptz(3),
  url text not null,
  duration_ms integer not null,
  response_status smallint,
  response_body bytea,
  error text,
  primary key (account_id, delivery_id, attempted_at)
);
