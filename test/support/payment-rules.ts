// Rules about payment requests that must hold in every database after every test, written
// independently of the code.

/** SQL for the creation time in an id, in milliseconds. */
const createdMs = (id: string) =>
  `('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint`

export const paymentRules = [
  {
    name: 'a request has succeeded if and only if a succeeded payment of its amount is linked',
    text: `select requests.id from payment_requests as requests
      left join transactions
        on transactions.account_id = requests.account_id
        and transactions.id = requests.transaction_id
      where (requests.status = 'succeeded') <> (requests.transaction_id is not null)
        or (requests.status = 'succeeded' and (
          transactions.status is distinct from 'succeeded'
          or transactions.type is distinct from 'payment'
          or transactions.amount is distinct from requests.amount
          or transactions.currency is distinct from requests.currency))`,
  },
  {
    name: 'no transaction pays two requests',
    text: `select account_id, transaction_id from payment_requests
      where transaction_id is not null
      group by account_id, transaction_id having count(*) > 1`,
  },
  {
    name: 'every request has exactly one link, and every link has a request',
    text: `select links.token from payment_links as links
      full join payment_requests as requests
        on requests.account_id = links.account_id and requests.id = links.payment_id
      where requests.token is distinct from links.token`,
  },
  {
    name: 'ids of requests and transactions are unique, and none exceeds last_transaction_id',
    text: `select ids.id from (
        select account_id, id from payment_requests
        union all select account_id, id from transactions) as ids
      join balances using (account_id)
      group by ids.account_id, ids.id, last_transaction_id
      having count(*) > 1 or ids.id > last_transaction_id`,
  },
  {
    name: "a request has its account's currency, expires within 31 days, and has no late times",
    text: `select requests.id from payment_requests as requests
      join balances using (account_id)
      where requests.currency <> balances.currency
        or floor(extract(epoch from expires_at) * 1000) - ${createdMs('requests.id')}
          not between 3600000 and 2678400000
        or floor(extract(epoch from updated_at) * 1000) < ${createdMs('requests.id')}
        or updated_at > last_at`,
  },
  {
    name: 'each request has one created event and, if it ended, one event for its outcome',
    text: `select requests.id from payment_requests as requests
      left join (
        select account_id, object_id, array_agg(type order by sequence) as types
        from events where type like 'payment.%' group by account_id, object_id) as recorded
        on recorded.account_id = requests.account_id and recorded.object_id = requests.id
      where recorded.types is distinct from case status
        when 'pending' then array['payment.created']
        else array['payment.created', 'payment.' || status] end`,
  },
  {
    name: "a request's attempts are all stored, and at most one succeeded",
    text: `select requests.id from payment_requests as requests
      full join (
        select account_id, payment_id, count(*) as n, max(number) as last,
          count(*) filter (where outcome = 'declined') as declined, max(created_at) as at
        from payment_attempts group by account_id, payment_id) as stored
        on stored.account_id = requests.account_id and stored.payment_id = requests.id
      left join balances on balances.account_id = requests.account_id
      where requests.id is null
        or (attempts is not null and (
          attempts <> coalesce(n, 0) or declines <> coalesce(declined, 0)
          or coalesce(last, 0) <> attempts))
        or n - declined > (requests.status = 'succeeded')::int
        or stored.at > balances.last_at`,
  },
  {
    name: 'a checkout is paid if and only if its charge is recorded',
    text: `select checkouts.id from checkouts
      left join charges
        on charges.account_id = checkouts.account_id and charges.checkout_id = checkouts.id
      where (state = 'paid') <> (charges.charge_id is not null)
        or charges.provider <> checkouts.provider
        or charges.provider_id <> checkouts.provider_id`,
  },
  {
    name: 'a checkout that was created at the provider has its id, and only final ones end checks',
    text: `select id from checkouts
      where (state in ('open', 'processing', 'paid') and provider_id is null)
        or (state in ('failed', 'ended') and check_at is not null)
        or (is_ending and state in ('creating', 'open') and check_at is null)`,
  },
  {
    name: 'a closed account has no pending requests, and no change after its closing',
    text: `select requests.id from payment_requests as requests
      join accounts on accounts.id = requests.account_id
      where accounts.status = 'closed'
        and (requests.updated_at > closed_at or requests.status = 'pending'
          and accounts.id not in (select account_id from account_closings))`,
  },
]
