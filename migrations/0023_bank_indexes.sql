-- runs alongside: 0022_finish_0_1
-- online

-- The reference that a payer states in a bank transfer: the last 40 bits of the id.
create index concurrently payment_requests_transfer_reference
  on payment_requests (right(id::text, 10));
