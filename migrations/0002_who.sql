-- Who may enter: users, accounts, sessions and tokens. Identity tables start with their own id;
-- what is found by value alone (an email, a token) is a claim table keyed by that value. The
-- creation time of a row is the first 48 bits of its id, so no column repeats it.

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
  constraint users_of_an_account_are_owner_or_member
    check ((account_id is not null) = (role in ('owner', 'member')))
);
create index users_of_account on users (account_id, id) where account_id is not null;
create index users_by_status on users (status, id);
-- Without fastupdate a new user costs 0.6 ms more (hashing the password takes 45), and a search
-- never reads a list of pending entries, for which the planner preferred to read the whole table.
create index users_search on users using gin (search gin_trgm_ops) with (fastupdate = off);
create index users_admins on users (id) where role = 'admin';

-- An email belongs to one user at a time. The row of a closed account's email stays for good.
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
  constraint accounts_closed_have_a_closing_time
    check ((status = 'closed') = (closed_at is not null))
);
create index accounts_by_status on accounts (status, id);
create index accounts_by_type on accounts (type, id);

create table sessions (
  id uuid primary key,
  user_id uuid not null,
  -- Ninety days after the log-in no refresh prolongs the session any more.
  ends_at timestamptz(3) not null,
  refreshed_at timestamptz(3) not null,
  address text not null,
  user_agent text
);
create index sessions_of_user on sessions (user_id, id);

-- Revoking deletes token rows, so a look-up by hash is the whole check. A used refresh token stays,
-- because its second use must be recognised as theft.
create table tokens (
  token_hash bytea primary key,
  kind text not null
    constraint tokens_kind_is_known check (kind in ('access', 'refresh', 'api_key')),
  principal_id uuid not null,
  user_id uuid,
  account_id uuid,
  role text not null,
  scopes text[],
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index tokens_of_principal on tokens (principal_id);
create index tokens_of_user on tokens (user_id);
create index tokens_of_account on tokens (account_id);
create index tokens_expired on tokens (expires_at);

-- Failed log-ins, one row per key (a pair of email and address, an email, an address), keys hashed.
-- The moments stand in one array, so that one atomic statement both counts and adds.
create table login_failures (
  key_hash bytea primary key,
  failed_at timestamptz[] not null,
  kept_until timestamptz not null
);
create index login_failures_old on login_failures (kept_until);

-- Addresses from which an email has logged in: they are not counted against that email.
create table login_addresses (
  key_hash bytea primary key,
  kept_until timestamptz not null
);
create index login_addresses_old on login_addresses (kept_until);

-- One-time links that make the first admin.
create table setup_links (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
