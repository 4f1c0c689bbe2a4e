-- runs alongside: 0009_request_logs

-- A read-only member of an account. It belongs to an account, like an owner or a member.

alter table users rename constraint users_role_is_known to users_role_until_finished;
alter table users add constraint users_role_is_known
  check (role in ('admin', 'platform', 'owner', 'member', 'viewer', 'lone')) not valid;
alter table users rename constraint users_of_an_account_are_owner_or_member
  to users_of_an_account_until_finished;
alter table users add constraint users_of_an_account_have_a_role_in_it
  check ((account_id is not null) = (role in ('owner', 'member', 'viewer'))) not valid;
