-- The worker asks several times a second which endpoints are enabled in its slots. Those that ended
-- with their accounts stay, so that what was sent can be looked up, and were all read each time.
create index webhook_endpoints_enabled on webhook_endpoints (right(account_id::text, 1))
  where status = 'enabled';
