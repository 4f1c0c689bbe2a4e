import type { AccountUser } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

/** Makes a member read-only, or a read-only member a member. */
export function ChangeRole({ of: { id, email, role } }: { of: AccountUser }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const is_viewer = role === 'viewer'
  const change = async () => {
    await florin.account.changeUserRole(id, { role: is_viewer ? 'member' : 'viewer' })
    await refresh()
    showToast(is_viewer ? `${email} is a member` : `${email} is read-only`)
  }
  const action = is_viewer ? 'Make member' : 'Make read-only'
  return (
    <ConfirmDialog
      trigger={action}
      title={is_viewer ? `Make ${email} a member?` : `Make ${email} read-only?`}
      action={action}
      action_tone="primary"
      onConfirm={change}
    >
      {is_viewer
        ? 'They can create and cancel payments, payment requests and subscriptions again.'
        : 'They can view everything that members can, and change nothing.'}{' '}
      They are logged out and have to log in again.
    </ConfirmDialog>
  )
}
