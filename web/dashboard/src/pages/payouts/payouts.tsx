import { getRouteApi } from '@tanstack/react-router'
import { type Payout, payout_statuses } from '../../api/api-types.ts'
import { useAccountId, useList, useUser } from '../../api/use-florin.ts'
import { accountNumberEnd } from '../../parts/account-number.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { FoldedAccount, useColumnsWithAccount } from '../accounts/account-name.tsx'
import { CreatePayout } from './create-payout.tsx'
import { ExportPayouts, PaymentFiles } from './payment-files.tsx'
import { PayoutSettingsCard } from './payout-settings.tsx'
import { destinationText } from './payout-text.ts'

const route = getRouteApi('/shell/payouts')

const payoutColumns: Column<Payout>[] = [
  { name: 'Amount', cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'To', from: 'md', cell: (row) => <Destination of={row} /> },
  { name: 'Reference', from: 'lg', cell: (row) => <TruncatedText text={row.reference} /> },
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

export function PayoutsPage() {
  const { status } = route.useSearch()
  const account_id = useAccountId()
  const { may } = useUser()
  const columns = useColumnsWithAccount(payoutColumns)
  const query = useList(['payouts', status], (florin, page, signal) =>
    florin.payouts.list({ status, ...page }, { signal }),
  )
  const exports = may.includes('export_payouts')
  return (
    <>
      <PageHeader
        title="Payouts"
        actions={
          <>
            {exports && <ExportPayouts />}
            <NewPayout />
          </>
        }
      />
      <div className="flex flex-col gap-4">
        {account_id !== undefined && <PayoutSettingsCard key={account_id} />}
        <div>
          <StatusFilter />
          <Card>
            <DataList
              label="Payouts"
              query={query}
              columns={columns}
              folded={Folded}
              name={(row) => row.reference ?? destinationText(row.destination)}
              link={(row) => ({ to: '/payouts/$id', params: { id: row.id } })}
              empty={status === undefined ? none_yet : nothing_matches}
            />
          </Card>
        </div>
        {exports && account_id === undefined && <PaymentFiles />}
      </div>
    </>
  )
}

/** A long name is truncated, the end of the number is not. */
function Destination({ of: { destination } }: { of: Payout }) {
  return (
    <span className="flex gap-1.5" title={destinationText(destination)}>
      <TruncatedText text={destination.name} title={destinationText(destination)} />
      <span className="figures whitespace-nowrap text-muted">
        {accountNumberEnd(destination.iban)}
      </span>
    </span>
  )
}

function StatusFilter() {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (status: Payout['status'] | undefined) =>
    void navigate({ search: (before) => ({ ...before, status }), replace: true })
  return (
    <FilterBar clear={status === undefined ? undefined : () => set(undefined)}>
      <ChoiceFilter label="Status" value={status} values={payout_statuses} onChange={set} />
    </FilterBar>
  )
}

/** The URL holds whether the form is open, so other pages can link to it. */
function NewPayout() {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const account_id = useAccountId()
  const may = useUser().may.includes('create_payout')
  const show = (open: boolean) =>
    navigate({
      search: (before) => ({ ...before, create: open ? ('yes' as const) : undefined }),
      replace: true,
    })
  if (!may || account_id === undefined) return null
  return (
    <>
      <Button tone="primary" onClick={() => show(true)}>
        Create payout
      </Button>
      <CreatePayout key={account_id} open={create === 'yes'} onOpenChange={show} />
    </>
  )
}

function Folded(row: Payout) {
  return (
    <>
      <FoldedAccount id={row.account_id} />
      <div>
        {destinationText(row.destination)}
        {row.reference && ` · ${row.reference}`}
      </div>
      <When at={row.created_at} />
    </>
  )
}

const nothing_matches = {
  title: 'No payouts with this status',
  text: 'Clear the filter to see all payouts.',
}

const none_yet = {
  title: 'No payouts yet',
  text: 'A payout moves money from the available balance to a bank account.',
}
