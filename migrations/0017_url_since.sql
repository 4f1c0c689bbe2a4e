-- How long an endpoint has had its URL: days in which another one failed say nothing about it.
-- Null where it was never changed, or was before this was kept.
alter table webhook_endpoints add column url_since timestamptz(3);
