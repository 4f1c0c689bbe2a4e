-- Accounts that are closed and still have rows to tidy up. Closing marks the account closed in one
-- short transaction; what it had open (subscriptions, payment requests, transactions, keys, users)
-- is ended in slices afterwards. The row says how far that is, and is removed with the last slice.
create table account_closings (
  account_id uuid primary key,
  -- Every slice writes with this time, as if it had been part of the closing.
  closed_at timestamptz(3) not null,
  stage text not null
    constraint account_closings_stage_is_known
    check (stage in ('subscriptions', 'payments', 'transactions', 'api_keys', 'users', 'account')),
  -- Rows of this stage with a greater id are still to be done.
  after_id uuid not null,
  -- Who closed it, for the audit log.
  actor_role text not null,
  actor_id uuid,
  request_id text
);
