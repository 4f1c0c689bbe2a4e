import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { BalanceEntry, Settlement } from '../../api/api-types.ts'
import { useApiQuery, useList } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { type Column, DataList, EmptyState, Table } from '../../parts/data-list.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { AccountName } from '../accounts/account-name.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { kind_names, remainderOf, status_looks } from './reconciliation-text.ts'
import { ArrivalDay } from './settlements-card.tsx'

const route = getRouteApi('/shell/reconciliation/$id')

export function SettlementPage() {
  const { id } = route.useParams()
  const settlement = useApiQuery(['settlements', id], (florin, signal) =>
    florin.settlements.get(id, { signal }),
  )
  if (settlement.isPending) return <LoadingPage />
  if (settlement.isLoadingError) {
    return (
      <>
        <PageHeader title="Settlement" />
        <Failure error={settlement.error} retry={() => settlement.refetch()} />
      </>
    )
  }
  return <SettlementView key={id} settlement={settlement.data} />
}

function SettlementView({ settlement }: { settlement: Settlement }) {
  const { id, amount, currency, status } = settlement
  return (
    <>
      <BackLink to="/reconciliation">Reconciliation</BackLink>
      <PageHeader title={`Settlement ${id}`}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} code />
          </span>
          <Status {...status_looks[status]} />
        </span>
      </PageHeader>
      <Remainder settlement={settlement} />
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <Card title="What it pays out">
          <Lines settlement={settlement} />
        </Card>
        <Card title="Details">
          <Facts facts={factsOf(settlement)} />
        </Card>
      </div>
      <Entries id={id} />
      <DeveloperDetails value={settlement} label="Settlement as JSON" />
    </>
  )
}

function Remainder({ settlement }: { settlement: Settlement }) {
  const remainder = remainderOf(settlement)
  if (remainder === 0) return null
  return (
    <p role="alert" className="mb-4 rounded-xl bg-red-soft p-4 text-red">
      <span className="font-semibold">
        <Money amount={remainder} currency={settlement.currency} />
        {' is not explained by entries.'}
      </span>
      {` Ask ${providerName(settlement.provider)} for the report of this payout.`}
    </p>
  )
}

type LineRow = Settlement['lines'][number] & { id: string; currency: string }

const line_columns: Column<LineRow>[] = [
  { name: 'Entries', cell: (row) => kind_names[row.kind] },
  {
    name: 'Count',
    align: 'right',
    from: 'sm',
    cell: ({ kind, count }) => (kind === 'remainder' ? '' : count.toLocaleString('en')),
  },
  {
    name: 'Amount',
    align: 'right',
    from: 'sm',
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    name: 'Fees',
    align: 'right',
    from: 'sm',
    cell: (row) => <Money amount={0 - row.fee} currency={row.currency} />,
  },
  {
    name: 'Net',
    align: 'right',
    cell: (row) => <Money amount={row.net} currency={row.currency} />,
  },
]

function Lines({ settlement }: { settlement: Settlement }) {
  const { lines, currency, entries } = settlement
  if (lines.length === 0) return <EmptyState {...empty_lines[entries]} />
  const rows = lines.map((line) => ({ ...line, id: line.kind, currency }))
  return (
    <>
      {entries === 'in_progress' && <p className="mb-2 text-muted">More entries may follow.</p>}
      <Table label="What it pays out" columns={line_columns} rows={rows} folded={FoldedLine} />
    </>
  )
}

function FoldedLine({ kind, count, amount, fee, currency }: LineRow) {
  if (kind === 'remainder') return null
  return (
    <span className="sm:hidden">
      {count.toLocaleString('en')} · <Money amount={amount} currency={currency} />
      {fee !== 0 && (
        <>
          , fees <Money amount={0 - fee} currency={currency} />
        </>
      )}
    </span>
  )
}

const empty_lines: Record<Settlement['entries'], { title: string; text: string }> = {
  complete: { title: 'No entries', text: 'The provider lists no entries of this settlement.' },
  in_progress: {
    title: 'Not listed yet',
    text: 'The provider is still collecting the entries of this settlement.',
  },
  unavailable: {
    title: 'Entries not available',
    text: 'The provider does not list them, for example because a person chose the amount.',
  },
}

function factsOf(settlement: Settlement): [string, ReactNode][] {
  const { id, provider, provider_id, references, bank_entry_id, returned_entry_id } = settlement
  const returned: [string, ReactNode][] =
    returned_entry_id === null
      ? []
      : [['Taken back by', <IdLink key="back" id={returned_entry_id} to="/bank/$id" />]]
  return [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Provider', providerName(provider)],
    ['Provider’s ID', <ShortId key="provider" id={provider_id} copy />],
    ['On the statement', references.join(', ')],
    [
      'Bank entry',
      bank_entry_id === null ? 'Not seen' : <IdLink key="bank" id={bank_entry_id} to="/bank/$id" />,
    ],
    ...returned,
    ['Created', <When key="created" at={settlement.created_at} absolute real />],
    ['Arrives', <ArrivalDay key="arrives" of={settlement} />],
  ]
}

const entry_columns: Column<BalanceEntry>[] = [
  { name: 'Kind', cell: (row) => humanize(row.kind) },
  { name: 'Provider’s ID', from: 'lg', cell: (row) => <Source of={row} /> },
  { name: 'Account', from: 'md', cell: (row) => <AccountOf of={row} /> },
  {
    name: 'Fee',
    align: 'right',
    from: 'md',
    cell: (row) => <Money amount={0 - row.fee} currency={row.currency} />,
  },
  {
    name: 'Net',
    align: 'right',
    cell: (row) => <Money amount={row.net} currency={row.currency} />,
  },
  {
    name: 'Created',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} short real />
      </span>
    ),
  },
]

function Source({ of: { source_id, provider_id } }: { of: BalanceEntry }) {
  return <ShortId id={source_id ?? provider_id} copy />
}

function AccountOf({ of: { account_id } }: { of: BalanceEntry }) {
  return account_id === null ? (
    <span className="text-muted">—</span>
  ) : (
    <AccountName id={account_id} />
  )
}

function Entries({ id }: { id: string }) {
  const query = useList(['settlements', id, 'entries'], (florin, page, signal) =>
    florin.settlements.listEntries(id, page, { signal }),
  )
  return (
    <Card title="Entries" className="my-4">
      <DataList
        label="Entries"
        query={query}
        columns={entry_columns}
        folded={(row) => (
          <>
            {row.account_id !== null && (
              <div className="text-ink">
                <AccountName id={row.account_id} />
              </div>
            )}
            <When at={row.created_at} short real />
          </>
        )}
        empty={{ title: 'No entries', text: 'The provider lists no entries of this settlement.' }}
      />
    </Card>
  )
}
