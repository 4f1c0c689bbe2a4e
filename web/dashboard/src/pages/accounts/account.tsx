import { getRouteApi, Link } from '@tanstack/react-router'
import type { Account } from '../../api/api-types.ts'
import { useApiQuery, useList, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Card, Facts, Figure } from '../../parts/card.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { Owed } from '../../parts/owed.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { account_status_descriptions, account_statuses } from '../admin-labels.ts'
import { foldedUser, userColumns } from '../users/users.tsx'
import { ChangeAccountStatus, CloseAccount } from './account-actions.tsx'
import { accountFacts } from './account-facts.tsx'
import { BankDetailsCard } from './bank-details.tsx'
import { TransferFeeCard } from './transfer-fee.tsx'

const route = getRouteApi('/shell/accounts/$id')

export function AccountPage() {
  const { id } = route.useParams()
  const account = useApiQuery(['accounts', id], (florin, signal) =>
    florin.accounts.get(id, { signal }),
  )
  if (account.isPending) return <LoadingPage />
  if (account.isLoadingError) {
    return (
      <>
        <PageHeader title="Account" />
        <Failure error={account.error} retry={() => account.refetch()} />
      </>
    )
  }
  return <AccountView account={account.data} />
}

function AccountView({ account }: { account: Account }) {
  const { may } = useUser()
  return (
    <>
      <BackLink to="/accounts">Accounts</BackLink>
      <PageHeader
        title={account.name}
        actions={
          <Link to="/" search={{ account: account.id } as never} className={buttonClass('primary')}>
            View dashboard
          </Link>
        }
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{account.name}</span>
          <Status of={account.status} />
        </span>
      </PageHeader>
      <Balance of={account} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Card title="Details">
          <Facts facts={accountFacts(account)} />
        </Card>
        <Card title="Status">
          <StatusDescriptions status={account.status} />
          {account.status !== 'closed' && (
            <div className="flex flex-wrap gap-2">
              {may.includes('update_account_by_id') && <ChangeAccountStatus account={account} />}
              {may.includes('close_account') && <CloseAccount account={account} />}
            </div>
          )}
        </Card>
        <BankDetailsCard account_id={account.id} open={account.status !== 'closed'} />
        <TransferFeeCard account={account} />
        <Users of={account} />
        <DeveloperDetails value={account} label="Account as JSON" />
      </div>
    </>
  )
}

/** Describes every status, to show what a change would do. */
function StatusDescriptions({ status }: { status: Account['status'] }) {
  const shown = status === 'closed' ? (['closed'] as const) : account_statuses
  return (
    <dl className="mb-4">
      {shown.map((one) => (
        <div
          key={one}
          className="grid grid-cols-[96px_minmax(0,1fr)] gap-3 border-t border-line py-2.5
 first:border-0 first:pt-0"
        >
          <dt>
            <Status of={one} />
          </dt>
          <dd className={one === status ? 'text-ink' : 'text-muted'}>
            {one === status && <span className="font-semibold">Current. </span>}
            {account_status_descriptions[one]}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Balance({ of: { id } }: { of: Account }) {
  const { data, isError, error, refetch } = useApiQuery(
    ['accounts', id, 'balance'],
    (florin, signal) => florin.account.getBalance({ account: id, signal }),
  )
  if (isError) return <Failure error={error} retry={() => refetch()} />
  const show = (field: 'available' | 'incoming' | 'held') =>
    data === undefined ? (
      <span className="skeleton inline-block h-6 w-32 align-middle" />
    ) : (
      <Money amount={data[field]} currency={data.currency} code={field === 'available'} />
    )
  return (
    <>
      <section aria-label="Balance" className="mb-4 grid gap-4 sm:grid-cols-3">
        <Figure label="Available" value={show('available')} note="Settled and ready to use" />
        <Figure label="Incoming" value={show('incoming')} note="Pending payments and credits" />
        <Figure label="Reserved" value={show('held')} note="Pending refunds and payouts" />
      </section>
      <Owed balance={data} />
    </>
  )
}

function Users({ of: { id, status, name } }: { of: Account }) {
  const query = useList(['accounts', id, 'users'], (florin, page, signal) =>
    florin.account.listUsers(page, { account: id, signal }),
  )
  const closed = status === 'closed'
  return (
    <Card title="Users" className="lg:col-span-2">
      <DataList
        label={`Users of ${name}`}
        query={query}
        columns={userColumns}
        folded={foldedUser}
        link={(row) => ({ to: '/users/$id', params: { id: row.id } })}
        empty={{
          title: 'No users',
          text: closed
            ? 'All users were deleted when the account was closed.'
            : 'Invite people from the team settings of the account.',
          action: !closed && (
            <CurlLine
              path="/v1/users"
              body={{ email: 'ada@example.com', password: 'Choose-One-2026' }}
              token="FLORIN_TOKEN"
              account_id={id}
            />
          ),
        }}
      />
    </Card>
  )
}
