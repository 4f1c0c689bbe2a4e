// Rules about subscriptions that must hold in every database after every test, written
// independently of the code.

const sub = `metadata::json ->> 'subscription'`

export const subscriptionRules = [
  {
    name: 'only an active subscription has next_at',
    text: `select id from subscriptions where (status = 'active') <> (next_at is not null)`,
  },
  {
    name: 'every period has one request of the same amount, and no request belongs to two periods',
    text: `select periods.subscription_id, period from subscription_periods as periods
      left join subscriptions
        on subscriptions.account_id = periods.account_id
        and subscriptions.id = periods.subscription_id
      left join payment_requests as requests
        on requests.account_id = periods.account_id and requests.id = periods.payment_id
      group by periods.account_id, periods.subscription_id, period
      having count(requests.id) <> 1
        or bool_or(requests.amount is distinct from subscriptions.amount)
        or bool_or(requests.currency is distinct from subscriptions.currency)
        or bool_or(requests.customer_email is distinct from subscriptions.customer_email)
      union all
      select payment_id, count(*) from subscription_periods
      group by account_id, payment_id having count(*) > 1`,
  },
  {
    name: 'a subscription has as many requests that name it as it has periods',
    text: `select subscriptions.id from subscriptions
      left join (
        select account_id, subscription_id, count(*) as n from subscription_periods
        group by account_id, subscription_id) as periods
        on periods.account_id = subscriptions.account_id
        and periods.subscription_id = subscriptions.id
      left join (
        select account_id, ${sub} as named, count(*) as n from payment_requests
        where ${sub} is not null group by account_id, ${sub}) as requested
        on requested.account_id = subscriptions.account_id
        and requested.named = (
          select ${sub} from payment_requests join subscription_periods
            on payment_requests.id = payment_id
          where subscription_id = subscriptions.id and period = 0)
      where requested.n is distinct from periods.n`,
  },
  {
    name: 'the first period was requested, none twice, and none that is in the future',
    text: `select subscriptions.id from subscriptions
      left join subscription_periods as periods
        on periods.account_id = subscriptions.account_id
        and periods.subscription_id = subscriptions.id
      group by subscriptions.account_id, subscriptions.id, next_period, next_at
      having min(period) is distinct from 0 or max(period) >= next_period
        or max(starts_at) >= next_at or count(*) <> count(distinct period)
        or count(*) <> count(distinct starts_at)`,
  },
  {
    name: 'a closed account has only canceled subscriptions',
    text: `select subscriptions.id from subscriptions
      join accounts on accounts.id = subscriptions.account_id
      where accounts.status = 'closed'
        and (subscriptions.updated_at > closed_at or subscriptions.status <> 'canceled'
          and accounts.id not in (select account_id from account_closings))`,
  },
  {
    name: 'each subscription has one created event and, if it was canceled, one canceled event',
    text: `select subscriptions.id from subscriptions
      left join events
        on events.account_id = subscriptions.account_id and object_id = subscriptions.id
      group by subscriptions.account_id, subscriptions.id, subscriptions.status
      having count(*) filter (where type = 'subscription.created') <> 1
        or count(*) filter (where type = 'subscription.canceled')
          <> case subscriptions.status when 'canceled' then 1 else 0 end
        or count(*) filter (where type not like 'subscription.%') <> 0`,
  },
  {
    name: "a subscription has its account's currency and no late times",
    text: `select subscriptions.id from subscriptions
      join balances using (account_id)
      where subscriptions.currency <> balances.currency
        or updated_at > last_at or id > last_transaction_id`,
  },
]
