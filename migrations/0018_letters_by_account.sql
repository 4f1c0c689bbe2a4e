-- The outbox was one queue in order of time, and whoever queued thousands held up the letters of
-- all others. With this the worker walks the accounts that have letters waiting, and takes a few
-- of each.
create index letters_of_account_due on letters (account_id, next_at) where state = 'queued';
