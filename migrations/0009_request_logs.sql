-- API requests made for an account, stored for seven days. Written after the response.
-- entry_id is assigned when the entry is written, so later entries sort later; id is the
-- Request-Id, assigned when the request arrived, and a long request is written after a short one.
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
  has_idempotency_key boolean not null,
  error text,
  -- Only in sandbox, only after secrets were removed, and at most 4 KiB of each.
  request_body text,
  response_body text,
  constraint request_logs_pkey primary key (account_id, entry_id)
);
-- A cursor is a Request-Id.
create index request_logs_by_request on request_logs (account_id, id);
