-- runs alongside: 0009_request_logs

-- One-time links: password reset, verification of a new user's email address, invitations. Only the
-- hash of a token is stored, so a copy of the database opens no link.

create table one_time_links (
  token_hash bytea primary key,
  kind text not null
    constraint one_time_links_kind_is_known
    check (kind in ('password_reset', 'email_verification')),
  user_id uuid not null,
  -- A hash of the user's email and password hash: changing either invalidates the link.
  user_fingerprint bytea not null,
  -- Of the email with the link, for a later email about it.
  language text not null,
  timezone text not null,
  expires_at timestamptz(3) not null
);
create index one_time_links_of_user on one_time_links (user_id);
create index one_time_links_old on one_time_links (expires_at);

-- Requests for a password reset. The response must not reveal whether a user has this address, so
-- every request writes the same row, and the worker finds the user later.
create table password_reset_requests (
  email_canonical text primary key,
  requested_at timestamptz(3) not null default now()
);
create index password_reset_requests_due on password_reset_requests (requested_at);

create table invitations (
  account_id uuid,
  id uuid,
  email text not null,
  email_canonical text not null,
  role text not null
    constraint invitations_role_is_known check (role in ('member', 'viewer')),
  token_hash bytea not null,
  -- The invitation is valid only while this user may invite.
  invited_by uuid not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
-- Not unique: a sharded engine checks that only within an account. The token is random.
create index invitations_by_token on invitations (token_hash);
create unique index invitations_by_email on invitations (account_id, email_canonical);
create index invitations_old on invitations (expires_at);
