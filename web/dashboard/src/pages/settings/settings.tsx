import { useAccount } from '../../api/account-settings.ts'
import type { Account } from '../../api/api-types.ts'
import { useAccountId, useUser } from '../../api/use-florin.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { accountFacts } from '../accounts/account-facts.tsx'
import { account_status_descriptions } from '../admin-labels.ts'
import { RenameUser } from '../users/user-actions.tsx'
import { ChangePassword } from './change-password.tsx'
import { ChangeSettings } from './change-settings.tsx'
import { Members } from './members.tsx'
import { ReturnOrigins } from './return-origins.tsx'

export function SettingsPage() {
  const id = useAccountId()
  const { data, isLoadingError, error, refetch } = useAccount()
  const { may } = useUser()
  if (id === undefined) return <OwnSettings />
  const is_open = data !== undefined && data.status !== 'closed'
  const can_change = is_open && may.includes('update_account')
  return (
    <>
      <PageHeader
        title="Settings"
        actions={can_change && <ChangeSettings key={id} account={data} />}
      />
      {isLoadingError ? (
        <Failure error={error} retry={() => refetch()} />
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Card title="Account">
            {data ? <AccountSummary account={data} /> : <LoadingSkeleton />}
          </Card>
          <div className="flex min-w-0 flex-col gap-4">
            <Profile />
            {is_open && may.includes('manage_return_origins') && <ReturnOrigins key={id} />}
          </div>
          {data && <Members key={id} of={data} />}
        </div>
      )}
    </>
  )
}

/** Without a selected account only the user's own profile is shown. */
function OwnSettings() {
  const sees_accounts = useUser().may.includes('retrieve_account')
  return (
    <>
      {sees_accounts ? (
        <ChooseAccount title="Settings" what="Settings" />
      ) : (
        <PageHeader title="Settings" />
      )}
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Profile />
      </div>
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

function AccountSummary({ account }: { account: Account }) {
  const { name, status } = account
  return (
    <>
      {status !== 'active' && (
        <p className="mb-3 rounded-lg bg-amber-soft p-3 text-amber">
          {account_status_descriptions[status]}
        </p>
      )}
      <Facts
        facts={[
          [
            'Name',
            <span key="name" className="wrap-anywhere">
              {name}
            </span>,
          ],
          ['Status', <Status key="status" of={status} />],
          ...accountFacts(account),
        ]}
      />
    </>
  )
}

/** The logged-in user, independent of the selected account. */
function Profile() {
  const { id, email, name, may } = useUser()
  return (
    <Card title="Your profile">
      <Facts
        facts={[
          [
            'Email',
            <span key="email" className="wrap-anywhere">
              {email}
            </span>,
          ],
          ['Name', name ?? '—'],
        ]}
      />
      {may.includes('update_user') && (
        <div className="mt-4 flex flex-wrap gap-2">
          <RenameUser user={{ id, name }} />
          <ChangePassword />
        </div>
      )}
    </Card>
  )
}
