-- runs alongside: 0009_request_logs

-- Customers of an account: one row per email address. Written with the payment request that names
-- the address first, and never by hand. Sums and counts are computed on read, so a payment request
-- updates no counter.
create table customers (
  account_id uuid,
  -- The id of the first payment request to this address, so customers sort by creation.
  id uuid,
  -- As first spelled, and as compared. "C" makes a range of the index a prefix search.
  email text not null,
  email_canonical text collate "C" not null,
  -- When the personal data was erased; the email is then a keyed hash.
  erased_at timestamptz(3),
  primary key (account_id, id)
);
-- No trigram index: it cannot start with account_id, so one account's search would read rows of
-- all accounts. Searches use a prefix, or read the newest rows by primary key.
create unique index customers_email on customers (account_id, email_canonical);
-- For admins and platforms, who look one up by its id alone.
create index customers_id on customers (id);

-- Every subscription has a payment request to the same address, so requests are enough. Addresses
-- are ASCII, so lower() under "C" equals the canonical form of the application.
insert into customers (account_id, id, email, email_canonical)
select distinct on (account_id, lower(customer_email collate "C"))
  account_id, id, customer_email, lower(customer_email collate "C")
from payment_requests
order by account_id, lower(customer_email collate "C"), id;

-- The key of the hashes that replace erased email addresses. Created with the first erasure.
alter table instance add column erasure_key bytea;
