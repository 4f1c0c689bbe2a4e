-- runs alongside: 0009_request_logs
-- online

-- Indexes on tables that have rows, created while payments continue.

-- A statement shows the postings that change available: see postings_shown, which it replaces.
create index concurrently postings_of_statement on postings (account_id, sequence)
  where movement in ('settle', 'hold', 'release', 'fee', 'withdraw', 'reinstate', 'overdraw',
    'repay');

-- The requests and subscriptions of a customer, newest first.
create index concurrently payment_requests_customer
  on payment_requests (account_id, lower(customer_email collate "C"), id);
create index concurrently subscriptions_customer
  on subscriptions (account_id, lower(customer_email collate "C"), id);

create index concurrently payment_requests_of_link on payment_requests (account_id, link_id, id)
  where link_id is not null;
create index concurrently payment_requests_of_form on payment_requests (account_id, form_key)
  where form_key is not null;

-- Sixteen slots by the last digit of the account, as for due transactions.
create index concurrently accounts_summary_due on accounts (right(id::text, 1), summary_due_at)
  where status <> 'closed';

-- On Citus, a payment link is in the shard of its account, so that a payment request and its link
-- are one transaction of one server. Replaces the primary key; it finds a link by its token alone.
create unique index concurrently payment_links_key on payment_links (token, account_id);
