-- Users, accounts, sessions, tokens, API keys and login throttling. Identity tables start with
-- their own id. What is looked up by value alone (an email address, a token) has a table keyed by
-- that value.

create table users (
  id uuid primary key,
  account_id uuid,
  role text not null
    constraint users_role_is_known
    check (role in ('admin', 'platform', 'owner', 'member', 'lone')),
  status text not null
    constraint users_status_is_known
    check (status in ('active', 'suspended', 'pending')),
  email text not null,
  email_canonical text not null,
  name text,
  password_hash text not null,
  -- Name and email, case-folded by the application: SQL's lower() depends on the locale.
  search text not null,
  updated_at timestamptz(3) not null,
  -- The API key that created the user. Revoking the key suspends the user.
  created_by_key_id uuid,
  constraint users_of_an_account_are_owner_or_member
    check ((account_id is not null) = (role in ('owner', 'member')))
);
create index users_of_account on users (account_id, id) where account_id is not null;
create index users_by_status on users (status, id);
-- Without fastupdate a new user costs 0.6 ms more (hashing the password takes 45 ms), but a search
-- never reads a list of pending entries, for which the planner preferred to scan the whole table.
create index users_search on users using gin (search gin_trgm_ops) with (fastupdate = off);
create index users_admins on users (id) where role = 'admin';
create index users_created_by_key on users (created_by_key_id, id)
  where created_by_key_id is not null and status <> 'suspended';

-- An email address belongs to one user at a time. The row of a closed account's address stays.
create table email_claims (
  email_canonical text primary key,
  user_id uuid not null
);

create table accounts (
  id uuid primary key,
  owner_id uuid not null,
  type text not null
    constraint accounts_type_is_known check (type in ('individual', 'business')),
  status text not null
    constraint accounts_status_is_known
    check (status in ('active', 'suspended', 'pending', 'closed')),
  email text not null,
  name text not null,
  currency text not null,
  timezone text not null,
  language text not null,
  updated_at timestamptz(3) not null,
  closed_at timestamptz(3),
  -- Name and email, case-folded by the application.
  search text not null,
  constraint accounts_closed_have_a_closing_time
    check ((status = 'closed') = (closed_at is not null))
);
create index accounts_by_status on accounts (status, id);
create index accounts_by_type on accounts (type, id);
create index accounts_search on accounts using gin (search gin_trgm_ops) with (fastupdate = off);

-- A new email address of an account that is not confirmed yet. One per account: a newer request
-- replaces the older. The token of the link is stored as a hash only.
create table email_changes (
  account_id uuid primary key,
  email text not null,
  token_hash bytea not null,
  -- A hash of the owner's password hash: changing the password invalidates the request.
  password_fingerprint bytea not null,
  expires_at timestamptz(3) not null
);
create index email_changes_by_token on email_changes (token_hash);
create index email_changes_old on email_changes (expires_at);

-- A session states for which account and role its tokens act. Deleting the row revokes all of them.
create table sessions (
  id uuid primary key,
  user_id uuid not null,
  -- 90 days after the login no refresh extends the session.
  ends_at timestamptz(3) not null,
  refreshed_at timestamptz(3) not null,
  address text not null,
  user_agent text,
  account_id uuid,
  role text not null,
  generation int not null default 0,
  -- The API key that created the user: revoking the key ends the session.
  created_by_key_id uuid
);
create index sessions_of_user on sessions (user_id, id);

-- A token of a session is valid only while the session's row exists. Only the tokens of the latest
-- generations are stored; a used refresh token among them must be recognized as theft.
create table tokens (
  token_hash bytea primary key,
  kind text not null
    constraint tokens_kind_is_known check (kind in ('access', 'refresh', 'api_key')),
  principal_id uuid not null,
  user_id uuid,
  -- Account and role of an API key. A session has its own.
  account_id uuid,
  role text,
  scopes text[],
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  generation int not null default 0
);
create index tokens_of_principal on tokens (principal_id, generation);
create index tokens_expired on tokens (expires_at);

-- Sessions that ended while more tokens were left than one transaction deletes.
create table ended_sessions (
  session_id uuid primary key
);

-- Accounts and API keys that no longer grant access: tokens and sessions of a revoked account, and
-- sessions of users that a revoked key created, are invalid from the moment its row is here. The
-- row stays, because a login in flight may still insert a session.
create table revoked_grantors (
  id uuid primary key
);

-- An API key as people see it. Its row in tokens, found by the hash of the key, grants access;
-- revoking deletes that row and keeps this one. Platform keys have no account.
create table api_keys (
  id uuid primary key,
  account_id uuid,
  -- The creator: suspending or deleting this user revokes the key.
  user_id uuid not null,
  role text not null
    constraint api_keys_role_is_known check (role in ('account_key', 'platform')),
  name text not null,
  scopes text[] not null,
  last4 text not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The admin who revoked a platform key, while users that it created are still to be suspended.
  users_suspended_by uuid,
  constraint api_keys_of_an_account_act_for_it
    check ((account_id is not null) = (role = 'account_key'))
);
create index api_keys_of_account on api_keys (account_id, id);
create index api_keys_of_creator on api_keys (user_id) where revoked_at is null;
create index api_keys_suspending_users on api_keys (id) where users_suspended_by is not null;

-- Sessions of the dashboard. The browser holds a cookie and never a token: the tokens of the API
-- session are here, encrypted with a key that only the cookie gives. The cookie is stored as its
-- SHA-256, so reading this table neither decrypts the tokens nor logs in.
create table dashboard_sessions (
  cookie_hash bytea primary key,
  sealed_tokens bytea not null,
  -- When the refresh token expires.
  expires_at timestamptz(3) not null
);
create index dashboard_sessions_by_end on dashboard_sessions (expires_at);

-- Failed logins by hashed key: a pair of email and address, an email, or an address. The times are
-- one array, so that one atomic statement both counts and adds.
create table login_failures (
  key_hash bytea primary key,
  failed_at timestamptz[] not null,
  retain_until timestamptz not null
);
create index login_failures_old on login_failures (retain_until);

-- Addresses from which an email has logged in: they do not count against that email.
create table login_addresses (
  key_hash bytea primary key,
  retain_until timestamptz not null
);
create index login_addresses_old on login_addresses (retain_until);

-- One-time links that create the first admin.
create table setup_links (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
