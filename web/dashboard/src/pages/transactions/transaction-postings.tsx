import type { Posting, Transaction } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Money } from '../../parts/money.tsx'
import { When } from '../../parts/when.tsx'
import { useAccountOption } from './transaction-related.ts'

const buckets: Record<Posting['from'], { name: string; look: string }> = {
  external: { name: 'External', look: 'border border-line text-muted' },
  incoming: { name: 'Incoming', look: 'bg-blue-soft text-blue' },
  available: { name: 'Available', look: 'bg-brand-soft text-brand' },
  held: { name: 'Reserved', look: 'bg-amber-soft text-amber' },
}

/** The ledger postings of a transaction: how its money moved between buckets. */
export function Postings({ transaction }: { transaction: Transaction }) {
  const { id, status } = transaction
  const on = useAccountOption(transaction)
  const postings = useApiQuery(['transactions', 'postings', id, status], async (florin, signal) => {
    return (await florin.transactions.listPostings(id, { signal, ...on })).data
  })
  return (
    <Card title="Postings">
      {postings.isPending ? (
        <div aria-busy="true" className="flex h-14 items-center">
          <span className="skeleton h-4 w-full" />
        </div>
      ) : postings.isError ? (
        <Failure error={postings.error} retry={() => postings.refetch()} />
      ) : (
        <ol>
          {postings.data.map((posting) => (
            <PostingView key={posting.sequence} posting={posting} currency={transaction.currency} />
          ))}
        </ol>
      )}
    </Card>
  )
}

function PostingView({ posting, currency }: { posting: Posting; currency: string }) {
  const { from, to, amount, available_after, created_at, sequence } = posting
  return (
    <li
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5 border-t border-line
 py-3 first:border-0 first:pt-1 last:pb-0"
    >
      <span className="inline-flex items-center gap-2">
        <Bucket of={from} />
        <span className="text-muted">
          <Icon name="arrow" />
          <span className="sr-only">to</span>
        </span>
        <Bucket of={to} />
      </span>
      <span className="font-semibold">
        <Money amount={amount} currency={currency} />
      </span>
      <span className="w-full text-xs text-muted">
        <span className="figures">#{sequence}</span> · <When at={created_at} absolute /> · Available
        balance: <Money amount={available_after} currency={currency} />
      </span>
    </li>
  )
}

function Bucket({ of }: { of: Posting['from'] }) {
  const { name, look } = buckets[of]
  return <span className={`rounded-md px-2 py-0.5 text-xs font-semibold ${look}`}>{name}</span>
}
