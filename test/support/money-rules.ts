// Rules about money that must hold in every database after every test. They list the movements and
// their effects by hand, independently of the code.

/** The effect of each movement on the three buckets of an account, and on what it owes. */
const moves = `(values
  ('arrive',    1, 0, 0, 0),
  ('settle',   -1, 1, 0, 0),
  ('return',   -1, 0, 0, 0),
  ('hold',      0,-1, 1, 0),
  ('pay_out',   0, 0,-1, 0),
  ('release',   0, 1,-1, 0),
  ('fee',       0,-1, 0, 0),
  ('withdraw',  0,-1, 0, 0),
  ('reinstate', 0, 1, 0, 0),
  ('overdraw',  0, 1, 0, 1),
  ('repay',     0,-1, 0,-1),
  ('payout_hold',    0,-1, 1, 0),
  ('payout_pay',     0, 0,-1, 0),
  ('payout_release', 0, 1,-1, 0),
  ('payout_return',  0, 1, 0, 0)) as moves (movement, incoming, available, held, owed)`

/** The movements that changes of a transaction's status make. */
const ofTransactions = `('arrive', 'settle', 'return', 'hold', 'pay_out', 'release')`

/** The movements of a transaction of each type and status, in order. */
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
    name: 'each bucket of a balance is the sum of its postings',
    text: `select balances.account_id from balances
      left join postings on postings.account_id = balances.account_id
      left join ${moves} on moves.movement = postings.movement
      group by balances.account_id
      having balances.incoming <> coalesce(sum(amount * moves.incoming), 0)
        or balances.available <> coalesce(sum(amount * moves.available), 0)
        or balances.held <> coalesce(sum(amount * moves.held), 0)
        or balances.owed <> coalesce(sum(amount * moves.owed), 0)`,
  },
  {
    name: 'no bucket is ever negative, and no total exceeds the largest safe integer',
    text: `select account_id from (
        select account_id,
          sum(amount * moves.incoming) over history as incoming,
          sum(amount * moves.available) over history as available,
          sum(amount * moves.held) over history as held,
          sum(amount * moves.owed) over history as owed
        from postings join ${moves} using (movement)
        window history as (partition by account_id order by sequence)) as steps
      where incoming < 0 or available < 0 or held < 0 or owed < 0
        or incoming + available + held > 9007199254740991`,
  },
  {
    name: 'an account that owes money has nothing available',
    text: `select account_id from balances where owed > 0 and available > 0`,
  },
  {
    name: 'what is lent is spent at once, and money that becomes available repays at once',
    text: `select account_id from (
        select account_id, sequence, movement, transaction_id, available_after,
          sum(amount * moves.owed) over history as owed,
          lead(movement) over history as next_movement,
          lead(transaction_id) over history as next_transaction_id,
          lead(available_after) over history as next_available
        from postings join ${moves} using (movement)
        window history as (partition by account_id order by sequence)) as steps
      where owed > 0 and available_after > 0
        and (transaction_id is distinct from next_transaction_id
          or (movement = 'overdraw' and next_available <> 0)
          or (movement <> 'overdraw' and next_movement <> 'repay'))`,
  },
  {
    name: 'every posting has the available amount after it',
    text: `select account_id from (
        select account_id, available_after,
          sum(amount * moves.available)
            over (partition by account_id order by sequence) as available
        from postings join ${moves} using (movement)) as steps
      where available_after <> available`,
  },
  {
    name: "an account's postings are numbered from 1 without gaps, up to its posting_sequence",
    text: `select balances.account_id from balances
      left join postings on postings.account_id = balances.account_id
      group by balances.account_id
      having count(sequence) <> posting_sequence or coalesce(max(sequence), 0) <> posting_sequence
        or coalesce(min(sequence), 1) <> 1`,
  },
  {
    name: 'postings are in order of time, and none is later than last_at of the balance',
    text: `select account_id from (
        select postings.account_id, at > last_at as late,
          at < lag(at) over (partition by postings.account_id order by sequence) as back
        from postings join balances using (account_id)) as steps
      where back or late`,
  },
  {
    name: 'every transaction has exactly the postings of its type and status, with its amount',
    text: `select transactions.id from transactions
      left join ${histories}
        on histories.type = transactions.type and histories.status = transactions.status
      left join (
        select account_id, transaction_id, min(amount) as smallest, max(amount) as largest,
          array_agg(movement order by sequence)::text as movements
        from postings where movement in ${ofTransactions}
        group by account_id, transaction_id) as posted
        on posted.account_id = transactions.account_id and posted.transaction_id = transactions.id
      where posted.movements is distinct from histories.movements
        or posted.smallest <> transactions.amount or posted.largest <> transactions.amount`,
  },
  {
    name: 'every posting belongs to a transaction, a transfer or a payout of its account',
    text: `select postings.account_id, sequence from postings
      left join transactions
        on transactions.account_id = postings.account_id
        and transactions.id = postings.transaction_id
      left join transfers
        on transfers.account_id = postings.account_id
        and transfers.id = postings.transaction_id
      left join payouts
        on payouts.account_id = postings.account_id and payouts.id = postings.transaction_id
      where num_nonnulls(transactions.id, transfers.id, payouts.id) <> 1`,
  },
  {
    name: 'ids are unique, and none is greater than last_transaction_id of its account',
    text: `select transactions.id from transactions join balances using (account_id)
      group by transactions.id, last_transaction_id
      having count(*) > 1 or transactions.id > last_transaction_id`,
  },
  {
    name: "a transaction has its account's currency and the times of its postings",
    text: `select transactions.id from transactions join balances using (account_id)
      join (select account_id, transaction_id, min(at) as first, max(at) as last
        from postings where movement in ${ofTransactions}
        group by account_id, transaction_id) as posted
        on posted.account_id = transactions.account_id and posted.transaction_id = transactions.id
      where transactions.currency <> balances.currency
        or floor(extract(epoch from first) * 1000) <>
          ('x' || left(replace(transactions.id::text, '-', ''), 12))::bit(48)::bigint
        or updated_at < last`,
  },
  {
    name: 'only pending transactions have due_at',
    text: `select id from transactions where status <> 'pending' and due_at is not null`,
  },
  {
    name: 'a linked refund refers to a succeeded payment of the same account',
    text: `select refund.id from transactions as refund
      left join transactions as payment
        on payment.account_id = refund.account_id and payment.id = refund.refund_of
      where refund.refund_of is not null
        and (refund.type <> 'refund' or payment.type is distinct from 'payment'
          or payment.status is distinct from 'succeeded')`,
  },
  {
    name: 'refund totals match the refunds, and never exceed the payment',
    text: `select payment_id from (
        select refund.account_id, refund_of as payment_id,
          sum(amount) filter (where status in ('pending', 'succeeded')) as amount,
          sum(amount) filter (where status = 'succeeded') as succeeded,
          sum(amount) filter (where status in ('pending', 'succeeded')
            and coalesce(at_provider.state, 'succeeded') = 'succeeded') as paid_out
        from transactions as refund
        left join provider_refunds as at_provider
          on at_provider.account_id = refund.account_id and at_provider.id = refund.id
        where refund_of is not null and credit_id is null
        group by refund.account_id, refund_of) as counted
      full join refund_totals using (account_id, payment_id)
      join transactions as payment
        on payment.account_id = coalesce(counted.account_id, refund_totals.account_id)
        and payment.id = payment_id
      where coalesce(counted.amount, 0) is distinct from refund_totals.amount
        or coalesce(counted.succeeded, 0) is distinct from refund_totals.succeeded_amount
        or (refund_totals.succeeded_amount > 0) <> (refund_totals.last_succeeded_at is not null)
        or counted.paid_out > payment.amount`,
  },
  {
    name: 'each transaction has one created event and, if it ended, one event for its outcome',
    text: `select transactions.id from transactions
      left join (
        select account_id, object_id,
          array_agg(type order by sequence) filter (where type <> 'transaction.updated') as types
        from events where type like 'transaction.%' group by account_id, object_id) as recorded
        on recorded.account_id = transactions.account_id and recorded.object_id = transactions.id
      left join accounts on accounts.id = transactions.account_id
      where recorded.types is distinct from case transactions.status
        when 'pending' then array['transaction.created']
        else array['transaction.created', 'transaction.' || transactions.status] end
        -- account.closed is the last event of an account, but money may still arrive.
        and (recorded.types is not null or accounts.closed_at is null or
          ('x' || left(replace(transactions.id::text, '-', ''), 12))::bit(48)::bigint
            < floor(extract(epoch from accounts.closed_at) * 1000))`,
  },
  {
    name: 'only successful responses are stored for idempotency keys',
    text: `select key_hash from idempotency_keys where status not in (200, 201)`,
  },
]
