import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Card, Figure, Figures } from '../../parts/card.tsx'
import { Change } from '../../parts/change.tsx'
import { EmptyState } from '../../parts/data-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { CreateAccount } from '../accounts/create-account.tsx'
import { LatestTransactions } from './home-latest.tsx'

/** Home for admins: volume, failures and growth of all accounts, and the newest accounts. */
export function AllAccounts() {
  const { may } = useUser()
  return (
    <>
      <PageHeader title="Home" actions={may.includes('create_account') && <CreateAccount />} />
      <OverviewCards />
    </>
  )
}

function OverviewCards() {
  const overview = useApiQuery(['overview'], (florin, signal) =>
    florin.accounts.getOverview({ signal }),
  )
  if (overview.isLoadingError) {
    return <Failure error={overview.error} retry={() => overview.refetch()} />
  }
  return (
    <>
      <Totals overview={overview.data} />
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          <Card title="Volume by currency">
            <Volumes volumes={overview.data?.volumes} />
          </Card>
          <NewestAccounts accounts={overview.data?.newest_accounts} />
        </div>
        <LatestTransactions />
      </div>
    </>
  )
}

const last_days = 'Last 30 days'

function Totals({ overview }: { overview: Overview | undefined }) {
  const { totals, previous } = overview ?? {}
  const note = (now = 0, before = 0) => (
    <>
      {last_days} <Change now={now} before={before} />
    </>
  )
  return (
    <Figures label="All accounts">
      <Figure
        label="New accounts"
        value={totals?.accounts_created ?? '—'}
        note={note(totals?.accounts_created, previous?.accounts_created)}
      />
      <Figure
        label="Succeeded transactions"
        value={totals?.succeeded ?? '—'}
        note={note(totals?.succeeded, previous?.succeeded)}
      />
      <Figure label="Failed transactions" value={totals?.failed ?? '—'} note={last_days} />
    </Figures>
  )
}

function Volumes({ volumes }: { volumes: Overview['volumes'] | undefined }) {
  if (volumes === undefined) return <LoadingRows />
  if (volumes.length === 0) {
    return <EmptyState title="No transactions yet" text={`${last_days}, over all accounts.`} />
  }
  return (
    <Rows>
      {volumes.map(({ currency, in: paid, out, previous_in }) => (
        <Row
          key={currency}
          name={currency}
          note={
            <>
              <Money amount={out} currency={currency} /> refunded
            </>
          }
        >
          <Money amount={paid} currency={currency} /> <Change now={paid} before={previous_in} />
        </Row>
      ))}
    </Rows>
  )
}

// About as high as the volumes next to them.
const shown_accounts = 5

function NewestAccounts({ accounts }: { accounts: Overview['newest_accounts'] | undefined }) {
  const hasPage = useHasPage()
  const is_empty = accounts?.length === 0
  return (
    <Card
      title="Newest accounts"
      action={
        !is_empty &&
        hasPage('/accounts') && (
          <Link to="/accounts" className="font-semibold text-brand hover:underline">
            View all
          </Link>
        )
      }
    >
      {accounts === undefined && <LoadingRows />}
      {is_empty && (
        <EmptyState title="No accounts yet" text="Accounts receive payments. Create the first." />
      )}
      <Rows>
        {accounts?.slice(0, shown_accounts).map((account) => (
          <Row
            key={account.id}
            name={
              <Link
                to="/"
                search={{ account: account.id } as never}
                className="font-medium wrap-anywhere text-brand hover:underline"
              >
                {account.name}
              </Link>
            }
            note={
              <span className="line-clamp-1 break-all" title={account.email}>
                {account.email}
              </span>
            }
          >
            <Status of={account.status} />{' '}
            <span className="text-muted max-sm:hidden">
              <When at={account.created_at} />
            </span>
          </Row>
        ))}
      </Rows>
    </Card>
  )
}

function Rows({ children }: { children: ReactNode }) {
  return <ul>{children}</ul>
}

function Row(props: { name: ReactNode; note: ReactNode; children: ReactNode }) {
  return (
    <li
      className="flex min-h-12 items-center justify-between gap-4 border-t border-line py-1.5
 first:border-0"
    >
      <span className="min-w-0">
        <span className="block">{props.name}</span>
        <span className="block text-xs wrap-anywhere text-muted">{props.note}</span>
      </span>
      <span className="figures flex shrink-0 items-baseline gap-2">{props.children}</span>
    </li>
  )
}

function LoadingRows() {
  return (
    <div aria-busy="true" role="status">
      <span className="sr-only">Loading</span>
      <div className="skeleton h-48 opacity-40" />
    </div>
  )
}
