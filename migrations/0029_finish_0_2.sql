-- runs alongside: 0028_settlements
-- contract: 0.2

-- What the previous version would not understand, or not erase, is allowed from now on.
alter table transfers drop constraint if exists transfers_until_finished;
alter table postings drop constraint if exists postings_until_finished;
alter table documents drop constraint if exists documents_until_finished;

-- Replaced by postings_on_statement.
drop index postings_of_statement;
