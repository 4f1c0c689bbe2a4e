-- For people who look at one thing and ask what belongs to it.

-- The refunds of a payment. Only linked refunds are in it, so a payment writes nothing more.
create index transactions_refunds on transactions (account_id, refund_of, id)
  where refund_of is not null;

-- Those who run the service look for these by id alone, without knowing whose they are. Both tables
-- are small and written seldom.
create index subscriptions_id on subscriptions (id);
create index webhook_endpoints_id on webhook_endpoints (id);
