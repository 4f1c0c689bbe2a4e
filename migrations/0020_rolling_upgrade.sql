-- runs alongside: 0009_request_logs

-- The oldest migration that a process must know to run on the schema after this one: see
-- docs/decisions/0047-rolling-upgrades.md.
alter table schema_migrations add column runs_alongside text;
