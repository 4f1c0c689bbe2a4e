import type { Subscription } from '../../api/api-types.ts'
import { useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

interface ActionProps {
  subscription: Subscription
}

export function PauseSubscription({ subscription }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { may } = useUser()
  const pause = async () => {
    await florin.subscriptions.update(subscription.id, { status: 'paused' })
    await refresh()
    showToast('Subscription paused', 'No payment requests are created until you resume it.')
  }
  if (!may.includes('update_subscription')) return null
  return (
    <ConfirmDialog
      trigger="Pause"
      title="Pause this subscription?"
      action="Pause subscription"
      action_tone="primary"
      onConfirm={pause}
    >
      No payment requests are created until you resume it, and paused periods are skipped. Existing
      requests stay open.
    </ConfirmDialog>
  )
}

export function ResumeSubscription({ subscription }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { may } = useUser()
  const resume = async () => {
    await florin.subscriptions.update(subscription.id, { status: 'active' })
    await refresh()
    showToast('Subscription resumed', 'The next period creates the next payment request.')
  }
  if (!may.includes('update_subscription')) return null
  return (
    <ConfirmDialog
      trigger="Resume"
      tone="primary"
      title="Resume this subscription?"
      action="Resume subscription"
      action_tone="primary"
      onConfirm={resume}
    >
      Payment requests are created from the next period on, on the original schedule.
    </ConfirmDialog>
  )
}

export function CancelSubscription({ subscription }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { may } = useUser()
  const cancel = async () => {
    await florin.subscriptions.cancel(subscription.id)
    await refresh()
    showToast('Subscription canceled', 'It creates no more payment requests.')
  }
  if (!may.includes('cancel_subscription')) return null
  return (
    <ConfirmDialog
      trigger="Cancel subscription"
      tone="danger"
      dismiss="Don’t cancel"
      title="Cancel this subscription?"
      action="Cancel subscription"
      onConfirm={cancel}
    >
      The subscription ends immediately. This cannot be undone. Existing requests stay open: cancel
      those that should not be paid.
    </ConfirmDialog>
  )
}
