-- Every try of a delivery, for whoever asks why something came late. The last one stands in the
-- delivery itself and moves here when another follows it, so a delivery that is taken at once, as
-- nearly all are, costs nothing more (decision 44).
create table webhook_attempts (
  account_id uuid,
  delivery_id uuid,
  tried_at timestamptz(3),
  url text not null,
  duration_ms integer not null,
  response_status smallint,
  -- The first 64 KiB, whatever they are.
  response_body bytea,
  error text,
  primary key (account_id, delivery_id, tried_at)
);

-- Since 0009 an event's id carries its number. Deliveries that were written before it still name
-- the ids of that time.
update webhook_deliveries
set event_id = (left(event_id::text, 26) || lpad(to_hex(event_sequence), 10, '0'))::uuid
where event_sequence is not null
  and right(event_id::text, 10) <> lpad(to_hex(event_sequence), 10, '0');
