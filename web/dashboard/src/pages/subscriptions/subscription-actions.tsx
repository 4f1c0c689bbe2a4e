import type { Subscription } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

interface ActionProps {
  subscription: Subscription
}

export function PauseSubscription({ subscription }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const pause = async () => {
    await florin.subscriptions.update(subscription.id, { status: 'paused' })
    await refresh()
    showToast('The subscription is paused.', 'It asks for nothing until it is resumed.')
  }
  return (
    <ConfirmDialog
      trigger="Pause"
      title="Pause this subscription?"
      action="Pause subscription"
      action_tone="primary"
      onConfirm={pause}
    >
      It asks for nothing until it is resumed. Periods that pass meanwhile are not made up for.
      Requests that were made already stay as they are.
    </ConfirmDialog>
  )
}

export function ResumeSubscription({ subscription }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const resume = async () => {
    await florin.subscriptions.update(subscription.id, { status: 'active' })
    await refresh()
    showToast('The subscription is active again.', 'Its next period asks for the next payment.')
  }
  return (
    <ConfirmDialog
      trigger="Resume"
      tone="primary"
      title="Resume this subscription?"
      action="Resume subscription"
      action_tone="primary"
      onConfirm={resume}
    >
      It asks again from the next period on, on the days that it always had.
    </ConfirmDialog>
  )
}

export function CancelSubscription({ subscription }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const cancel = async () => {
    await florin.subscriptions.cancel(subscription.id)
    await refresh()
    showToast('The subscription is canceled.', 'It asks for nothing anymore.')
  }
  return (
    <ConfirmDialog
      trigger="Cancel subscription"
      tone="danger"
      dismiss="Don’t cancel"
      title="Cancel this subscription?"
      action="Cancel subscription"
      onConfirm={cancel}
    >
      It ends at once and for good. Requests that were made already stay as they are: cancel those
      that nobody should pay.
    </ConfirmDialog>
  )
}
