-- The ground everything stands on: what this database is, who holds which lease, how long lists
-- are.
-- House rules that every file here keeps: no triggers, no PL/pgSQL, no sequences, no enum types, no
-- foreign keys across shards; text with named CHECKs; ids and times come from the application.

-- pg_trgm is a trusted extension: any role that may create in this database may install it. Search
-- for a substring of a name or an email needs it, because a b-tree only knows prefixes.
create extension if not exists pg_trgm;

-- One row that says for which mode this database was made. A sandbox must never be started as live.
create table instance (
  one boolean primary key constraint instance_has_one_row check (one),
  mode text not null constraint instance_mode_is_known check (mode in ('sandbox', 'live')),
  made_at timestamptz(3) not null
);

-- Exact totals of lists without counting rows. Sixteen slots by id hash, summed on read, so that
-- creates on different rows seldom wait for the same counter.
create table list_counts (
  list text,
  status text,
  type text,
  slot smallint,
  n bigint not null,
  primary key (list, status, type, slot)
) with (fillfactor = 50);

-- Who does which background work, until when. The slot spreads one job over several workers.
create table leases (
  name text,
  slot smallint,
  holder uuid not null,
  held_until timestamptz not null,
  primary key (name, slot)
);
