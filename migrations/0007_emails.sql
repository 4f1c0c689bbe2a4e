-- The email outbox, and counts for its limits.

-- Whether emails are sent. One row that the server and the worker write at startup, from
-- FLORIN_SMTP_URL: an email that is only stored is then written once, and is not sent months later
-- when a server gets an SMTP server.
create table email_delivery (
  one boolean primary key constraint email_delivery_has_one_row check (one),
  enabled boolean not null
);
insert into email_delivery (one, enabled) values (true, false);

-- The cause makes an email unique: the same cause never writes two. Few indexes, because every
-- payment request writes an email.
create table emails (
  account_id uuid,
  cause text,
  id uuid not null,
  state text not null
    constraint emails_state_is_known
    check (state in ('queued', 'sent', 'failed', 'suppressed', 'stored')),
  kind text not null,
  recipient text not null,
  -- JSON: language, time zone and facts. The text is rendered when it is sent or read.
  content text not null,
  attempts smallint not null default 0,
  -- When it is sent next. While a worker has claimed it, when that worker's lease expires.
  next_at timestamptz(3),
  -- The claim: a worker that was too slow must not overwrite the result of the next one.
  lease_id uuid,
  sent_at timestamptz(3),
  -- The last error of the SMTP server, or the limit that was exceeded.
  error text,
  -- Since when it waits for room under a limit that other accounts use up. After a day it ends.
  deferred_since timestamptz(3),
  primary key (account_id, cause),
  constraint emails_queued_have_next_at check ((state = 'queued') = (next_at is not null)),
  constraint emails_sent_have_sent_at check ((state = 'sent') = (sent_at is not null))
);
-- For admins, who list all accounts.
create index emails_id on emails (id);
create index emails_due on emails (next_at) where state = 'queued';
-- The worker goes from account to account and takes a few of each, so that one account with
-- thousands of queued emails does not delay the others.
create index emails_of_account_due on emails (account_id, next_at) where state = 'queued';

-- How many emails one inbox received, by a hash of it, alone and together with the sending account.
-- The times are one array, so that one atomic statement both counts and adds.
create table inbox_counts (
  key_hash bytea primary key,
  sent_at timestamptz[] not null,
  retain_until timestamptz not null,
  -- In the row of an account and UTC day: how many distinct inboxes the account sent to.
  recipients integer not null default 0
);
create index inbox_counts_old on inbox_counts (retain_until);
