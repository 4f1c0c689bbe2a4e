-- The dashboard's own sessions. A browser holds a cookie and never a token; the tokens of the API's
-- session are here, sealed under a key that only the cookie gives. The cookie itself is kept as its
-- SHA-256, so whoever reads this table can neither open it nor sign in.
create table dashboard_sessions (
  cookie_hash bytea primary key,
  sealed_tokens bytea not null,
  -- When its refresh token runs out: the row is good for nothing any more.
  expires_at timestamptz(3) not null
);
create index dashboard_sessions_by_end on dashboard_sessions (expires_at);
