import type { Account } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import {
  type AssignableAccountStatus,
  account_status_descriptions,
  assignable_statuses,
} from '../admin-labels.ts'

const verbs: Record<AssignableAccountStatus, string> = {
  active: 'Make active',
  suspended: 'Suspend',
  pending: 'Make pending',
}

/** One button for each status that the account does not have. */
export function ChangeAccountStatus({ account }: { account: Account }) {
  return assignable_statuses
    .filter((status) => status !== account.status)
    .map((status) => <ChangeTo key={status} account={account} status={status} />)
}

function ChangeTo({ account, status }: { account: Account; status: AssignableAccountStatus }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const good = status === 'active'
  const change = async () => {
    await florin.accounts.update(account.id, { status })
    await refresh()
    showToast(`${account.name} is ${status}.`)
  }
  return (
    <ConfirmDialog
      trigger={verbs[status]}
      title={`${verbs[status]}: ${account.name}?`}
      action={verbs[status]}
      action_tone={good ? 'primary' : 'danger'}
      onConfirm={change}
    >
      {account_status_descriptions[status]} You can change it again at any time.
    </ConfirmDialog>
  )
}

export function CloseAccount({ account }: { account: Account }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const close = async () => {
    await florin.account.close({ account: account.id })
    await refresh()
    showToast(`${account.name} is closed.`, 'Its books stay, for admins to see.')
  }
  return (
    <ConfirmDialog
      trigger="Close account"
      tone="danger"
      title={`Close ${account.name} for good?`}
      action="Close account"
      onConfirm={close}
    >
      <p>
        Pending transactions, payment requests and paused subscriptions are canceled. Its people and
        API keys are removed at once. Money that is left stays on the books.
      </p>
      <p className="mt-2">
        This cannot be undone. An active subscription must be canceled first. To stop it for a
        while, suspend it instead.
      </p>
    </ConfirmDialog>
  )
}
