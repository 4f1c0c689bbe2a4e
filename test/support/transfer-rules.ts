// Rules about transfers that must hold in every database after every test, written independently
// of the code.

export const transferRules = [
  {
    name: 'what the sources sent was received, was returned, or is in transit',
    text: `select sent.id from transfers as sent
      left join (
        select id,
          sum(case side when 'in' then amount - fee_amount else fee_amount end) as amount
        from transfers where side <> 'out' and status = 'completed'
        group by id) as received using (id)
      where sent.side = 'out' and case sent.status
        when 'in_transit' then coalesce(received.amount, 0) > sent.amount
        else sent.amount <> coalesce(received.amount, 0) + sent.returned_amount end`,
  },
  {
    name: 'every receipt belongs to a transfer with the same accounts, amounts and currency',
    text: `select receipt.id from transfers as receipt
      left join transfers as sent
        on sent.account_id = receipt.from_account_id and sent.id = receipt.id
      where receipt.side <> 'out' and (
        sent.side is distinct from 'out'
        or (sent.to_account_id, sent.fee_account_id, sent.amount, sent.fee_amount, sent.currency)
          is distinct from (receipt.to_account_id, receipt.fee_account_id, receipt.amount,
            receipt.fee_amount, receipt.currency)
        or receipt.account_id is distinct from
          case receipt.side when 'in' then sent.to_account_id else sent.fee_account_id end)`,
  },
  {
    name: 'a returned transfer was rejected by its target, and has no receipt of a fee',
    text: `select sent.id from transfers as sent
      left join transfers as target
        on target.account_id = sent.to_account_id and target.id = sent.id
      left join transfers as fee
        on fee.account_id = sent.fee_account_id and fee.id = sent.id
      where sent.side = 'out' and (
        (sent.status = 'returned' and (target.status <> 'rejected' or fee.id is not null
          or sent.returned_amount <> sent.amount or sent.reason is null))
        or (sent.status = 'completed' and (target.status is distinct from 'completed'
          or (sent.fee_amount > 0 and fee.status is distinct from
            case when sent.returned_amount = 0 then 'completed' else 'rejected' end))))`,
  },
  {
    name: "a transfer has its account's currency, and no late times and ids",
    text: `select transfers.id from transfers join balances using (account_id)
      where transfers.status <> 'rejected' and (transfers.currency <> balances.currency
        or updated_at > last_at or (side = 'out' and transfers.id > last_transaction_id))`,
  },
  {
    name: 'an open account has one event for each step of its transfers',
    text: `select transfers.id from transfers
      join accounts on accounts.id = transfers.account_id
      left join (
        select account_id, object_id, array_agg(type order by sequence) as types
        from events where type like 'transfer.%' group by account_id, object_id) as recorded
        on recorded.account_id = transfers.account_id and recorded.object_id = transfers.id
      where accounts.status <> 'closed' and transfers.status <> 'rejected'
        and types is distinct from case
          when side <> 'out' then array['transfer.received']
          when transfers.status = 'in_transit' then array['transfer.created']
          else array['transfer.created', 'transfer.' || transfers.status] end`,
  },
]
