-- runs alongside: 0022_finish_0_1

-- Where payers of an account transfer their money. Written by operators only. No row: the bank
-- account in the settings of the server.
create table bank_details (
  account_id uuid primary key,
  -- The holder of the bank account.
  name text not null,
  -- In electronic form, as the BIC.
  iban text,
  bic text,
  -- JSON: labels and values, in countries without IBANs.
  fields text not null,
  updated_at timestamptz(3) not null,
  constraint bank_details_identify_an_account check ((iban is null) = (fields <> '[]')),
  constraint bank_details_bic_needs_an_iban check (bic is null or iban is not null)
);
