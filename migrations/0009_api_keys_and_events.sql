-- Keys for programs, and events that can be asked for.

-- A key as people see it. What opens the door is its row in tokens, found by the hash of the key;
-- revoking deletes that one and keeps this one. Platform keys belong to no account.
create table api_keys (
  id uuid primary key,
  account_id uuid,
  -- Who made it: suspending or deleting them revokes it.
  user_id uuid not null,
  role text not null
    constraint api_keys_role_is_known check (role in ('account_key', 'platform')),
  name text not null,
  scopes text[] not null,
  last4 text not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint api_keys_of_an_account_act_for_it
    check ((account_id is not null) = (role = 'account_key'))
);
create index api_keys_of_account on api_keys (account_id, id);
create index api_keys_of_maker on api_keys (user_id) where revoked_at is null;

-- From now on the last forty bits of an event's id are its sequence, so that an id finds its row by
-- the primary key. Those that were written before are brought into line.
update events
set id = (left(id::text, 26) || lpad(to_hex(sequence), 10, '0'))::uuid;
