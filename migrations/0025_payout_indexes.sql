-- runs alongside: 0022_finish_0_1
-- online

-- A statement shows the postings that change available. Replaces postings_of_statement: a new
-- movement needs no new index unless it leaves available as it is.
create index concurrently postings_on_statement on postings (account_id, sequence)
  where movement not in ('arrive', 'return', 'pay_out', 'payout_pay');

-- Refunds by bank transfer that no payment file has.
create index concurrently provider_refunds_to_transfer on provider_refunds (account_id, id)
  where provider = 'bank_transfer' and attempts = 0 and state in ('queued', 'submitted');
