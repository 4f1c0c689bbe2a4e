-- A read-only member of an account. It belongs to an account, like an owner or a member.

alter table users drop constraint users_role_is_known;
alter table users add constraint users_role_is_known
  check (role in ('admin', 'platform', 'owner', 'member', 'viewer', 'lone'));
alter table users drop constraint users_of_an_account_are_owner_or_member;
alter table users add constraint users_of_an_account_have_a_role_in_it
  check ((account_id is not null) = (role in ('owner', 'member', 'viewer')));
