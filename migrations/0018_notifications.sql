-- runs alongside: 0009_request_logs

-- Emails to owners: what each user has turned off, from where each user has logged in, and when the
-- next weekly summary of an account is due.

-- No row: everything is on. A new kind is on for everyone.
create table notification_settings (
  user_id uuid primary key,
  turned_off text[] not null
    constraint notification_settings_are_known
    check (turned_off <@ array['payment_received', 'payment_failed', 'dispute', 'new_login',
      'weekly_summary'])
);

-- A hash of the user, the address and the kind of client of a login.
create table known_devices (
  user_id uuid,
  device_hash bytea,
  retain_until timestamptz(3) not null,
  primary key (user_id, device_hash)
);
create index known_devices_old on known_devices (retain_until);

-- Due at once in all accounts, old and new: the worker then computes the next Monday in the time
-- zone of the account. In business time, as everything that an account waits for.
alter table accounts add column summary_due_at timestamptz(3) not null default now();
