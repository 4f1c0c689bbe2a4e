-- runs alongside: 0022_finish_0_1

-- The operator's balance at payment providers. These rows belong to the operator, not to accounts.

-- A transfer from the provider to the operator's bank account.
create table settlements (
  id uuid primary key,
  provider text not null,
  -- The id at the provider.
  provider_id text not null,
  -- Negative if the provider debits the bank account.
  amount bigint not null,
  currency text not null,
  status text not null
    constraint settlements_status_is_known
    check (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  -- Whether the provider lists the entries of the settlement.
  grouping text not null
    constraint settlements_grouping_is_known
    check (grouping in ('complete', 'in_progress', 'none')),
  -- Whether all entries that the provider lists are stored.
  has_entries boolean not null default false,
  created_at timestamptz(3) not null,
  arrives_at timestamptz(3) not null,
  -- What names it on the bank statement, one per line.
  reference_lines text not null,
  -- The entry of a bank statement that shows the settlement.
  bank_entry_id uuid,
  -- The entry that takes it back.
  returned_entry_id uuid
);
create unique index settlements_provider_id on settlements (provider, provider_id);
create index settlements_not_at_bank on settlements (currency, amount)
  where bank_entry_id is null;
create unique index settlements_bank_entry on settlements (bank_entry_id)
  where bank_entry_id is not null;
create unique index settlements_returned_entry on settlements (returned_entry_id)
  where returned_entry_id is not null;

-- Every change of the balance. `net` is `amount - fee`.
create table balance_entries (
  id uuid primary key,
  provider text not null,
  -- The id at the provider.
  provider_id text not null,
  kind text not null
    constraint balance_entries_kind_is_known
    check (kind in ('charge', 'refund', 'dispute', 'settlement', 'other')),
  -- The charge, refund, dispute or settlement at the provider.
  source_id text,
  -- The charge that a refund or dispute belongs to.
  charge_id text,
  -- The account that the provider stored with the charge. Null if another program created it.
  account_id uuid,
  amount bigint not null,
  fee bigint not null,
  currency text not null,
  -- The same in the currency of the charge, which is the account's.
  charged_amount bigint not null,
  charged_fee bigint not null,
  charged_currency text not null,
  at timestamptz(3) not null,
  -- The settlement that paid it out, by the id at the provider; null until it is known.
  settlement_id text
);
create unique index balance_entries_provider_id on balance_entries (provider, provider_id);
create index balance_entries_source on balance_entries (provider, source_id);
create index balance_entries_account on balance_entries (account_id) where account_id is not null;
create index balance_entries_settlement on balance_entries (provider, settlement_id, id)
  where settlement_id is not null;
-- Refunds and disputes get the account of their charge.
create index balance_entries_without_account on balance_entries (provider, charge_id)
  where account_id is null and charge_id is not null;

create table balance_imports (
  provider text primary key,
  -- Every entry before this time is stored.
  complete_until timestamptz(3) not null
);

-- The result of the last comparison, for the dashboard. At most one row.
create table reconciliations (
  id smallint primary key constraint reconciliations_is_one check (id = 1),
  compared_at timestamptz(3) not null,
  -- JSON.
  result text not null
);
