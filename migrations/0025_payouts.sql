-- runs alongside: 0022_finish_0_1

-- Payouts: money that leaves an account for the bank account of its owner. An operator exports
-- approved payouts as a payment file for a bank.

-- The previous version would not find the payout of a posting on a statement. Citus does not rename
-- constraints.
alter table postings add constraint postings_until_finished
  check (movement in ('arrive', 'settle', 'return', 'hold', 'pay_out', 'release', 'fee',
    'withdraw', 'reinstate', 'overdraw', 'repay')) not valid;
alter table postings drop constraint postings_movement_is_known;
alter table postings add constraint postings_movement_is_known
  check (movement in ('arrive', 'settle', 'return', 'hold', 'pay_out', 'release', 'fee',
    'withdraw', 'reinstate', 'overdraw', 'repay', 'payout_hold', 'payout_pay', 'payout_release',
    'payout_return')) not valid;

create table payouts (
  account_id uuid,
  id uuid,
  amount bigint not null constraint payouts_amount_is_positive check (amount > 0),
  currency text not null,
  status text not null
    constraint payouts_status_is_known
    check (status in ('pending_approval', 'approved', 'in_transit', 'paid', 'failed', 'canceled',
      'returned')),
  -- The destination at the time of creation. Later changes of it do not redirect a payout.
  name text not null,
  iban text not null,
  bic text,
  reference text,
  created_by uuid not null,
  -- Who set the destination. Null if another person had approved a payout to it before.
  destination_set_by uuid,
  -- Null if no approval was needed.
  approved_by uuid,
  export_id uuid,
  -- Why the bank did not execute or returned it.
  reason text,
  -- The bank entries that show its debit and its return. Null if none did, or an admin was faster.
  paid_entry_id uuid,
  returned_entry_id uuid,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  -- One person must not both direct the money and approve it.
  constraint payouts_have_two_people
    check (approved_by <> created_by and approved_by <> destination_set_by),
  constraint payouts_are_exported
    check (status not in ('in_transit', 'paid', 'failed', 'returned') or export_id is not null)
);
-- For admins and platforms, who list all accounts.
create index payouts_id on payouts (id);
create index payouts_to_export on payouts (currency, account_id) where status = 'approved';
create index payouts_open on payouts (account_id, id)
  where status in ('pending_approval', 'approved', 'in_transit');
create index payouts_export on payouts (export_id) where export_id is not null;

-- No row: no destination, and the limit of the mode.
create table payout_settings (
  account_id uuid primary key,
  -- The destination; null if only the limit was set.
  name text,
  iban text,
  bic text,
  destination_set_by uuid,
  -- False after a change of the destination, until an approver has approved a payout to it.
  is_confirmed boolean not null default false,
  -- The total of 24 hours up to which payouts need no approval; null for the limit of the mode.
  approval_limit bigint
    constraint payout_settings_limit_must_not_be_negative check (approval_limit >= 0),
  updated_at timestamptz(3) not null,
  constraint payout_settings_destination_is_complete check ((name is null) = (iban is null)),
  constraint payout_settings_destination_was_set
    check ((name is null) = (destination_set_by is null))
);

-- Payment files. The file is stored with the change of its payouts, so that a lost response or a
-- lost download costs nothing: a payout is in one file.
create table payout_exports (
  id uuid primary key,
  currency text not null,
  payouts integer not null,
  refunds integer not null,
  amount bigint not null,
  created_by uuid not null,
  file text not null
);

-- Refunds of bank transfers in payment files. The bank entries show what became of them.
create table exported_refunds (
  account_id uuid,
  -- The refund transaction.
  id uuid,
  export_id uuid not null,
  amount bigint not null,
  currency text not null,
  -- Of the charge that it refunds, and the account that had paid it.
  charge_id text not null,
  name text not null,
  iban text not null,
  paid_entry_id uuid,
  returned_entry_id uuid,
  primary key (account_id, id)
);
create index exported_refunds_id on exported_refunds (id);
create index exported_refunds_export on exported_refunds (export_id);
