-- Names that the API and the documentation use. Only names change, and values that are names.

alter table letters rename to emails;
alter table emails rename column held_since to deferred_since;
alter index letters_pkey rename to emails_pkey;
alter index letters_id rename to emails_id;
alter index letters_due rename to emails_due;
alter index letters_of_account_due rename to emails_of_account_due;
alter table emails rename constraint letters_wait_until_they_end to emails_queued_have_next_at;
alter table emails rename constraint letters_sent_have_their_time to emails_sent_have_sent_at;
alter table emails drop constraint letters_state_is_known;
update emails set state = case state when 'withheld' then 'suppressed' else 'stored' end
where state in ('withheld', 'kept');
alter table emails add constraint emails_state_is_known
  check (state in ('queued', 'sent', 'failed', 'suppressed', 'stored'));
alter table mail_route rename to email_delivery;
alter table email_delivery rename column leaves to enabled;
alter table email_delivery
  rename constraint mail_route_has_one_row to email_delivery_has_one_row;

alter table inbox_counts rename column kept_until to retain_until;
alter table login_failures rename column kept_until to retain_until;
alter table login_addresses rename column kept_until to retain_until;
alter table idempotency_keys rename column kept_until to retain_until;
alter table email_changes rename column password_mark to password_fingerprint;
alter table request_logs rename column has_key to has_idempotency_key;
alter index api_keys_of_maker rename to api_keys_of_creator;
alter table webhook_deliveries rename column tried_at to attempted_at;
alter table webhook_attempts rename column tried_at to attempted_at;
alter table webhook_endpoints rename column ends_with to final_sequence;
alter table webhook_endpoints rename column url_since to url_changed_at;
alter table webhook_endpoints
  rename constraint webhook_endpoints_disabled_say_why to webhook_endpoints_disabled_have_a_reason;
alter table webhook_endpoints drop constraint webhook_endpoints_reason_is_known;
update webhook_endpoints set disabled_reason = 'manual' where disabled_reason = 'asked';
alter table webhook_endpoints add constraint webhook_endpoints_reason_is_known
  check (disabled_reason in ('manual', 'gone', 'failing', 'closed'));

update audit_log set action = 'account.email_change_requested'
where action = 'account.email_asked';
-- Jobs whose names changed. Health lists every lease.
delete from leases
where name in ('send_mail', 'sweep_mail', 'keep_mail', 'sweep_kept_answers', 'sweep_throttle',
  'tidy_closings');
