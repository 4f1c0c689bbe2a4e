import type { Payout } from '../../api/api-types.ts'
import { useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { accountNumberText } from '../../parts/account-number.tsx'
import type { Tone } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useAccountOption } from '../transactions/transaction-related.ts'

interface PayoutProps {
  payout: Payout
}

export function PayoutActions({ payout }: PayoutProps) {
  const user = useUser()
  const { status } = payout
  const approves = user.may.includes('approve_payout') && payout.created_by !== user.id
  const resolves = user.may.includes('resolve_payout')
  const is_open = status === 'pending_approval' || status === 'approved'
  return (
    <>
      {is_open && user.may.includes('cancel_payout') && <Cancel payout={payout} />}
      {status === 'pending_approval' && approves && <Approve payout={payout} />}
      {status === 'in_transit' && resolves && <Resolve payout={payout} as="failed" />}
      {status === 'in_transit' && resolves && <Resolve payout={payout} as="paid" />}
      {status === 'paid' && resolves && <Resolve payout={payout} as="returned" />}
    </>
  )
}

function Approve({ payout }: PayoutProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const on = useAccountOption(payout)
  const money = useMoneyText()(payout.amount, payout.currency)
  const { name, iban } = payout.destination
  const approve = async () => {
    await florin.payouts.approve(payout.id, on)
    await refresh()
    showToast('Payout approved', 'It will be in the next payment file.')
  }
  return (
    <ConfirmDialog
      trigger="Approve"
      tone="primary"
      title={`Approve this payout of ${money}?`}
      action="Approve payout"
      action_tone="primary"
      onConfirm={approve}
    >
      The money goes to {name}, IBAN {accountNumberText(iban)}. Check with the owner if you do not
      know this bank account: later payouts to it may not need approval.
    </ConfirmDialog>
  )
}

function Cancel({ payout }: PayoutProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const on = useAccountOption(payout)
  const money = useMoneyText()(payout.amount, payout.currency)
  const cancel = async () => {
    await florin.payouts.cancel(payout.id, on)
    await refresh()
    showToast(`Payout of ${money} canceled`)
  }
  return (
    <ConfirmDialog
      trigger="Cancel payout"
      title={`Cancel this payout of ${money}?`}
      action="Cancel payout"
      action_tone="danger"
      dismiss="Keep it"
      onConfirm={cancel}
    >
      The amount is available again. This cannot be undone.
    </ConfirmDialog>
  )
}

const outcomes = {
  paid: {
    trigger: 'Mark as paid',
    tone: 'primary',
    text: 'Do this only if the bank has paid it and no imported statement shows it.',
  },
  failed: {
    trigger: 'Mark as failed',
    tone: 'plain',
    text: 'Do this only if the bank has rejected it: the amount is available again.',
  },
  returned: {
    trigger: 'Mark as returned',
    tone: 'plain',
    text: 'Do this only if the money has come back: the amount is available again.',
  },
} as const satisfies Record<string, { trigger: string; tone: Tone; text: string }>

function Resolve({ payout, as }: PayoutProps & { as: keyof typeof outcomes }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const on = useAccountOption(payout)
  const money = useMoneyText()(payout.amount, payout.currency)
  const { trigger, tone, text } = outcomes[as]
  const resolve = async () => {
    await florin.payouts.resolve(payout.id, { status: as }, on)
    await refresh()
    showToast(`Payout marked as ${as}`)
  }
  return (
    <ConfirmDialog
      trigger={trigger}
      tone={tone}
      title={`${trigger}: ${money}?`}
      action={trigger}
      action_tone={as === 'paid' ? 'primary' : 'danger'}
      onConfirm={resolve}
    >
      {text} This cannot be undone.
    </ConfirmDialog>
  )
}
