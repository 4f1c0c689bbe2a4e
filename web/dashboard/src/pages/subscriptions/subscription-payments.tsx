import type { Subscription } from '../../api/api-types.ts'
import { useCount, useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { columnsOfPeriods, foldedPeriod } from '../payments/payment-columns.tsx'

/** The payment requests of the subscription, one per period. */
export function SubscriptionPayments({ subscription: { id } }: { subscription: Subscription }) {
  const query = useList(['payments', 'of', id], (florin, page, signal) =>
    florin.payments.list({ subscription: id, ...page }, { signal }),
  )
  const total = useCount(['payments', 'of', id], (florin, signal) =>
    florin.payments.count({ subscription: id }, { signal }),
  )
  return (
    <Card title="Payment requests" className="lg:col-span-2">
      <DataList
        label="Payment requests of this subscription"
        query={query}
        columns={columnsOfPeriods}
        folded={foldedPeriod}
        total={total}
        link={(row) => ({ to: '/payments/$id', params: { id: row.id } })}
        empty={{
          title: 'No payment requests yet',
          text: 'Each period creates one payment request.',
        }}
      />
    </Card>
  )
}
