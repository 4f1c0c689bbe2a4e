import { useNavigate } from '@tanstack/react-router'
import type { User } from '../../api/api-types.ts'
import { queryClient, sessionQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { useGoToLogin } from '../../frame/use-go-to-login.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import { type UserStatus, user_status_descriptions, user_statuses } from '../admin-labels.ts'

export function RenameUser({ user }: { user: Pick<User, 'id' | 'name'> }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const rename = async (form: FormData) => {
    const name = String(form.get('name')).trim()
    await florin.users.update(user.id, { name: name === '' ? null : name })
    await refresh()
    // The user menu shows the name.
    await queryClient.invalidateQueries(sessionQuery)
    showToast(name === '' ? 'Name removed' : `Name changed to ${name}`)
  }
  return (
    <FormDialog
      native
      trigger="Change name"
      title="Change name"
      action="Save name"
      onSubmit={rename}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={user.name ?? ''}
        maxLength={200}
        autoComplete="off"
        hint="Leave blank to remove"
      />
    </FormDialog>
  )
}

const labels: Record<UserStatus, { trigger: string; done: string }> = {
  active: { trigger: 'Activate', done: 'is active' },
  suspended: { trigger: 'Suspend', done: 'is suspended and logged out everywhere' },
  pending: { trigger: 'Set to pending', done: 'is pending and logged out everywhere' },
}

/** One button for each status that the user does not have. */
export function ChangeUserStatus({ user }: { user: User }) {
  return user_statuses
    .filter((status) => status !== user.status)
    .map((status) => <ChangeTo key={status} user={user} status={status} />)
}

function ChangeTo({ user, status }: { user: User; status: UserStatus }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { trigger, done } = labels[status]
  const good = status === 'active'
  const change = async () => {
    await florin.users.update(user.id, { status })
    await refresh()
    showToast(`${user.email} ${done}`)
  }
  return (
    <ConfirmDialog
      trigger={trigger}
      tone={status === 'suspended' ? 'danger' : 'plain'}
      title={status === 'pending' ? `Set ${user.email} to pending?` : `${trigger} ${user.email}?`}
      action={trigger}
      action_tone={good ? 'primary' : 'danger'}
      onConfirm={change}
    >
      A user who is {status} {user_status_descriptions[status]} You can change the status again, but
      this does not restore ended sessions or revoked keys.
    </ConfirmDialog>
  )
}

export function DeleteUser({ user, self }: { user: User; self: boolean }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const leave = useGoToLogin()
  const hasPage = useHasPage()
  const remove = async () => {
    await florin.users.delete(user.id)
    if (self) return leave()
    // An owner may delete members but not view the list of all users.
    await navigate({ to: hasPage('/users') ? '/users' : '/settings' })
    await refresh()
    showToast(`${user.email} deleted`, 'The email address can be used again.')
  }
  return (
    <ConfirmDialog
      trigger="Delete user"
      tone="danger"
      title={self ? 'Delete your own user?' : `Delete ${user.email}?`}
      action="Delete user"
      onConfirm={remove}
    >
      {self ? 'Your' : 'Their'} sessions end and {self ? 'your' : 'their'} API keys are revoked
      immediately. This cannot be undone.
      {self && ' You will be logged out.'}
    </ConfirmDialog>
  )
}
