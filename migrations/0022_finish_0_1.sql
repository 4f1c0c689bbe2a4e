-- runs alongside: 0021_indexes
-- contract: 0.1

-- Customers of payment requests that the previous version created after 0015. `for share` waits for
-- an erasure in progress and then reads the erased address.
insert into customers (account_id, id, email, email_canonical)
select account_id, id, customer_email, lower(customer_email collate "C")
from payment_requests
where not exists (
  select 1
  from customers
  where customers.account_id = payment_requests.account_id
    and customers.email_canonical = lower(payment_requests.customer_email collate "C"))
order by account_id, id
for share of payment_requests
on conflict (account_id, email_canonical) do nothing;

-- What the previous version would not understand is allowed from now on. Databases of development
-- versions have no such constraints.
alter table postings drop constraint if exists postings_until_finished;
alter table users drop constraint if exists users_role_until_finished;
alter table users drop constraint if exists users_of_an_account_until_finished;
alter table checkouts drop constraint if exists checkouts_until_finished;
alter table user_factors drop constraint if exists user_factors_until_finished;
alter table payment_requests drop constraint if exists payment_requests_sends_until_finished;
alter table reusable_links drop constraint if exists reusable_links_until_finished;

-- Replaced by postings_of_statement.
drop index postings_shown;

-- Replaced by payment_links_key.
alter table payment_links drop constraint payment_links_pkey;
