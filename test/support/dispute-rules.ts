// Rules about disputes that must hold in every database after every test, written independently of
// the code.

export const disputeRules = [
  {
    name: 'disputes and transfers withdraw and reinstate their amounts once, and nothing else does',
    text: `select account_id, transaction_id, movement from (
        select account_id, transaction_id, 'withdraw' as movement, amount, 1 as n from disputes
        union all
        select account_id, transaction_id, 'reinstate', amount, 1 from disputes
        where status = 'won'
        union all
        select account_id, id, 'withdraw', amount, 1 from transfers where side = 'out'
        union all
        select account_id, id, 'reinstate', returned_amount, 1 from transfers
        where returned_amount > 0
        union all
        select account_id, id, 'reinstate', amount - fee_amount, 1 from transfers
        where side = 'in' and status = 'completed'
        union all
        select account_id, id, 'reinstate', fee_amount, 1 from transfers
        where side = 'fee' and status = 'completed'
        union all
        select account_id, transaction_id, movement, amount, -1 from postings
        where movement in ('withdraw', 'reinstate')) as counted
      group by account_id, transaction_id, movement, amount
      having sum(n) <> 0`,
  },
  {
    name: 'a charge is disputed if and only if it has a dispute that was not won',
    text: `select account_id, transaction_id from charges
      full join (
        select account_id, transaction_id, bool_or(status <> 'won') as is_open
        from disputes group by account_id, transaction_id) as disputed
        using (account_id, transaction_id)
      where charge_id is null or is_disputed <> coalesce(is_open, false)`,
  },
  {
    name: "a dispute has its account's currency, and no late times and ids",
    text: `select disputes.id from disputes join balances using (account_id)
      where disputes.currency <> balances.currency or updated_at > last_at
        or disputes.id > last_transaction_id`,
  },
  {
    name: 'an open account has one event for each dispute and one for its end',
    text: `select disputes.id from disputes
      join accounts on accounts.id = disputes.account_id
      left join (
        select account_id, object_id,
          array_agg(type order by sequence) filter (where type <> 'dispute.updated') as types
        from events where type like 'dispute.%' group by account_id, object_id) as recorded
        on recorded.account_id = disputes.account_id and recorded.object_id = disputes.id
      where accounts.status <> 'closed' and case disputes.status
        when 'won' then types <> array['dispute.created', 'dispute.won']
          and types <> array['dispute.created', 'dispute.lost', 'dispute.won']
        when 'lost' then types <> array['dispute.created', 'dispute.lost']
        else types <> array['dispute.created'] end is not false`,
  },
]
