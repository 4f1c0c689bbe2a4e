import type { Dispute } from '../../api/api-types.ts'
import { useFlorin, useMode, useRefresh, useUser } from '../../api/use-florin.ts'
import { buttonClass } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { useAccountOption } from '../transactions/transaction-related.ts'

interface DisputeProps {
  dispute: Dispute
}

/** A provider takes evidence on its own page. In the sandbox the user plays the bank. */
export function DisputeActions({ dispute }: DisputeProps) {
  const { status, provider } = dispute
  const { may } = useUser()
  const sandbox = useMode() === 'sandbox'
  if (status === 'won' || status === 'lost') return null
  if (provider !== 'sandbox') return <EvidenceLink dispute={dispute} />
  if (!sandbox || !may.includes('resolve_dispute')) return null
  return (
    <>
      <Resolve dispute={dispute} as="won" />
      <Resolve dispute={dispute} as="lost" />
    </>
  )
}

function EvidenceLink({ dispute: { evidence_url, provider, status } }: DisputeProps) {
  if (evidence_url === null) return null
  const is_due = status === 'needs_response'
  return (
    <a
      href={evidence_url}
      target="_blank"
      rel="noreferrer"
      className={buttonClass(is_due ? 'primary' : 'plain')}
    >
      {is_due ? 'Submit evidence' : 'View'} at {providerName(provider)}
      <span className="sr-only"> in a new tab</span>
    </a>
  )
}

function Resolve({ dispute, as }: DisputeProps & { as: 'won' | 'lost' }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const on = useAccountOption(dispute)
  const money = useMoneyText()(dispute.amount, dispute.currency)
  const won = as === 'won'
  const action = won ? 'Win dispute' : 'Lose dispute'
  const resolve = async () => {
    await florin.disputes.resolve(dispute.id, { status: as }, on)
    await refresh()
    showToast(won ? `Dispute won, ${money} returned` : `Dispute of ${money} lost`)
  }
  return (
    <ConfirmDialog
      trigger={action}
      tone={won ? 'plain' : 'danger'}
      title={`${won ? 'Win' : 'Lose'} this dispute of ${money}?`}
      action={action}
      action_tone={won ? 'primary' : 'danger'}
      onConfirm={resolve}
    >
      In the sandbox you decide as the bank would.{' '}
      {won
        ? 'The amount returns to the available balance.'
        : 'The customer keeps the money, and the payment cannot be refunded.'}{' '}
      This cannot be undone.
    </ConfirmDialog>
  )
}
