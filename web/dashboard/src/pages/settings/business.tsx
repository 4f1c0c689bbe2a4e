import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../../api/account-settings.ts'
import type { Account } from '../../api/api-types.ts'
import { useAccountId, useUser } from '../../api/use-florin.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Status } from '../../parts/status.tsx'
import { CloseAccount } from '../accounts/account-actions.tsx'
import { accountFacts } from '../accounts/account-facts.tsx'
import { account_status_descriptions } from '../admin-labels.ts'
import { ChangeSettings } from './change-settings.tsx'

export function BusinessSection() {
  const id = useAccountId()
  const { data, isLoadingError, error, refetch } = useAccount()
  const { may } = useUser()
  if (id === undefined) return <Navigate to="/settings/profile" replace />
  if (isLoadingError) return <Failure error={error} retry={() => refetch()} />
  const is_open = data !== undefined && data.status !== 'closed'
  const changes = is_open && may.includes('update_account')
  return (
    <>
      <Card title="Account">
        {data ? <AccountSummary account={data} has_form={changes} /> : <LoadingSkeleton />}
      </Card>
      {changes && (
        <Card title="Business details">
          <ChangeSettings key={id} account={data} />
        </Card>
      )}
      {is_open && may.includes('close_account') && (
        <Card title="Close account">
          <p className="mb-4 text-muted">
            Closing is permanent. Users and API keys of the account are deleted; its transactions
            and its ledger are kept.
          </p>
          <CloseAccount account={data} />
        </Card>
      )}
    </>
  )
}

function LoadingSkeleton() {
  return (
    <div aria-busy="true" role="status">
      <span className="sr-only">Loading</span>
      <div className="skeleton h-96 opacity-40" />
    </div>
  )
}

interface SummaryProps {
  account: Account
  /** Whether the form below it has the other details. */
  has_form: boolean
}

const in_form = ['Name', 'Email', 'Time zone', 'Language']

function AccountSummary({ account, has_form }: SummaryProps) {
  const { name, status } = account
  const facts: [string, ReactNode][] = [
    [
      'Name',
      <span key="name" className="wrap-anywhere">
        {name}
      </span>,
    ],
    ['Status', <Status key="status" of={status} />],
    ...accountFacts(account),
  ]
  return (
    <>
      {status !== 'active' && (
        <p className="mb-3 rounded-lg bg-amber-soft p-3 text-amber">
          {account_status_descriptions[status]}
        </p>
      )}
      <Facts facts={facts.filter(([label]) => !has_form || !in_form.includes(label))} />
    </>
  )
}
