-- The rows of the first schema (0001 to 0003) after one account was opened, recorded at that time:
-- the end of an event's id was still random. The password is "correct horse battery".

insert into instance (one, mode, made_at)
values (true, 'sandbox', '2026-11-15T09:01:15.349Z');

insert into users (id, account_id, role, status, email, email_canonical, password_hash, search,
  updated_at)
values ('01a1de70-82da-7025-84c5-ef148eeb1b87', '01a1de70-82da-7023-9ce0-933bef37cedf', 'owner',
  'active', 'ann@acme.example', 'ann@acme.example',
  '$argon2id$v=19$m=19456,t=2,p=1$44guI9VYsGcmaaDrxkdVQg'
  '$KgW6mOKG7PlNExuXtonyYFqnLc8PKzhIUZz8cvMnVmg',
  E'\nann@acme.example', '2026-11-15T09:01:17.914Z');

insert into email_claims (email_canonical, user_id)
values ('ann@acme.example', '01a1de70-82da-7025-84c5-ef148eeb1b87');

insert into accounts (id, owner_id, type, status, email, name, currency, timezone, language,
  updated_at)
values ('01a1de70-82da-7023-9ce0-933bef37cedf', '01a1de70-82da-7025-84c5-ef148eeb1b87', 'business',
  'active', 'ann@acme.example', 'Acme Ltd', 'EUR', 'UTC', 'en', '2026-11-15T09:01:17.914Z');

insert into balances (account_id, currency, status, available, incoming, held, posting_sequence,
  event_sequence, last_transaction_id, last_at)
values ('01a1de70-82da-7023-9ce0-933bef37cedf', 'EUR', 'active', 0, 0, 0, 0, 2,
  '00000000-0000-0000-0000-000000000000', '2026-11-15T09:01:17.914Z');

insert into events (account_id, sequence, id, type, object_id, at, data)
values
  ('01a1de70-82da-7023-9ce0-933bef37cedf', 1, '01a1de70-82da-7024-9f37-82c4a1b9e3d7',
    'account.created', '01a1de70-82da-7023-9ce0-933bef37cedf', '2026-11-15T09:01:17.914Z',
    '{"id":"acct_01m7f710pte0hssr4k7fqkfkpz","email":"ann@acme.example","name":"Acme Ltd",'
    '"type":"business","status":"active","created_at":"2026-11-15T09:01:17.914Z",'
    '"updated_at":"2026-11-15T09:01:17.914Z",'
    '"settings":{"currency":"EUR","timezone":"UTC","language":"en"}}'),
  ('01a1de70-82da-7023-9ce0-933bef37cedf', 2, '01a1de70-82da-7026-a215-0d5b77c02e91',
    'user.created', '01a1de70-82da-7025-84c5-ef148eeb1b87', '2026-11-15T09:01:17.914Z',
    '{"id":"usr_01m7f710pte0jr9hff2j7ep6w7","email":"ann@acme.example","name":null,'
    '"status":"active","created_at":"2026-11-15T09:01:17.914Z",'
    '"updated_at":"2026-11-15T09:01:17.914Z"}');

insert into list_counts (list, status, type, slot, n)
values ('accounts', 'active', 'business', 15, 1), ('users', 'active', '', 7, 1);

insert into audit_log (id, actor_role, action, object_id, account_id, request_id, details)
values ('01a1de70-82da-7027-9586-64a0c1fc03fb', 'anonymous', 'account.created',
  '01a1de70-82da-7023-9ce0-933bef37cedf', '01a1de70-82da-7023-9ce0-933bef37cedf',
  'req_01m7f710jyernte4k1g0va03ns', '{}');
