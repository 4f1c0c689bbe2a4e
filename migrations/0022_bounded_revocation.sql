-- Revocation takes effect through one row, however many tokens there are. A token of a session is
-- valid only while its session's row exists, so revoking deletes that row; leftover token rows are
-- removed in slices by the worker.

-- A renewal used to leave a token that was kept for 30 days. Now each renewal starts a new
-- generation, and only the tokens of the latest generations are kept.
alter table tokens add column generation int not null default 0;
drop index tokens_of_principal;
create index tokens_of_principal on tokens (principal_id, generation);

-- The session, not each of its tokens, states where it acts: when a user gets an account, only the
-- user's sessions change. Tokens of API keys keep these columns.
alter table sessions
  add column account_id uuid,
  add column role text,
  add column generation int not null default 0,
  -- The API key that created the user: revoking the key ends the session.
  add column created_by_key_id uuid;
update sessions
set account_id = users.account_id, role = users.role
from users
where users.id = sessions.user_id;
delete from sessions
where role is null;
alter table sessions alter column role set not null;
alter table tokens alter column role drop not null;
drop index tokens_of_user;
drop index tokens_of_account;

-- A user has at most 1 000 sessions. The server keeps to this bound at every login.
delete from sessions
where id in (
  select id
  from (
    select id, row_number() over (partition by user_id order by refreshed_at desc, id desc) as n
    from sessions
  ) as ranked
  where n > 1000
);

-- Sessions that ended while more tokens were left than one transaction deletes.
create table ended_sessions (
  session_id uuid primary key
);
insert into ended_sessions (session_id)
select distinct principal_id
from tokens
where kind <> 'api_key'
  and not exists (select 1 from sessions where sessions.id = tokens.principal_id);

-- Accounts and API keys that no longer give access: tokens and sessions of a revoked account, and
-- sessions of users that a revoked key created, are invalid from the moment its row is here. The
-- row stays, because a login that was in flight may still insert a session.
create table revoked_grantors (
  id uuid primary key
);

-- Which key created a user. Revoking the key suspends the user.
alter table users add column created_by_key_id uuid;
create index users_created_by_key on users (created_by_key_id, id)
  where created_by_key_id is not null and status <> 'suspended';

-- The admin who revoked a platform key, while users that it created are still to be suspended.
alter table api_keys add column users_suspended_by uuid;
create index api_keys_suspending_users on api_keys (id) where users_suspended_by is not null;
