-- Options of payment requests.

alter table payment_requests
  -- A message to the customer, on the payment page and in its emails.
  add column message text
    constraint payment_requests_message_is_short check (char_length(message) <= 500),
  -- How many days before the expiry the customer is reminded. 0: never. Null: the default.
  add column reminder_days smallint
    constraint payment_requests_reminder_days_in_range check (reminder_days between 0 and 29);

-- The customer of a request may get the link in another way than by email.
alter table payment_requests drop constraint payment_requests_are_sent_at_least_once;
alter table payment_requests add constraint payment_requests_sends_are_not_negative
  check (sends >= 0);
