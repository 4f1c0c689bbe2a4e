import type { Transaction } from '../../api/api-types.ts'
import { useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'

interface ActionProps {
  transaction: Transaction
}

export function CancelTransaction({ transaction }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { may } = useUser()
  const money = useMoneyText()(transaction.amount, transaction.currency)
  const cancel = async () => {
    await florin.transactions.cancel(transaction.id)
    await refresh()
    showToast(`Canceled the ${transaction.type} of ${money}`)
  }
  if (!may.includes('cancel_transaction')) return null
  return (
    <ConfirmDialog
      trigger={`Cancel ${transaction.type}`}
      tone="danger"
      title={`Cancel this ${transaction.type} of ${money}?`}
      action={`Cancel ${transaction.type}`}
      dismiss="Don’t cancel"
      onConfirm={cancel}
    >
      The {transaction.type} will not settle. This cannot be undone.
    </ConfirmDialog>
  )
}
