// Rules about payouts that must hold in every database after every test, written independently of
// the code.

export const payoutRules = [
  {
    name: 'every payout has exactly the postings of its status, with its amount',
    text: `select account_id, id from payouts
      full join (
        select account_id, transaction_id as id, min(amount) as smallest, max(amount) as largest,
          array_agg(movement order by sequence)::text as movements
        from postings where movement like 'payout%' group by account_id, transaction_id) as posted
        using (account_id, id)
      where movements is distinct from case status
          when 'pending_approval' then '{payout_hold}'
          when 'approved' then '{payout_hold}'
          when 'in_transit' then '{payout_hold}'
          when 'paid' then '{payout_hold,payout_pay}'
          when 'failed' then '{payout_hold,payout_release}'
          when 'canceled' then '{payout_hold,payout_release}'
          when 'returned' then '{payout_hold,payout_pay,payout_return}' end
        or smallest <> amount or largest <> amount`,
  },
  {
    name: "a payout has its account's currency, and no late times and ids",
    text: `select payouts.id from payouts join balances using (account_id)
      where payouts.currency <> balances.currency or updated_at > last_at
        or payouts.id > last_transaction_id`,
  },
  {
    name: 'a closed account has no open payout',
    text: `select payouts.id from payouts join accounts on accounts.id = payouts.account_id
      where accounts.status = 'closed'
        and payouts.status in ('pending_approval', 'approved', 'in_transit')`,
  },
  {
    name: 'a refund in a payment file was submitted to the bank, with its amount',
    text: `select exported_refunds.id from exported_refunds
      left join provider_refunds using (account_id, id)
      left join transactions using (account_id, id)
      where provider is distinct from 'bank_transfer' or state = 'queued'
        or transactions.amount is distinct from exported_refunds.amount
        or transactions.currency is distinct from exported_refunds.currency`,
  },
  {
    name: 'a payout is approved by another user than its creator',
    text: 'select id from payouts where approved_by = created_by',
  },
  {
    name: 'every export has its payouts, and every exported payout is in one export',
    text: `select export_id from (
        select export_id, count(*) filter (where is_payout) as n,
          count(*) filter (where not is_payout) as refunds, sum(amount) as total
        from (
          select export_id, amount, true as is_payout from payouts where export_id is not null
          union all select export_id, amount, false from exported_refunds) as lines
        group by export_id) as exported
      full join payout_exports on payout_exports.id = export_id
      where n is distinct from payout_exports.payouts
        or exported.refunds is distinct from payout_exports.refunds
        or total is distinct from payout_exports.amount`,
  },
]
