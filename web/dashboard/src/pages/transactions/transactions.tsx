import { getRouteApi } from '@tanstack/react-router'
import { transaction_statuses, transaction_types } from '../../api/api-types.ts'
import { useCount, useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, DayRangeFilter, FilterBar } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { isFiltered } from '../../parts/search-params.ts'
import { useDayBounds } from '../../parts/use-day-bounds.tsx'
import { useColumnsWithAccount } from '../accounts/account-name.tsx'
import { FirstPayment } from './first-payment.tsx'
import { foldedTransaction, nameOfTransaction, transactionColumns } from './transaction-columns.tsx'
import { listWithDetails } from './transaction-rows.ts'
import { DownloadTransactions } from './transactions-csv.tsx'

const route = getRouteApi('/shell/transactions')

export function TransactionsPage() {
  const { status, type, date_from, date_to } = route.useSearch()
  const { bounds, isReady, failure } = useDayBounds(date_from, date_to)
  const filters = { status, type, ...bounds }
  const columns = useColumnsWithAccount(transactionColumns)
  const total = useCount(
    ['transactions', filters],
    (florin, signal) => florin.transactions.count(filters, { signal }),
    { enabled: isReady },
  )
  const query = useList(
    ['transactions', filters],
    (florin, page, signal) => listWithDetails(florin, { ...filters, ...page }, { signal }),
    { enabled: isReady },
  )
  return (
    <>
      <PageHeader
        title="Transactions"
        actions={<DownloadTransactions filters={filters} disabled={!isReady} />}
      />
      <TransactionFilters />
      <Card>
        {failure || (
          <DataList
            label="Transactions"
            query={query}
            columns={columns}
            folded={foldedTransaction}
            name={nameOfTransaction}
            total={total}
            link={(row) => ({ to: '/transactions/$id', params: { id: row.id } })}
            empty={isFiltered(filters) ? nothing_matches : none_yet}
          />
        )}
      </Card>
    </>
  )
}

const nothing_matches = {
  title: 'No transactions match these filters',
  text: 'Clear a filter or choose other dates.',
}

const none_yet = {
  title: 'No transactions yet',
  text: 'Payments, credits and refunds appear here.',
  action: <FirstPayment />,
}

function TransactionFilters() {
  const filters = route.useSearch()
  const { status, type, date_from, date_to } = filters
  const navigate = route.useNavigate()
  const set = (changed: Partial<typeof filters>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const clear = () =>
    set({ status: undefined, type: undefined, date_from: undefined, date_to: undefined })
  return (
    <FilterBar clear={isFiltered({ status, type, date_from, date_to }) ? clear : undefined}>
      <ChoiceFilter
        label="Status"
        value={filters.status}
        values={transaction_statuses}
        onChange={(status) => set({ status })}
      />
      <ChoiceFilter
        label="Type"
        value={filters.type}
        values={transaction_types}
        onChange={(type) => set({ type })}
      />
      <DayRangeFilter
        from={date_from}
        to={date_to}
        onFrom={(date_from) => set({ date_from })}
        onTo={(date_to) => set({ date_to })}
      />
    </FilterBar>
  )
}
