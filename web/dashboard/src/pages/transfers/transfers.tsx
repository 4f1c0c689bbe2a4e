import { getRouteApi } from '@tanstack/react-router'
import { type Transfer, transfer_directions, transfer_statuses } from '../../api/api-types.ts'
import { useAccountId, useList, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { shortenId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { AccountName, FoldedAccount, useColumnsWithAccount } from '../accounts/account-name.tsx'
import { useDisplayName } from '../audit/use-display-name.ts'
import { CreateTransfer } from './create-transfer.tsx'
import { amountOf, describeTransfer, otherAccount } from './transfer-text.ts'

const route = getRouteApi('/shell/transfers')

const transferColumns: Column<Transfer>[] = [
  { name: 'Amount', cell: (row) => <Money amount={amountOf(row)} currency={row.currency} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Transfer', from: 'lg', cell: describeTransfer },
  { name: 'To or from', from: 'md', cell: (row) => <AccountName id={otherAccount(row)} /> },
  { name: 'Reference', from: 'md', cell: (row) => <TruncatedText text={row.reference} /> },
  {
    name: 'Created',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function TransfersPage() {
  const { status, direction } = route.useSearch()
  const over_all = useAccountId() === undefined
  const columns = useColumnsWithAccount(transferColumns)
  const query = useList(['transfers', status, direction], (florin, page, signal) =>
    florin.transfers.list({ status, direction, ...page }, { signal }),
  )
  const is_filtered = status !== undefined || direction !== undefined
  return (
    <>
      <PageHeader title="Transfers" actions={<NewTransfer />} />
      <Filters over_all={over_all} />
      <Card>
        <DataList
          label="Transfers"
          query={query}
          columns={columns}
          folded={Folded}
          name={(row) => row.reference ?? describeTransfer(row)}
          link={(row) => ({ to: '/transfers/$id', params: { id: row.id } })}
          empty={is_filtered ? nothing_matches : none_yet}
        />
      </Card>
    </>
  )
}

/** Over all accounts, each transfer is listed once, as outgoing. */
function Filters({ over_all }: { over_all: boolean }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const is_filtered = search.status !== undefined || search.direction !== undefined
  const clear = () => set({ status: undefined, direction: undefined })
  return (
    <FilterBar clear={is_filtered ? clear : undefined}>
      <ChoiceFilter
        label="Status"
        value={search.status}
        values={transfer_statuses}
        onChange={(status) => set({ status })}
      />
      {!over_all && (
        <ChoiceFilter
          label="Direction"
          value={search.direction}
          values={transfer_directions}
          onChange={(direction) => set({ direction })}
        />
      )}
    </FilterBar>
  )
}

/** The URL holds whether the form is open, so other pages can link to it. */
function NewTransfer() {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const account_id = useAccountId()
  const may = useUser().may.includes('create_transfer')
  const show = (open: boolean) =>
    navigate({
      search: (before) => ({ ...before, create: open ? ('yes' as const) : undefined }),
      replace: true,
    })
  if (!may || account_id === undefined) return null
  return (
    <>
      <Button tone="primary" onClick={() => show(true)}>
        Create transfer
      </Button>
      <CreateTransfer
        key={account_id}
        account_id={account_id}
        open={create === 'yes'}
        onOpenChange={show}
      />
    </>
  )
}

function FoldedName({ id }: { id: string }) {
  return <>{useDisplayName(id) ?? shortenId(id)}</>
}

function Folded(row: Transfer) {
  return (
    <>
      <FoldedAccount id={row.account_id} />
      <div>
        {describeTransfer(row)}
        {row.direction === 'outgoing' ? ' · to ' : ' · from '}
        <FoldedName id={otherAccount(row)} />
      </div>
      {row.reference && <div className="line-clamp-2">{row.reference}</div>}
      <When at={row.created_at} />
    </>
  )
}

const nothing_matches = {
  title: 'No transfers match',
  text: 'Clear the filters to see all transfers.',
}

const none_yet = {
  title: 'No transfers yet',
  text: 'Money that moves between this account and others of the platform appears here.',
}
