-- runs alongside: 0022_finish_0_1

-- Bank statements that an operator imports. They belong to the operator, not to an account.

-- An import locks the bank accounts of its file, so that imports of overlapping files cannot
-- deadlock.
create table bank_accounts (
  -- The IBAN, or another number.
  number text primary key,
  created_at timestamptz not null default now()
);

create table bank_statements (
  id uuid primary key,
  bank_account text not null,
  -- Of the content: the same statement is stored once.
  digest bytea not null,
  format text not null,
  -- The bank's id and number of the statement.
  bank_id text,
  sequence text,
  currency text,
  opening_amount bigint,
  opening_on text,
  closing_amount bigint,
  closing_on text,
  -- Booked transactions, those of them that no earlier statement had, and entries that the bank
  -- had not booked.
  entry_count integer not null,
  new_count integer not null,
  pending_count integer not null,
  constraint bank_statements_once unique (bank_account, digest)
);

create index bank_statements_of_account on bank_statements (bank_account, closing_on, id);

-- One row per transaction: a collective entry has one for each transfer.
create table bank_entries (
  id uuid primary key,
  statement_id uuid not null,
  bank_account text not null,
  fingerprint text not null,
  occurrence integer not null,
  part integer not null,
  amount bigint not null constraint bank_entries_amount_must_not_be_negative check (amount >= 0),
  currency text not null,
  direction text not null
    constraint bank_entries_direction_is_known check (direction in ('credit', 'debit')),
  is_reversal boolean not null,
  is_complete boolean not null,
  booked_on text,
  value_on text,
  bank_reference text,
  description text,
  end_to_end_id text,
  payment_information_id text,
  creditor_reference text,
  counterparty_name text,
  counterparty_account text,
  remittance text,
  return_reason text,
  status text not null constraint bank_entries_status_is_known
    check (status in ('new', 'open', 'settling', 'settled', 'ignored')),
  -- Why it did not settle by itself, and what it may pay.
  reason text,
  proposals text not null default '[]',
  -- The payment request that it pays, if any, from `settling` on, and how.
  account_id uuid,
  payment_id uuid,
  accepts text,
  late text,
  note text,
  -- The payout or refund that a person has chosen, by its id with the prefix, while it settles.
  target text,
  -- The id of what it has settled, with its prefix: a payment request, a payout, …
  settles text,
  -- When the worker matches or settles it; null once it is open, settled or ignored.
  next_at timestamptz,
  updated_at timestamptz not null,
  constraint bank_entries_once unique (bank_account, fingerprint, occurrence, part),
  constraint bank_entries_settle_something
    check ((status = 'settled') = (settles is not null)
      and (status <> 'settling' or (account_id is null) = (payment_id is null)))
);

create index bank_entries_due on bank_entries (next_at) where next_at is not null;
create index bank_entries_by_status on bank_entries (status, id);
create index bank_entries_of_statement on bank_entries (statement_id, id);
create index bank_entries_of_payment on bank_entries (payment_id) where payment_id is not null;
-- For reconciliation: few of many entries show payouts and settlements of providers.
create index bank_entries_settling_others on bank_entries (id)
  where payment_id is null and status in ('settling', 'settled');

-- How the CSV files of a bank are read.
create table bank_column_maps (
  name text primary key,
  column_map text not null,
  updated_at timestamptz not null
);
