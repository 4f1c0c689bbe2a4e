import type { LinkProps } from '@tanstack/react-router'
import type { Account, AccountUser } from '../../api/api-types.ts'
import { useFlorin, useList, useRefresh, useUser } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { humanize, roleName } from '../../parts/status.tsx'
import { showToast } from '../../parts/toast.tsx'
import { userColumns } from '../users/users.tsx'
import { ChangeRole } from './change-role.tsx'
import { InviteMember } from './invitations.tsx'

/** The users who can log in to the account. */
export function Members({ of: account }: { of: Account }) {
  const { may } = useUser()
  const query = useList(['account users'], (florin, page, signal) =>
    florin.account.listUsers(page, { signal }),
  )
  // Users who may add members may also open their pages.
  const manages = may.includes('create_user')
  const removes = manages && may.includes('delete_user')
  return (
    <Card
      title="Members"
      className="lg:col-span-2"
      action={
        may.includes('manage_invitations') &&
        account.status !== 'closed' && <InviteMember to={account} />
      }
    >
      <DataList
        label="Members"
        query={query}
        columns={columnsFor({ removes, changes_roles: may.includes('change_role') })}
        folded={foldedMember}
        {...(manages ? { link: linkToUser } : {})}
        empty={{ title: 'No members', text: 'Users who can log in to this account appear here.' }}
      />
    </Card>
  )
}

function foldedMember({ name, status }: AccountUser) {
  return [name, humanize(status)].filter((part) => part !== null).join(' · ')
}

function linkToUser({ id }: AccountUser): LinkProps {
  return { to: '/users/$id', params: { id } }
}

function columnsFor(may: { removes: boolean; changes_roles: boolean }): Column<AccountUser>[] {
  // The actions need the space of the other columns.
  const rest = userColumns
    .filter(({ name }) => name === 'Name' || name === 'Status')
    .map((column) => ({ ...column, from: 'md' as const }))
  const email: Column<AccountUser> = { name: 'Email', cell: (row) => <MemberName of={row} /> }
  const actions: Column<AccountUser> = {
    name: 'Actions',
    align: 'right',
    cell: (row) =>
      row.role !== 'owner' && (
        <span className="flex flex-wrap justify-end gap-2">
          {may.changes_roles && <ChangeRole of={row} />}
          {may.removes && <RemoveMember member={row} />}
        </span>
      ),
  }
  return [email, ...rest, ...(may.removes || may.changes_roles ? [actions] : [])]
}

function MemberName({ of: { id, email, role } }: { of: AccountUser }) {
  const self = useUser().id === id
  const badges = [role !== 'member' && roleName(role), self && 'You'].filter(
    (badge) => badge !== false,
  )
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="wrap-anywhere">{email}</span>
      {badges.map((badge) => (
        <span
          key={badge}
          className="rounded-full bg-brand-soft px-2 py-0.5 text-xs font-medium text-brand"
        >
          {badge}
        </span>
      ))}
    </span>
  )
}

function RemoveMember({ member }: { member: AccountUser }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const remove = async () => {
    await florin.users.delete(member.id)
    await refresh()
    showToast(`${member.email} removed`, 'The email address can be used again.')
  }
  return (
    <ConfirmDialog
      trigger="Remove"
      title={`Remove ${member.email}?`}
      action="Remove member"
      onConfirm={remove}
    >
      They are logged out immediately and can no longer log in. This cannot be undone. If you invite
      them again, they become a new member.
    </ConfirmDialog>
  )
}
