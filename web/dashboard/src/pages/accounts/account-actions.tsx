import type { Account } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import {
  type AssignableAccountStatus,
  account_status_descriptions,
  assignable_statuses,
} from '../admin-labels.ts'

const labels: Record<AssignableAccountStatus, string> = {
  active: 'Activate',
  suspended: 'Suspend',
  pending: 'Set to pending',
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
    showToast(`${account.name} is ${status}`)
  }
  return (
    <ConfirmDialog
      trigger={labels[status]}
      title={
        status === 'pending'
          ? `Set ${account.name} to pending?`
          : `${labels[status]} ${account.name}?`
      }
      action={labels[status]}
      action_tone={good ? 'primary' : 'danger'}
      onConfirm={change}
    >
      {account_status_descriptions[status]} You can change the status again at any time.
    </ConfirmDialog>
  )
}

export function CloseAccount({ account }: { account: Account }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const close = async () => {
    await florin.account.close({ account: account.id })
    await refresh()
    showToast(`${account.name} is closed`, 'Admins can still view its transactions and ledger.')
  }
  return (
    <ConfirmDialog
      trigger="Close account"
      tone="danger"
      title={`Permanently close ${account.name}?`}
      action="Close account"
      onConfirm={close}
    >
      <p>
        Pending transactions, payment requests and paused subscriptions are canceled. Users and API
        keys are deleted immediately. The remaining balance stays in the ledger.
      </p>
      <p className="mt-2">
        This cannot be undone. Cancel active subscriptions first. To block the account temporarily,
        suspend it instead.
      </p>
    </ConfirmDialog>
  )
}
