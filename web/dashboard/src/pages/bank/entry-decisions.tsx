// Decisions about an open bank entry: match it with a payment request, ignore it, reopen it.

import { useState } from 'react'
import type { BankEntry } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showErrorToast, showToast } from '../../parts/toast.tsx'
import { describeReasons, isIncoming } from './entry-text.ts'

type Proposal = BankEntry['proposals'][number]

interface ProposalProps {
  entry: BankEntry
  proposal: Proposal
}

export function ProposalLine({ entry, proposal }: ProposalProps) {
  const money = useMoneyText()
  const { payment_id, reasons, difference } = proposal
  const by = difference === null ? '' : money(Math.abs(difference), entry.currency)
  const requested =
    difference === null ? '' : `${money(entry.amount - difference, entry.currency)} requested`
  // The id alone is not enough to decide.
  const { data } = useApiQuery(['payments', payment_id], (florin, signal) =>
    florin.payments.get(payment_id, { signal }),
  )
  const about = [requested, data?.customer_email, data?.reference].filter(Boolean)
  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <span className="min-w-0 wrap-anywhere">
        <IdLink id={payment_id} to="/payments/$id" />
        {about.length > 0 && <span className="block">{about.join(' · ')}</span>}
        <span className="block text-sm text-muted">{describeReasons(reasons, by)}</span>
      </span>
      <Match entry={entry} proposal={proposal} />
    </li>
  )
}

type Late = 'refund' | 'keep'

function useMatch({ id }: BankEntry) {
  const florin = useFlorin()
  const refresh = useRefresh()
  return async (payment_id: string, late?: Late) => {
    await florin.bankEntries.match(id, { payment_id, ...(late && { late }) })
    await refresh()
    showToast('Entry matched', 'Its money is recorded within seconds.')
  }
}

function useMayDecide(): boolean {
  return useUser().may.includes('manage_bank_statements')
}

