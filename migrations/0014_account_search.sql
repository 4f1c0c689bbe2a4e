-- Whoever runs the service looks for an account by a part of its name or email. As for users, the
-- text is folded by the application; here the database folds what is there already, which is the
-- same for ASCII, and the application's own folding follows with an account's next change.
alter table accounts add column search text not null default '';
update accounts set search = lower(name || E'\n' || email);
alter table accounts alter column search drop default;

-- Without fastupdate, as for users: a search never waits for a list to be merged.
create index accounts_search on accounts using gin (search gin_trgm_ops) with (fastupdate = off);
