// What must hold of money in every database after every test. Written from SPEC §6 and not from the
// code: the six movements and what each does stand here a second time, by hand.

/** The effect of each movement on the three places an account keeps money in. */
const moves = `(values
  ('arrive',   1, 0, 0),
  ('settle',  -1, 1, 0),
  ('return',  -1, 0, 0),
  ('hold',     0,-1, 1),
  ('pay_out',  0, 0,-1),
  ('release',  0, 1,-1)) as moves (movement, incoming, available, held)`

/** Which movements a transaction of each type and status has behind it, in their order. */
const histories = `(values
  ('payment', 'pending',   '{arrive}'),
  ('payment', 'succeeded', '{arrive,settle}'),
  ('payment', 'failed',    '{arrive,return}'),
  ('payment', 'canceled',  '{arrive,return}'),
  ('credit',  'pending',   '{arrive}'),
  ('credit',  'succeeded', '{arrive,settle}'),
  ('credit',  'failed',    '{arrive,return}'),
  ('credit',  'canceled',  '{arrive,return}'),
  ('refund',  'pending',   '{hold}'),
  ('refund',  'succeeded', '{hold,pay_out}'),
  ('refund',  'failed',    '{hold,release}'),
  ('refund',  'canceled',  '{hold,release}')) as histories (type, status, movements)`

export const moneyRules = [
  {
    name: 'what an account has is the sum of its postings, place by place',
    text: `select balances.account_id from balances
      left join postings on postings.account_id = balances.account_id
      left join ${moves} on moves.movement = postings.movement
      group by balances.account_id
      having balances.incoming <> coalesce(sum(amount * moves.incoming), 0)
        or balances.available <> coalesce(sum(amount * moves.available), 0)
        or balances.held <> coalesce(sum(amount * moves.held), 0)`,
  },
  {
    name: 'no place is ever below nothing, and no account above what is counted exactly',
    text: `select account_id from (
        select account_id,
          sum(amount * moves.incoming) over history as incoming,
          sum(amount * moves.available) over history as available,
          sum(amount * moves.held) over history as held
        from postings join ${moves} using (movement)
        window history as (partition by account_id order by sequence)) as steps
      where incoming < 0 or available < 0 or held < 0
        or incoming + available + held > 9007199254740991`,
  },
  {
    name: 'every posting says what was available after it',
    text: `select account_id from (
        select account_id, available_after,
          sum(amount * moves.available)
            over (partition by account_id order by sequence) as available
        from postings join ${moves} using (movement)) as steps
      where available_after <> available`,
  },
  {
    name: 'postings of an account are numbered from 1 without gaps, up to the one in its lock',
    text: `select balances.account_id from balances
      left join postings on postings.account_id = balances.account_id
      group by balances.account_id
      having count(sequence) <> posting_sequence or coalesce(max(sequence), 0) <> posting_sequence
        or coalesce(min(sequence), 1) <> 1`,
  },
  {
    name: 'postings are in the order of time, and none is later than the time in the lock',
    text: `select account_id from (
        select postings.account_id, at > last_at as late,
          at < lag(at) over (partition by postings.account_id order by sequence) as back
        from postings join balances using (account_id)) as steps
      where back or late`,
  },
  {
    name: 'every transaction has exactly the postings of its type and status, of its own amount',
    text: `select transactions.id from transactions
      left join ${histories}
        on histories.type = transactions.type and histories.status = transactions.status
      left join (
        select account_id, transaction_id, min(amount) as least, max(amount) as most,
          array_agg(movement order by sequence)::text as movements
        from postings group by account_id, transaction_id) as posted
        on posted.account_id = transactions.account_id and posted.transaction_id = transactions.id
      where posted.movements is distinct from histories.movements
        or posted.least <> transactions.amount or posted.most <> transactions.amount`,
  },
  {
    name: 'every posting belongs to a transaction of its account',
    text: `select postings.account_id, sequence from postings
      left join transactions
        on transactions.account_id = postings.account_id
        and transactions.id = postings.transaction_id
      where transactions.id is null`,
  },
  {
    name: 'an id is given once, and never after the last one that its account gave',
    text: `select transactions.id from transactions join balances using (account_id)
      group by transactions.id, last_transaction_id
      having count(*) > 1 or transactions.id > last_transaction_id`,
  },
  {
    name: "a transaction has its account's currency, and its times are those of its postings",
    text: `select transactions.id from transactions join balances using (account_id)
      join (select account_id, transaction_id, min(at) as first, max(at) as last
        from postings group by account_id, transaction_id) as posted
        on posted.account_id = transactions.account_id and posted.transaction_id = transactions.id
      where transactions.currency <> balances.currency
        or floor(extract(epoch from first) * 1000) <>
          ('x' || left(replace(transactions.id::text, '-', ''), 12))::bit(48)::bigint
        or updated_at < last`,
  },
  {
    name: 'only what is pending is due',
    text: `select id from transactions where status <> 'pending' and due_at is not null`,
  },
  {
    name: 'a linked refund gives back a succeeded payment of its own account',
    text: `select refund.id from transactions as refund
      left join transactions as payment
        on payment.account_id = refund.account_id and payment.id = refund.refund_of
      where refund.refund_of is not null
        and (refund.type <> 'refund' or payment.type is distinct from 'payment'
          or payment.status is distinct from 'succeeded')`,
  },
  {
    name: 'what is refunded of a payment is kept exactly, and never exceeds it',
    text: `select payment_id from (
        select account_id, refund_of as payment_id,
          sum(amount) filter (where status in ('pending', 'succeeded')) as amount,
          sum(amount) filter (where status = 'succeeded') as succeeded
        from transactions where refund_of is not null group by account_id, refund_of) as counted
      full join refund_totals using (account_id, payment_id)
      join transactions as payment
        on payment.account_id = coalesce(counted.account_id, refund_totals.account_id)
        and payment.id = payment_id
      where coalesce(counted.amount, 0) is distinct from refund_totals.amount
        or coalesce(counted.succeeded, 0) is distinct from refund_totals.succeeded_amount
        or (refund_totals.succeeded_amount > 0) <> (refund_totals.last_succeeded_at is not null)
        or refund_totals.amount > payment.amount`,
  },
  {
    name: 'events tell of each transaction once that it was created and once that it ended',
    text: `select transactions.id from transactions
      left join (
        select account_id, object_id,
          array_agg(type order by sequence) filter (where type <> 'transaction.updated') as types
        from events where type like 'transaction.%' group by account_id, object_id) as told
        on told.account_id = transactions.account_id and told.object_id = transactions.id
      where told.types is distinct from case status
        when 'pending' then array['transaction.created']
        else array['transaction.created', 'transaction.' || status] end`,
  },
  {
    name: 'only answers that say yes are kept for their keys',
    text: `select key_hash from idempotency_keys where status not in (200, 201)`,
  },
]
