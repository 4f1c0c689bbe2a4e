-- runs alongside: 0009_request_logs

-- What payers see of an account next to its name: logo, color, contact, and how to pay by transfer.

-- No row: Florin's colors, and the email of the account as the contact.
create table account_branding (
  account_id uuid primary key,
  -- The current logo: a row of account_logos.
  logo_hash text,
  accent_color text
    constraint account_branding_color_is_hex check (accent_color ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_phone text,
  website text,
  terms_url text,
  statement_name text,
  payment_instructions text,
  updated_at timestamptz(3) not null
);

-- A few earlier logos stay, because emails that were sent link to them. The hash is that of the
-- bytes, so a URL always has the same content.
create table account_logos (
  account_id uuid,
  hash text,
  type text not null
    constraint account_logos_type_is_known
    check (type in ('image/png', 'image/jpeg', 'image/webp')),
  width integer not null,
  height integer not null,
  bytes bytea not null constraint account_logos_are_small check (length(bytes) <= 65536),
  added_at timestamptz(3) not null,
  primary key (account_id, hash)
);
