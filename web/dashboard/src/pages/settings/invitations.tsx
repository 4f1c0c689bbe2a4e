import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import type { Account, Invitation } from '../../api/api-types.ts'
import { useFlorin, useList, useRefresh, useSendsEmail, useUser } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { roleName } from '../../parts/status.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'
import { InvitationLink } from './invitation-link.tsx'

const route = getRouteApi('/shell/settings/team')

type Role = Invitation['role']

const roles: Record<Role, string> = { member: 'Member', viewer: 'Read-only' }

const abilities: Record<Role, string> = {
  member:
    'Can view everything, and create and cancel payments, payment requests and subscriptions. ' +
    'Cannot change settings, API keys or webhooks.',
  viewer: 'Can view everything that members can, and change nothing.',
}

/** Sends an email with a link. The invited person chooses the password. */
export function InviteMember({ to }: { to: Account }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const nextStep = useNextStep()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const forgetLink = () =>
    navigate({ search: (before) => ({ ...before, create: undefined }), replace: true })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [error, setError] = useState<string>()
  const invite = async () => {
    await florin.account.createInvitation({ email: email.trim(), role })
    await refresh()
    showToast(`${email.trim()} invited`, nextStep)
  }
  return (
    <FormDialog
      trigger="Invite"
      starts_open={create === 'yes'}
      onOpenChange={(open) => void (open || forgetLink())}
      title="Invite to your team"
      text={`The person receives a link to join ${to.name} and chooses a password.`}
      action="Send invitation"
      disabled={email.trim() === ''}
      onOpen={() => {
        setEmail('')
        setRole('member')
        setError(undefined)
      }}
      showErrorAtField={(cause) => {
        const codes = ['invalid_request', 'email_exists']
        const is_about_email = cause instanceof FlorinError && codes.includes(cause.code)
        if (is_about_email) setError(cause.message)
        return is_about_email
      }}
      onSubmit={invite}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        maxLength={254}
        value={email}
        error={error}
        onChange={(event) => {
          setEmail(event.target.value)
          setError(undefined)
        }}
      />
      <ChoiceField label="Role" value={role} choices={roles} onChange={setRole} />
      <p className="text-muted">{abilities[role]}</p>
    </FormDialog>
  )
}

/** Without a mail server an admin passes the link on. */
function useNextStep(): string {
  const { may } = useUser()
  const sends_email = useSendsEmail()
  if (sends_email) return 'The link works once, for 7 days.'
  return may.includes('read_emails')
    ? 'No mail server is configured. Copy the link from the list below.'
    : 'No mail server is configured. Ask an admin for the link.'
}

/** Invitations that were neither accepted nor expired. */
export function Invitations() {
  const query = useList(['invitations'], (florin, page, signal) =>
    florin.account.listInvitations(page, { signal }),
  )
  return (
    <Card title="Invitations" className="lg:col-span-2">
      <DataList
        label="Invitations"
        query={query}
        columns={columns}
        folded={foldedInvitation}
        empty={{ title: 'No open invitations', text: 'People you invite appear here.' }}
      />
    </Card>
  )
}

function foldedInvitation({ role, expires_at }: Invitation) {
  return (
    <>
      {roleName(role)} · expires <When at={expires_at} />
    </>
  )
}

const columns: Column<Invitation>[] = [
  { name: 'Email', cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
  { name: 'Role', from: 'md', cell: ({ role }) => roleName(role) },
  { name: 'Expires', from: 'md', cell: ({ expires_at }) => <When at={expires_at} /> },
  {
    name: 'Actions',
    align: 'right',
    cell: (row) => (
      <span className="flex flex-wrap justify-end gap-2">
        <InvitationLink id={row.id} email={row.email} />
        <Revoke invitation={row} />
      </span>
    ),
  },
]

function Revoke({ invitation: { id, email } }: { invitation: Invitation }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const revoke = async () => {
    await florin.account.revokeInvitation(id)
    await refresh()
    showToast('Invitation revoked', `The link sent to ${email} no longer works.`)
  }
  return (
    <ConfirmDialog
      trigger="Revoke"
      title={`Revoke the invitation of ${email}?`}
      action="Revoke invitation"
      onConfirm={revoke}
    >
      The link stops working. You can invite the person again.
    </ConfirmDialog>
  )
}
