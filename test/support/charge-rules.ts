// Rules about charges and refunds at providers that must hold in every database after every test,
// written independently of the code.

export const chargeRules = [
  {
    name: 'a charge pays one succeeded payment of the same amount',
    text: `select charges.charge_id from charges
      left join transactions as payment
        on payment.account_id = charges.account_id and payment.id = charges.transaction_id
      where payment.type is distinct from 'payment' or payment.status <> 'succeeded'
        or payment.amount <> charges.amount
      union all
      select charge_id from charges group by account_id, provider, charge_id having count(*) > 1`,
  },
  {
    name: 'every fee of a charge is posted once, and every posted fee belongs to a charge',
    text: `select charges.charge_id from charges
      full join (
        select account_id, transaction_id, sum(amount) as fee, count(*) as n
        from postings where movement = 'fee' group by account_id, transaction_id) as posted
        using (account_id, transaction_id)
      where nullif(charges.fee, 0) is distinct from posted.fee or posted.n > 1`,
  },
  {
    name: 'every refund of a charge at a provider has a row for the provider, and only those',
    text: `select refund.id from transactions as refund
      join charges
        on charges.account_id = refund.account_id and charges.transaction_id = refund.refund_of
        and charges.provider <> 'sandbox'
      full join provider_refunds as at_provider
        on at_provider.account_id = refund.account_id and at_provider.id = refund.id
      where at_provider.id is null or refund.id is null
        or at_provider.payment_id <> refund.refund_of or at_provider.provider <> charges.provider`,
  },
  {
    name: "a refund's state at the provider matches its status",
    text: `select refund.id from provider_refunds as at_provider
      join transactions as refund using (account_id, id)
      join balances using (account_id)
      left join transactions as credit
        on credit.account_id = at_provider.account_id and credit.id = credit_id
      where case state
          when 'succeeded' then refund.status <> 'succeeded'
          when 'failed' then refund.status = 'pending'
            or (refund.status = 'succeeded') <> (credit_id is not null)
          else refund.status <> 'pending' and balances.status <> 'closed' end
        or (credit_id is not null and (
          credit.type is distinct from 'credit' or credit.status <> 'succeeded'
          or credit.amount <> refund.amount or state <> 'failed'))`,
  },
  {
    name: 'a refund that is not final is checked again, and no other is',
    // Exports and bank statements find those by transfer.
    text: `select id from provider_refunds
      where (state in ('queued', 'submitted') and provider <> 'bank_transfer')
          <> (next_at is not null)
        or (state = 'submitted' and submitted_at is null)
        or (state = 'queued' and (submitted_at is not null or provider_refund_id is not null))`,
  },
  {
    name: 'no credit returns the money of two refunds',
    text: `select credit_id from provider_refunds where credit_id is not null
      group by account_id, credit_id having count(*) > 1`,
  },
]
