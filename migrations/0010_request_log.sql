-- What was asked of the API on behalf of an account, for those who look for what their own program
-- did: kept for seven days, and never in the way of a request.

-- entry_id is made when the entry is written, so that what comes later stands later; id is the
-- Request-Id, made when the request came, and a long request is written down after a short one.
create table request_logs (
  account_id uuid not null,
  entry_id uuid not null,
  id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  caller_kind text not null
    constraint request_logs_caller_is_known check (caller_kind in ('user', 'api_key')),
  caller_id uuid not null,
  has_key boolean not null,
  error text,
  -- Only in sandbox, only after the secrets were taken out, and at most 4 KiB of each.
  request_body text,
  response_body text,
  constraint request_logs_pkey primary key (account_id, entry_id)
);

-- A cursor is a Request-Id.
create index request_logs_by_request on request_logs (account_id, id);
