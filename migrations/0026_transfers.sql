-- runs alongside: 0022_finish_0_1

-- Transfers between accounts. A posting never leaves its account, so a transfer is a row in each
-- account: `out` in the source, `in` in the target and, with a fee, `fee` in the account that gets
-- it. All have the same id. The row of the source is the transfer; the others are receipts, and
-- each is written once, with its posting or with a rejection.
create table transfers (
  account_id uuid,
  id uuid,
  side text not null constraint transfers_side_is_known check (side in ('out', 'in', 'fee')),
  from_account_id uuid not null,
  to_account_id uuid not null,
  amount bigint not null,
  -- The part of the amount that fee_account_id gets. The target gets the rest.
  fee_amount bigint not null,
  fee_account_id uuid,
  currency text not null,
  reference text,
  status text not null
    constraint transfers_status_is_known
    check (status in ('in_transit', 'completed', 'returned', 'rejected')),
  -- What the source got back: everything, or the fee.
  returned_amount bigint not null default 0,
  -- Why a receiving account rejected it.
  reason text,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  constraint transfers_fee_is_part_of_amount check (fee_amount >= 0 and fee_amount < amount),
  constraint transfers_have_two_accounts check (from_account_id <> to_account_id),
  constraint transfers_source_is_debited check (side = 'out' or status <> 'in_transit'),
  -- The previous version would not find the rows of these postings for a statement.
  constraint transfers_until_finished check (false)
);
-- Sixteen slots by the last digit of the account, as for due transactions.
create index transfers_due on transfers (right(account_id::text, 1), updated_at)
  where status = 'in_transit';
-- Admins and platforms identify a transfer without its account.
create index transfers_by_id on transfers (id) where side = 'out';

-- The fee of transfers from an account, which the platform sets.
create table transfer_fees (
  account_id uuid primary key,
  fee_account_id uuid not null,
  -- Hundredths of a percent of the amount, and an amount in minor units on top.
  basis_points integer not null
    constraint transfer_fees_basis_points_are_a_part check (basis_points between 0 and 10000),
  fixed_amount bigint not null
    constraint transfer_fees_fixed_amount_must_not_be_negative check (fixed_amount >= 0),
  updated_at timestamptz(3) not null
);
