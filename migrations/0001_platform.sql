-- What belongs to the whole installation: its mode, the clock, leases, list totals, the audit log.
-- Rules for every file here: no triggers, PL/pgSQL, sequences, enum types or foreign keys.
-- Text columns with named CHECKs instead; ids and times come from the application. Every key of an
-- account's row starts with account_id, so the tables shard by account. The first 48 bits of an id
-- are its creation time, so no column repeats it.

-- A trusted extension: any role that may create in this database may install it. Searching for a
-- part of a name or an email needs it, because a b-tree only finds prefixes.
create extension if not exists pg_trgm;

-- The mode this database was created for. A sandbox must never be started as live.
create table instance (
  one boolean primary key constraint instance_has_one_row check (one),
  mode text not null constraint instance_mode_is_known check (mode in ('sandbox', 'live')),
  created_at timestamptz(3) not null
);

-- Business time is real time plus this offset. It only grows, and only in sandbox.
create table clock (
  one boolean primary key constraint clock_has_one_row check (one),
  offset_ms bigint not null constraint clock_never_runs_back check (offset_ms >= 0)
);
insert into clock (one, offset_ms) values (true, 0);

-- Which worker runs which background job, until when. Slots spread one job over several workers.
create table leases (
  name text,
  slot smallint,
  holder uuid not null,
  held_until timestamptz not null,
  primary key (name, slot)
);

-- Exact totals of lists without counting rows. Sixteen slots by id hash, summed on read, so that
-- concurrent creates seldom wait for the same counter.
create table list_counts (
  list text,
  status text,
  type text,
  slot smallint,
  n bigint not null,
  primary key (list, status, type, slot)
) with (fillfactor = 50);

-- Every action of admins and platforms, and every change by a user without an account, written in
-- the same database transaction as the action.
create table audit_log (
  id uuid primary key,
  actor_role text not null,
  actor_id uuid,
  action text not null,
  object_id uuid,
  account_id uuid,
  request_id text,
  details text not null
);
-- The test clock's page shows its last steps, which are few among all entries.
create index audit_log_clock_steps on audit_log (id)
  where starts_with(action, 'clock.advanced');
