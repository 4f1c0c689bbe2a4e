import { useNavigate } from '@tanstack/react-router'
import type { User } from '../../api/api-types.ts'
import { queryClient, sessionQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { useGoToLogin } from '../../frame/user-menu.tsx'
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
    // The menu at the top calls whoever is signed in by the name.
    await queryClient.invalidateQueries(sessionQuery)
    showToast(name === '' ? 'The name is gone.' : `The name is now ${name}.`)
  }
  return (
    <FormDialog
      native
      trigger="Change name"
      title="Change the name"
      action="Save name"
      onSubmit={rename}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={user.name ?? ''}
        maxLength={200}
        autoComplete="off"
        hint="Empty takes the name away."
      />
    </FormDialog>
  )
}

const verbs: Record<UserStatus, { trigger: string; done: string }> = {
  active: { trigger: 'Make active', done: 'is active.' },
  suspended: { trigger: 'Suspend', done: 'is suspended and signed out everywhere.' },
  pending: { trigger: 'Make pending', done: 'is pending and signed out everywhere.' },
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
  const { trigger, done } = verbs[status]
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
      title={`${trigger}: ${user.email}?`}
      action={trigger}
      action_tone={good ? 'primary' : 'danger'}
      onConfirm={change}
    >
      A user who is {status} {user_status_descriptions[status]} You can change it again; ended
      sessions and revoked keys stay so.
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
    // An owner deletes members, and may not see the list of all users.
    await navigate({ to: hasPage('/users') ? '/users' : '/settings' })
    await refresh()
    showToast(`${user.email} is deleted.`, 'The email is free again.')
  }
  return (
    <ConfirmDialog
      trigger="Delete user"
      tone="danger"
      title={self ? 'Delete yourself?' : `Delete ${user.email}?`}
      action="Delete user"
      onConfirm={remove}
    >
      Their sessions end and their API keys are revoked at once. This cannot be undone.
      {self && ' You are signed out.'}
    </ConfirmDialog>
  )
}
