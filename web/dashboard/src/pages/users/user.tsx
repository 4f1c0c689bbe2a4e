import { getRouteApi } from '@tanstack/react-router'
import type { User } from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { useHasPage } from '../../frame/use-navigation.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { user_status_descriptions } from '../admin-labels.ts'
import { NamedLink } from '../audit/named-link.tsx'
import { ChangeUserStatus, DeleteUser, RenameUser } from './user-actions.tsx'

const route = getRouteApi('/shell/users/$id')

export function UserPage() {
  const { id } = route.useParams()
  const user = useApiQuery(['users', id], (florin, signal) => florin.users.get(id, { signal }))
  if (user.isPending) return <LoadingPage />
  if (user.isLoadingError) {
    return (
      <>
        <PageHeader title="User" />
        <Failure error={user.error} retry={() => user.refetch()} />
      </>
    )
  }
  return <UserView key={id} user={user.data} />
}

function UserView({ user }: { user: User }) {
  const me = useUser()
  const self = me.id === user.id
  return (
    <>
      <ListLink />
      <PageHeader
        title={user.name ?? user.email}
        actions={me.may.includes('update_user') && <RenameUser user={user} />}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{user.name ?? user.email}</span>
          <Status of={user.status} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Card title="Details">
          <Facts facts={useFacts(user)} />
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          {me.may.includes('update_user_status') && <StatusCard user={user} self={self} />}
          {me.may.includes('delete_user') && <DeleteCard user={user} self={self} />}
        </div>
        <DeveloperDetails value={user} label="User as JSON" />
      </div>
    </>
  )
}

/** Leads to the list of users or, for an owner, to the members under Settings. */
function ListLink() {
  const hasPage = useHasPage()
  if (hasPage('/users')) return <BackLink to="/users">Users</BackLink>
  return hasPage('/settings') && <BackLink to="/settings">Settings</BackLink>
}

function useFacts(user: User): [string, React.ReactNode][] {
  const found = useAccountOf(user)
  const account_id = found.data?.data[0]?.account_id
  return [
    [
      'Email',
      <span key="email" className="wrap-anywhere">
        {user.email}
      </span>,
    ],
    ['Name', user.name ?? '—'],
    ['ID', <ShortId key="id" id={user.id} copy />],
    [
      'Account',
      found.isPending ? (
        <span key="wait" className="skeleton inline-block h-3.5 w-24" />
      ) : account_id ? (
        <NamedLink key="account" id={account_id} />
      ) : (
        'None'
      ),
    ],
    ['Created', <When key="created" at={user.created_at} absolute />],
    ['Updated', <When key="updated" at={user.updated_at} absolute />],
  ]
}

/** A user object has no account id; the search endpoint returns it. */
function useAccountOf(user: User) {
  return useApiQuery(
    ['search', user.id],
    (florin, signal) => florin.search.find({ q: user.id }, { signal }),
    { enabled: useUser().may.includes('search') },
  )
}

function StatusCard({ user, self }: { user: User; self: boolean }) {
  return (
    <Card title="Status">
      <p className="mb-4 text-muted">
        {humanize(user.status)}: {user.email} {user_status_descriptions[user.status]}
      </p>
      {self ? (
        <p className="text-muted">You cannot change your own status. Ask an admin.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <ChangeUserStatus user={user} />
        </div>
      )}
    </Card>
  )
}

function DeleteCard({ user, self }: { user: User; self: boolean }) {
  const is_owner = useIsOwner(user)
  const { role } = useUser()
  if (is_owner === undefined) return null
  return (
    <Card title="Delete">
      <p className="mb-4 text-muted last:mb-0">
        {is_owner
          ? 'This user owns an account and cannot be deleted. Close the account instead.'
          : describeDeletion(self)}
        {/* Shown to admins only. */}
        {!is_owner &&
          role === 'admin' &&
          ' The last admin cannot be deleted: create another one first.'}
      </p>
      {!is_owner && <DeleteUser user={user} self={self} />}
    </Card>
  )
}

function describeDeletion(self: boolean): string {
  return self
    ? 'You will be logged out immediately and can no longer log in.'
    : 'The user is logged out immediately and can no longer log in.'
}

/** Whether the user owns an account, which has the owner's email. Undefined while loading. */
function useIsOwner(user: User): boolean | undefined {
  const me = useUser()
  const found = useAccountOf(user)
  const id = found.data?.data[0]?.account_id
  const may_read = typeof id === 'string' && me.may.includes('retrieve_account_by_id')
  const account = useApiQuery(
    ['accounts', id],
    (florin, signal) => florin.accounts.get(id!, { signal }),
    { enabled: may_read },
  )
  if (me.id === user.id) return me.role === 'owner'
  // Without access to accounts the user can only delete own members; the server rejects the rest.
  if (found.isLoading || account.isLoading) return undefined
  return account.data?.email === user.email
}
