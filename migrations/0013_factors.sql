-- runs alongside: 0009_request_logs

-- Two-factor authentication: authenticator apps (TOTP), passkeys and recovery codes. Every change
-- locks the user's row first, so a code is used once.

create table user_factors (
  user_id uuid,
  id uuid,
  kind text not null
    constraint user_factors_kind_is_known check (kind in ('totp', 'passkey')),
  name text not null,
  -- Null while an authenticator app is being set up: it does not count before its first code.
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3),
  -- Of an authenticator app: the secret, encrypted, and a fingerprint of the key that it is
  -- encrypted with.
  sealed_secret bytea,
  key_id text,
  -- The last 30-second step whose code was used. A code of this or an earlier step is rejected.
  last_step int,
  -- Of a passkey.
  credential_id bytea,
  public_key bytea,
  sign_count bigint
    constraint user_factors_sign_count_is_32_bits check (sign_count between 0 and 4294967295),
  transports text[],
  primary key (user_id, id),
  constraint user_factors_have_their_key
    check ((kind = 'totp' and sealed_secret is not null and key_id is not null)
      or (kind = 'passkey' and credential_id is not null and public_key is not null
        and sign_count is not null and confirmed_at is not null)),
  -- The previous version logs in without a second factor.
  constraint user_factors_until_finished check (false)
);
create unique index user_factors_totp on user_factors (user_id) where kind = 'totp';
create unique index user_factors_credential on user_factors (credential_id)
  where kind = 'passkey';
-- Secrets to encrypt again after a new key.
create index user_factors_key on user_factors (key_id) where kind = 'totp';

-- Unused recovery codes, as hashes. A used code is deleted.
create table recovery_codes (
  user_id uuid,
  code_hash bytea,
  primary key (user_id, code_hash)
);

-- Challenges that a passkey must sign, as hashes. Each is deleted by its first use.
create table webauthn_challenges (
  challenge_hash bytea primary key,
  -- The user who adds a passkey; null for a login.
  user_id uuid,
  expires_at timestamptz(3) not null
);
create index webauthn_challenges_old on webauthn_challenges (expires_at);

-- When the user last entered a credential. Null: when the session was opened.
alter table sessions add column authenticated_at timestamptz(3);

-- When this instance got two-factor authentication: the grace period of existing admins starts.
alter table instance add column factors_since timestamptz(3) not null default now();
