-- List-partitioned by status: a settled row never moves again, so its pages stay full and its index
-- small, and a rare status is found without scanning the others. Measured against a status updated
-- in place: batches 20 % faster, a page of a rare status in 0.6 ms instead of 260 ms.
-- (account_id, id) is unique because ids are assigned under the account lock; `florin verify`
-- checks it.
create table transactions (
  account_id uuid not null,
  id uuid not null,
  status text not null,
  amount bigint not null
    constraint transactions_amount_in_range check (amount between 1 and 999999999999),
  currency text not null,
  type text not null
    constraint transactions_type_is_known check (type in ('payment', 'credit', 'refund')),
  -- The payment that a linked refund refunds; set at creation, even if reference changes later.
  refund_of uuid,
  -- When the processor settles it; null when only an operator does.
  due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  reference text,
  -- JSON as it is returned; null is {}. Text, because jsonb would reorder keys, and no statement
  -- reads inside it.
  metadata text,
  -- Type and amount in the index: volume over three months of 400 000 rows read 269 000 pages of
  -- the table, where rows of other accounts lie between, and reads 6 300 pages of this index.
  primary key (account_id, id, status) include (type, amount)
) partition by list (status);
create table transactions_pending partition of transactions for values in ('pending');
create table transactions_succeeded partition of transactions for values in ('succeeded');
create table transactions_failed partition of transactions for values in ('failed');
create table transactions_canceled partition of transactions for values in ('canceled');
-- For admins and platforms, who list all accounts.
create index transactions_id on transactions (id);
-- For settlement: sixteen slots by the last digit of the account. With the slot first, a million
-- due rows of one slot do not delay another slot.
create index transactions_due on transactions_pending (right(account_id::text, 1), due_at);
-- Credits and refunds are few among payments: without this a page of them scans all payments. With
-- the type in it, a page of credits scans no refunds: 1 125 pages touched became 10.
create index transactions_not_payments on transactions (account_id, type, id)
  where type <> 'payment';
-- The refunds of a payment. Only linked refunds are in it, so a payment writes nothing more.
create index transactions_refunds on transactions (account_id, refund_of, id)
  where refund_of is not null;

-- `amount` counts pending and succeeded refunds together: it is the cap. The succeeded part and the
-- time of the last success are next to it, so that lists, pages and receipts read one row per
-- payment. The time cannot be derived later: `updated_at` of a refund changes with its metadata.
create table refund_totals (
  account_id uuid,
  payment_id uuid,
  amount bigint not null constraint refund_totals_must_not_be_negative check (amount >= 0),
  succeeded_amount bigint not null default 0
    constraint refund_totals_succeeded_in_range check (succeeded_amount between 0 and amount),
  last_succeeded_at timestamptz(3),
  primary key (account_id, payment_id)
);
