import { getRouteApi } from '@tanstack/react-router'
import type { ListedAccount } from '../../api/api-types.ts'
import { useUser } from '../../api/use-florin.ts'
import { useNumberedList } from '../../api/use-numbered-list.ts'
import { Card } from '../../parts/card.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import type { Column } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { NumberedList } from '../../parts/numbered-list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { isFiltered } from '../../parts/search-params.ts'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize, Status } from '../../parts/status.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { account_statuses, account_types } from '../admin-labels.ts'
import { CreateAccount } from './create-account.tsx'

const route = getRouteApi('/shell/accounts')

const columns: Column<ListedAccount>[] = [
  { name: 'Name', cell: (row) => <span className="wrap-anywhere">{row.name}</span> },
  {
    name: 'Email',
    from: 'md',
    cell: (row) => <TruncatedText text={row.email} look="text-muted" />,
  },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Type', from: 'lg', cell: (row) => humanize(row.type) },
  { name: 'ID', from: 'xl', cell: (row) => <ShortId id={row.id} copy /> },
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

export function AccountsPage() {
  const may_create = useUser().may.includes('create_account')
  const { search, status, type, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = { search, status, type }
  const query = useNumberedList<ListedAccount>(
    ['accounts', filters],
    page,
    (florin, numbers, signal) => florin.accounts.list({ ...filters, ...numbers }, { signal }),
  )
  // A changed filter starts at page 1.
  const set = (changed: Partial<typeof filters>) =>
    void navigate({
      search: (before) => ({ ...before, ...changed, page: undefined }),
      replace: true,
    })
  const clear = () => set({ search: undefined, status: undefined, type: undefined })
  return (
    <>
      <PageHeader title="Accounts" actions={may_create && <CreateAccount />} />
      <FilterBar clear={isFiltered(filters) ? clear : undefined}>
        <TextFilter
          label="Name or email"
          value={search}
          placeholder="Northwind"
          onChange={(text) => set({ search: text })}
        />
        <ChoiceFilter
          label="Status"
          value={status}
          values={account_statuses}
          onChange={(value) => set({ status: value })}
        />
        <ChoiceFilter
          label="Type"
          value={type}
          values={account_types}
          onChange={(value) => set({ type: value })}
        />
      </FilterBar>
      <Card>
        <NumberedList
          label="Accounts"
          query={query}
          columns={columns}
          folded={(row) => row.email}
          link={(row) => ({ to: '/accounts/$id', params: { id: row.id } })}
          empty={isFiltered(filters) ? nothing_matches : none_yet}
          onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
        />
      </Card>
    </>
  )
}

const nothing_matches = {
  title: 'No accounts match these filters',
  text: 'Search by part of the name or email, or clear the filters to see all accounts.',
}

const new_account = {
  email: 'ada@example.com',
  name: 'Northwind Traders',
  type: 'business',
  password: 'Choose-One-2026',
}

const none_yet = {
  title: 'No accounts yet',
  text: 'Accounts receive payments. Create the first one above.',
  action: <CurlLine path="/v1/accounts" body={new_account} token="FLORIN_TOKEN" />,
}
