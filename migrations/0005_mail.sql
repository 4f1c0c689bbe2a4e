-- Mail: an outbox, written in the change's own database transaction and emptied by the worker, and
-- the links that confirm an account's new email. Letters stand with their account, so queueing one
-- stays on the account's shard.

-- Whether letters leave this machine. One row that the server and the worker write at their start,
-- from FLORIN_SMTP_URL: a letter that is kept is then written once and never touched again, and one
-- that was kept is not sent months later by a server that has learnt to send.
create table mail_route (
  one boolean primary key constraint mail_route_has_one_row check (one),
  leaves boolean not null
);
insert into mail_route (one, leaves) values (true, false);

-- The cause makes a letter one of its kind: the same cause never writes twice. Few indexes, because
-- every payment request writes a letter.
create table letters (
  account_id uuid,
  cause text,
  id uuid not null,
  state text not null
    constraint letters_state_is_known
    check (state in ('queued', 'sent', 'failed', 'withheld', 'kept')),
  kind text not null,
  recipient text not null,
  -- JSON: language, time zone and facts. Words are put around them when it is sent or read.
  content text not null,
  attempts smallint not null default 0,
  -- When it is tried next. While a worker has it, when that worker's lease runs out.
  next_at timestamptz(3),
  -- Who has it: a worker that was too slow must not write over the one that followed.
  lease_id uuid,
  sent_at timestamptz(3),
  -- What the mail server, or the limit, said last.
  error text,
  primary key (account_id, cause),
  constraint letters_wait_until_they_end check ((state = 'queued') = (next_at is not null)),
  constraint letters_sent_have_their_time check ((state = 'sent') = (sent_at is not null))
);
-- For admins, who read them in one list.
create index letters_id on letters (id);
create index letters_due on letters (next_at) where state = 'queued';

-- What one inbox was sent, under a hash of it, alone and together with the account that wrote. The
-- moments stand in one array, so that one atomic statement both counts and adds.
create table inbox_counts (
  key_hash bytea primary key,
  sent_at timestamptz[] not null,
  kept_until timestamptz not null
);
create index inbox_counts_old on inbox_counts (kept_until);

-- An email that an account wants to have and has not confirmed. One for each account: a newer wish
-- replaces the older. The link's token is kept as a hash only.
create table email_changes (
  account_id uuid primary key,
  email text not null,
  token_hash bytea not null,
  -- A hash of the owner's password hash: whoever changes the password ends the wish with it.
  password_mark bytea not null,
  expires_at timestamptz(3) not null
);
create index email_changes_by_token on email_changes (token_hash);
create index email_changes_old on email_changes (expires_at);
