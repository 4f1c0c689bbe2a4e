import type { Florin } from '../api/florin.ts'
import type { Payment, Subscription } from '../api/shapes.ts'
import { useList } from '../api/use-florin.ts'
import { Card } from '../parts/card.tsx'
import { DataList } from '../parts/data-list.tsx'
import { columnsOfPeriods, foldedPeriod } from './payment-columns.tsx'

// The API lists payment requests by time and not by subscription: they are looked through, the
// newest first, and no further than this.
const pages_max = 5

/** What it has asked for. Each request names its subscription in its metadata. */
export function SubscriptionPayments({ subscription }: { subscription: Subscription }) {
  const query = useList(['payments', 'of', subscription.id], async (florin, _, signal) => ({
    data: await requestsOf(florin, subscription, signal),
    has_more: false,
  }))
  const rows = query.data?.pages.flatMap((page) => page.data) ?? []
  // The first period began with the subscription: whoever sees its request sees all of them.
  const is_whole = rows.some(
    ({ metadata }) => metadata.subscription_period === subscription.created_at,
  )
  return (
    <Card title="Payment requests" className="lg:col-span-2">
      <DataList
        label="Payment requests of this subscription"
        query={query}
        columns={columnsOfPeriods}
        folded={foldedPeriod}
        foot={false}
        link={(row) => ({ to: '/payments/$id', params: { id: row.id } })}
        empty={{
          title: 'None among the latest.',
          text: `The account’s newest ${pages_max * 100} payment requests were looked through.`,
        }}
      />
      {rows.length > 0 && !is_whole && (
        <p className="border-t border-line pt-3 text-muted">
          Those among the account’s newest {pages_max * 100} payment requests; older ones are not
          shown.
        </p>
      )}
    </Card>
  )
}

async function requestsOf(
  florin: Florin,
  { id, created_at: date_from }: Subscription,
  signal: AbortSignal,
): Promise<Payment[]> {
  const found: Payment[] = []
  let starting_after: string | undefined
  for (let page = 0; page < pages_max; page++) {
    const query = { date_from, limit: 100, starting_after }
    const { data, has_more } = await florin.payments.list(query, { signal })
    found.push(...data.filter(({ metadata }) => metadata.subscription === id))
    if (!has_more) break
    starting_after = data.at(-1)?.id
  }
  return found
}
