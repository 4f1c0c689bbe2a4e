import { getRouteApi } from '@tanstack/react-router'
import type { User } from '../../api/api-types.ts'
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
import { roleName, Status } from '../../parts/status.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { When } from '../../parts/when.tsx'
import { AccountName } from '../accounts/account-name.tsx'
import { user_statuses } from '../admin-labels.ts'
import { CreateUser } from './create-user.tsx'
import { type UserRow, withDetails } from './user-rows.ts'

const route = getRouteApi('/shell/users')

export const userColumns: Column<User>[] = [
  { name: 'Email', cell: (row) => <span className="wrap-anywhere">{row.email}</span> },
  { name: 'Name', from: 'md', cell: (row) => row.name ?? <span className="text-muted">—</span> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
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

const columns: Column<UserRow>[] = [
  ...userColumns.slice(0, 2),
  { name: 'Role', from: 'md', cell: ({ role }) => (role === undefined ? '—' : roleName(role)) },
  {
    name: 'Account',
    from: 'lg',
    cell: ({ account_id }) => (account_id ? <AccountName id={account_id} /> : '—'),
  },
  ...userColumns.slice(2),
]

export function foldedUser(row: User) {
  return (
    <>
      {row.name !== null && `${row.name} · `}
      <When at={row.created_at} />
    </>
  )
}

export function UsersPage() {
  const { search, status, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useUser().may
  const filters = { search, status }
  const query = useNumberedList<UserRow>(
    ['users', filters],
    page,
    async (florin, numbers, signal) => {
      const { data, pagination } = await florin.users.list({ ...filters, ...numbers }, { signal })
      return { data: await withDetails(florin, data, signal), pagination }
    },
  )
  // A changed filter starts at page 1.
  const set = (changed: Partial<typeof filters>) =>
    void navigate({
      search: (before) => ({ ...before, ...changed, page: undefined }),
      replace: true,
    })
  return (
    <>
      <PageHeader title="Users" actions={may.includes('create_user') && <CreateUser />} />
      <FilterBar
        clear={
          isFiltered(filters) ? () => set({ search: undefined, status: undefined }) : undefined
        }
      >
        <TextFilter
          label="Name or email"
          value={search}
          placeholder="ada@"
          onChange={(text) => set({ search: text })}
        />
        <ChoiceFilter
          label="Status"
          value={status}
          values={user_statuses}
          onChange={(value) => set({ status: value })}
        />
      </FilterBar>
      <Card>
        <NumberedList
          label="Users"
          query={query}
          columns={columns}
          folded={foldedUser}
          link={(row) => ({ to: '/users/$id', params: { id: row.id } })}
          empty={isFiltered(filters) ? nothing_matches : none_yet}
          onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
        />
      </Card>
    </>
  )
}

const nothing_matches = {
  title: 'No users match these filters',
  text: 'Search by part of the name or email, or clear the filters to see all users.',
}

const none_yet = {
  title: 'No users yet',
  text: 'People who can log in appear here.',
  action: (
    <CurlLine
      path="/v1/users"
      body={{ email: 'ada@example.com', password: 'Choose-One-2026' }}
      token="FLORIN_TOKEN"
    />
  ),
}