/** A request that is open and has this amount is matched at once; others are explained first. */
function Match({ entry, proposal }: ProposalProps) {
  const match = useMatch(entry)
  const [busy, setBusy] = useState(false)
  const { payment_id, reasons, difference } = proposal
  if (!useMayDecide() || !isIncoming(entry) || difference === null) return null
  const has_ended = reasons.some((one) => one === 'late' || one === 'already_paid')
  if (!entry.is_complete) return <MatchIncomplete entry={entry} payment_id={payment_id} />
  if (difference !== 0 || has_ended) {
    return (
      <ConfirmDialog
        trigger="Match"
        title="Match this entry?"
        action="Match"
        action_tone="primary"
        onConfirm={() => match(payment_id)}
      >
        {difference > 0 && !has_ended
          ? 'The request is paid. What is left over is a late payment.'
          : has_ended
            ? 'The request has ended, so all of the money is a late payment.'
            : 'The amount is too small: the request stays unpaid, and the money is a late payment.'}
        {late_payments}
      </ConfirmDialog>
    )
  }
  const matchNow = async () => {
    setBusy(true)
    try {
      await match(payment_id)
    } catch (error) {
      showErrorToast('The entry was not matched', reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button tone="primary" disabled={busy} onClick={matchNow}>
      Match
    </Button>
  )
}

const late_payments = ' The server refunds or keeps late payments, as it is configured.'

/** Several payers may have sent the money, so the server does not choose what happens to it. */
function MatchIncomplete({ entry, payment_id }: { entry: BankEntry; payment_id: string }) {
  const match = useMatch(entry)
  const [late, setLate] = useState<Late>('keep')
  return (
    <FormDialog
      trigger="Match"
      tone="primary"
      title="Match this entry?"
      text="A request that is open is paid if the amount is enough. The rest is a late payment."
      action="Match"
      onSubmit={() => match(payment_id, late)}
    >
      <LateChoice value={late} onChange={setLate} />
    </FormDialog>
  )
}

interface LateChoiceProps {
  value: Late
  onChange: (late: Late) => void
}

function LateChoice(props: LateChoiceProps) {
  return (
    <div className="grid gap-1.5">
      <ChoiceField label="Late payment" choices={late_choices} {...props} />
      <p className="text-sm text-muted">
        The transfers in this entry do not add up to its amount, so it may have several payers.
        Return at your bank what does not belong to the request.
      </p>
    </div>
  )
}

const late_choices: Record<Late, string> = { keep: 'Keep', refund: 'Refund' }

/** For a payer who wrote neither the reference nor the amount. */
export function MatchOther({ entry }: { entry: BankEntry }) {
  const match = useMatch(entry)
  const [late, setLate] = useState<Late>('keep')
  if (!useMayDecide() || !isIncoming(entry)) return null
  return (
    <FormDialog
      trigger="Match another"
      title="Match a payment request"
      text={
        'A request that is open is paid if the amount is enough. Otherwise, and with what is ' +
        `left over, the money is a late payment.${entry.is_complete ? late_payments : ''}`
      }
      action="Match request"
      native
      onSubmit={(form) =>
        match(String(form.get('payment_id')).trim(), entry.is_complete ? undefined : late)
      }
    >
      <Field
        label="Payment request"
        name="payment_id"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="pay_…"
        hint="Its ID, from the page of the payment request."
      />
      {!entry.is_complete && <LateChoice value={late} onChange={setLate} />}
    </FormDialog>
  )
}

/** For a debit without an id, and for a return that the bank has not marked. */
export function MatchOutgoing({ entry: { id, direction } }: { entry: BankEntry }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  if (!useMayDecide()) return null
  const match = async (form: FormData) => {
    const [target, note] = ['target', 'note'].map((name) => String(form.get(name)).trim())
    const named = target!.startsWith('txn_') ? { transaction_id: target! } : { payout_id: target! }
    await florin.bankEntries.match(id, { ...named, ...(note && { note }) })
    await refresh()
    showToast('Entry matched', 'It is recorded within seconds.')
  }
  return (
    <Card
      title="Payouts and refunds"
      action={
        <FormDialog
          trigger="Match a payout"
          title="Match a payout or refund"
          text={
            direction === 'debit'
              ? 'This entry pays it, so both must have the same amount.'
              : 'Its amount becomes available to the account again. If this entry has less, the ' +
                'rest is a fee of the bank, which the account does not pay.'
          }
          action="Match payout"
          native
          onSubmit={match}
        >
          <Field
            label="Payout or refund"
            name="target"
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="po_… or txn_…"
            hint="Its ID, from the page of the payout or of the transaction."
          />
          <Field
            label="Note"
            name="note"
            maxLength={255}
            hint={
              direction === 'debit' ? 'Optional.' : 'Required if less than its amount was returned.'
            }
          />
        </FormDialog>
      }
    >
      <p className="text-muted">
        {direction === 'debit'
          ? 'If this entry pays a payout or a refund without naming it, match it here.'
          : 'If this entry returns a payout or a refund, match it here.'}
      </p>
    </Card>
  )
}

export function Decisions({ entry: { id, status } }: { entry: BankEntry }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  if (!useMayDecide()) return null
  if (status === 'ignored') {
    const reopen = async () => {
      setBusy(true)
      try {
        await florin.bankEntries.reopen(id)
        await refresh()
      } catch (error) {
        showErrorToast('The entry was not reopened', reasonOf(error))
      } finally {
        setBusy(false)
      }
    }
    return (
      <Button disabled={busy} onClick={reopen}>
        Reopen
      </Button>
    )
  }
  if (status !== 'open') return null
  const ignore = async () => {
    await florin.bankEntries.ignore(id)
    await refresh()
    showToast('Entry ignored')
  }
  return (
    <ConfirmDialog
      trigger="Ignore"
      title="Ignore this entry?"
      action="Ignore"
      action_tone="primary"
      onConfirm={ignore}
    >
      It pays nothing here, such as rent or a fee of the bank. You can reopen it.
    </ConfirmDialog>
  )
}
