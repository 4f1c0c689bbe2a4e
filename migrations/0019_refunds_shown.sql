-- What was refunded of a payment, and which payment request a transaction paid.

-- `amount` counts pending and succeeded refunds together: it is the cap. The succeeded part and the
-- time of the last success are stored next to it, so that lists, pages and receipts read one row
-- for each payment. The time cannot be derived later: `updated_at` of a refund also changes with
-- its metadata.
alter table refund_totals
  add column succeeded_amount bigint not null default 0
    constraint refund_totals_succeeded_in_range check (succeeded_amount between 0 and amount),
  add column last_succeeded_at timestamptz(3);

update refund_totals
set succeeded_amount = succeeded.amount, last_succeeded_at = succeeded.at
from (
  select account_id, refund_of, sum(amount) as amount, max(updated_at) as at
  from transactions
  where status = 'succeeded' and refund_of is not null
  group by account_id, refund_of) as succeeded
where refund_totals.account_id = succeeded.account_id
  and refund_totals.payment_id = succeeded.refund_of;

-- From a transaction to the request that it paid: for customer emails in lists and statements, and
-- for the email about a refund. Only paid requests are in it.
create index payment_requests_transaction
  on payment_requests_succeeded (account_id, transaction_id);
