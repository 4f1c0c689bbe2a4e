-- runs alongside: 0022_finish_0_1

-- Receipts and credit notes. A row is written once, under the account lock, and is not changed
-- except to erase a customer.
create table documents (
  account_id uuid,
  -- Without gaps within the account: the greatest number plus one.
  number bigint
    constraint documents_numbers_are_positive check (number >= 1),
  id uuid not null,
  type text not null
    constraint documents_type_is_known check (type in ('receipt', 'credit_note')),
  payment_id uuid not null,
  -- The payment of a receipt, the refund of a credit note.
  transaction_id uuid not null,
  -- Of a credit note: the number of the receipt.
  receipt_number bigint,
  amount bigint not null
    constraint documents_amounts_are_positive check (amount >= 1),
  currency text not null,
  customer_email text not null,
  reference text,
  issued_at timestamptz(3) not null,
  -- JSON: the seller, times and settings when the document was issued.
  facts text not null,
  primary key (account_id, number),
  constraint documents_id_is_unique unique (account_id, id),
  -- One document for a payment and for a refund.
  constraint documents_transaction_is_unique unique (account_id, transaction_id),
  constraint documents_credit_notes_follow_a_receipt
    check ((type = 'credit_note') = (receipt_number is not null) and receipt_number < number),
  -- The previous version erases customers without the addresses in documents.
  constraint documents_until_finished check (false)
);
