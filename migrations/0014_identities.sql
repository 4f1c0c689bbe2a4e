-- runs alongside: 0009_request_logs

-- Logins through an OpenID Connect provider.

-- The provider's name for a person. Issuer and subject never change; the email is the one that the
-- provider had when the user linked the two, and is only displayed.
create table user_identities (
  issuer text,
  subject text,
  id uuid not null
    constraint user_identities_have_distinct_ids unique,
  user_id uuid not null,
  email text not null,
  primary key (issuer, subject)
);
create index user_identities_of_user on user_identities (user_id, id);

-- A login that a browser has started, or an identity that waits for the password of its user. The
-- browser holds a cookie; the row is encrypted with a key that only the cookie gives.
create table oidc_attempts (
  cookie_hash bytea primary key,
  sealed bytea not null,
  expires_at timestamptz(3) not null
);
create index oidc_attempts_by_end on oidc_attempts (expires_at);
