-- runs alongside: 0009_request_logs

-- Evidence of changes without an account event, written in the same transaction. When the response
-- to COMMIT is lost, the process inserts the same key with committed = false: it then knows that
-- the change was committed, or that it never will be. Rows are deleted after an hour.

create table commit_evidence (
  -- The account of the change; for the service itself, the greatest uuid.
  account_id uuid,
  id uuid,
  committed boolean not null,
  primary key (account_id, id)
);
