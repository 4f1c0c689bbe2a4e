import { getRouteApi } from '@tanstack/react-router'
import { type Dispute, dispute_filters } from '../../api/api-types.ts'
import { useList, useMode } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'
import { humanize, Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { FoldedAccount, useColumnsWithAccount } from '../accounts/account-name.tsx'

const route = getRouteApi('/shell/disputes')

const disputeColumns: Column<Dispute>[] = [
  { name: 'Amount', cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Reason', from: 'md', cell: (row) => <TruncatedText text={humanize(row.reason)} /> },
  { name: 'Payment', from: 'xl', cell: (row) => <ShortId id={row.transaction_id} copy /> },
  { name: 'Due', time: true, from: 'md', cell: (row) => <Due of={row} /> },
  {
    name: 'Created',
    time: true,
    from: 'lg',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function DisputesPage() {
  const { status } = route.useSearch()
  const sandbox = useMode() === 'sandbox'
  const columns = useColumnsWithAccount(disputeColumns)
  const query = useList(['disputes', status], (florin, page, signal) =>
    florin.disputes.list({ status, ...page }, { signal }),
  )
  return (
    <>
      <PageHeader title="Disputes" />
      <StatusFilter />
      <Card>
        <DataList
          label="Disputes"
          query={query}
          columns={columns}
          folded={Folded}
          name={(row) => humanize(row.reason)}
          link={(row) => ({ to: '/disputes/$id', params: { id: row.id } })}
          empty={status !== undefined ? nothing_matches : sandbox ? none_in_sandbox : none_yet}
        />
      </Card>
    </>
  )
}

function StatusFilter() {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (status: (typeof dispute_filters)[number] | undefined) =>
    void navigate({ search: (before) => ({ ...before, status }), replace: true })
  return (
    <FilterBar clear={status === undefined ? undefined : () => set(undefined)}>
      <ChoiceFilter label="Status" value={status} values={dispute_filters} onChange={set} />
    </FilterBar>
  )
}

/** After the response the time no longer matters. */
function Due({ of: { status, due_at } }: { of: Dispute }) {
  if (status !== 'needs_response' || due_at === null) return <span className="text-muted">—</span>
  return <When at={due_at} coming />
}

function Folded({ account_id, reason, status, due_at, transaction_id }: Dispute) {
  return (
    <>
      <FoldedAccount id={account_id} />
      <div>
        {humanize(reason)}
        {' · '}
        <span className="font-mono whitespace-nowrap">{shortenId(transaction_id)}</span>
      </div>
      {status === 'needs_response' && due_at !== null && (
        <>
          Due <When at={due_at} coming />
        </>
      )}
    </>
  )
}

const nothing_matches = {
  title: 'No disputes with this status',
  text: 'Clear the filter to see all disputes.',
}

const none_yet = {
  title: 'No disputes',
  text: 'When a customer disputes a card payment through their bank, it appears here.',
}

const none_in_sandbox = {
  ...none_yet,
  text: `${none_yet.text} To try it, pay a payment request with the card 4000 0000 0000 0259.`,
}
