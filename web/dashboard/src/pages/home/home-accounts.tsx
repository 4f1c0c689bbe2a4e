import { Link } from '@tanstack/react-router'
import type { ListedAccount } from '../../api/api-types.ts'
import { useApiQuery, useList } from '../../api/use-florin.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Card } from '../../parts/card.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { LatestTransactions } from './home-latest.tsx'

const columns: Column<ListedAccount>[] = [
  { name: 'Name', cell: (row) => row.name },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Email', from: 'md', cell: (row) => row.email },
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

const shown_max = 10

/** Home for admins: the accounts, and the latest transactions of all of them. */
export function AllAccounts() {
  return (
    <div className="flex flex-col gap-4">
      <ChooseAccount />
      <LatestTransactions />
    </div>
  )
}

function ChooseAccount() {
  const hasPage = useHasPage()
  const total = useApiQuery(['accounts', 'total'], async (florin, signal) => {
    const { pagination } = await florin.accounts.list({ limit: 1 }, { signal })
    return pagination.total
  })
  const query = useList(['accounts', 'to choose'], async (florin, _, signal) => {
    const { data } = await florin.accounts.list({ limit: shown_max }, { signal })
    return { data, has_more: false }
  })
  const more = (total.data ?? 0) > shown_max
  return (
    <Card
      title={total.data === undefined ? 'Accounts' : `Accounts (${total.data})`}
      action={
        more && hasPage('/accounts') ? (
          <Link to={'/accounts' as '/'} className="font-semibold text-brand hover:underline">
            View all
          </Link>
        ) : undefined
      }
    >
      <p className="mb-3 text-muted">
        Choose an account to see its balance, volume and alerts.
        {more && ' To find others by name, email or ID, use the account switcher above.'}
      </p>
      <DataList
        label="Accounts"
        query={query}
        columns={columns}
        folded={(row) => row.email}
        foot={false}
        link={(row) => ({ to: '/', search: { account: row.id } as never })}
        empty={{
          title: 'No accounts yet',
          text: 'Accounts receive payments. Create the first one with the API:',
          action: <CurlLine path="/v1/accounts" body={newAccount} token="FLORIN_TOKEN" />,
        }}
      />
    </Card>
  )
}

const newAccount = {
  name: 'Acme Ltd',
  email: 'owner@example.com',
  password: 'Choose-One-2026',
  type: 'business',
}
