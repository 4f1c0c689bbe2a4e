-- A statement shows the postings that touch available. Payments that are made and canceled leave
-- two that do not, and a page read all of them to find the next that does: a million took 0.6 s.
-- This index holds only what is shown. It costs one entry when money becomes available and one for
-- each side of a refund: 100 bytes of WAL and 3 pages touched, next to 230 bytes and 4 pages for
-- each of the two postings of a payment. What is made and canceled costs nothing more.
create index postings_shown on postings (account_id, sequence)
  where movement in ('settle', 'hold', 'release');

-- The worker read every enabled endpoint at each look, four times a second. With the event that
-- each has come to in the index, it goes from account to account and sees whether any is behind.
drop index webhook_endpoints_enabled;
create index webhook_endpoints_followed
  on webhook_endpoints (right(account_id::text, 1), account_id, event_sequence)
  where status = 'enabled';
-- The few that have something to do though they are not behind.
create index webhook_endpoints_replaying on webhook_endpoints (account_id, id)
  where status = 'enabled' and (replay_after is not null or ends_with is not null);

-- Tests of an endpoint within an hour. Unlike events, nothing else bounds how many there are.
alter table webhook_endpoints
  add column tests integer not null default 0,
  add column tests_since timestamptz(3);

-- Since when an email waits for room under a limit that others have used up. After a day it ends.
alter table letters add column held_since timestamptz(3);
