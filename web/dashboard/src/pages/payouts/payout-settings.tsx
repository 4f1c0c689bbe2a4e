import { type ReactNode, useState } from 'react'
import { formatAmountInput, parseAmount } from '../../../../../src/primitives/typed-amount.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { PayoutSettings } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { AccountNumber, accountNumberText } from '../../parts/account-number.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'

export function usePayoutSettings() {
  return useApiQuery(['payout settings'], (florin, signal) =>
    florin.account.getPayoutSettings({ signal }),
  )
}

/** Where the money goes, and when a second person must approve. */
export function PayoutSettingsCard() {
  const settings = usePayoutSettings()
  const { may } = useUser()
  const money = useMoneyText()
  const { currency = 'USD' } = useAccountSettings()
  if (settings.isPending) return <LoadingCard />
  if (settings.isLoadingError) {
    return (
      <Card title="Destination">
        <Failure error={settings.error} retry={() => settings.refetch()} />
      </Card>
    )
  }
  const { destination, approval_limit, next_needs_approval } = settings.data
  const approval =
    destination === null
      ? 'The first payout to a destination'
      : next_needs_approval
        ? 'The next payout, because the destination is new'
        : approval_limit === null
          ? 'Not needed'
          : approval_limit === 0
            ? 'Every payout'
            : `Above ${money(approval_limit, currency)} in 24 hours`
  return (
    <Card title="Destination">
      {destination === null && (
        <p className="mb-1 text-muted">
          No bank account is set. Payouts need one that gets the money.
        </p>
      )}
      <Facts facts={[...destinationFacts(destination), ['Approval', approval]]} />
      <div className="mt-3 flex flex-wrap gap-2">
        {may.includes('change_payout_destination') && <ChangeDestination of={settings.data} />}
        {may.includes('change_payout_limit') && <ChangeLimit of={settings.data} />}
      </div>
    </Card>
  )
}

type Destination = PayoutSettings['destination']

function destinationFacts(destination: Destination): [string, ReactNode][] {
  if (destination === null) return []
  const { name, iban, bic } = destination
  return [
    ['Account holder', name],
    ['IBAN', <AccountNumber key="iban" of={iban} />],
    ...(bic ? ([['BIC', bic]] as [string, ReactNode][]) : []),
  ]
}

/** As high as the card with a destination, so that the list below does not move. */
function LoadingCard() {
  return (
    <Card title="Destination">
      <div className="skeleton h-44 opacity-40" aria-busy="true" />
    </Card>
  )
}

function ChangeDestination({ of: { destination } }: { of: PayoutSettings }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [error, setError] = useState<{ field: string; text: string }>()
  const errorAt = (field: string) => (error?.field === field ? error.text : undefined)
  const submit = async (form: FormData) => {
    setError(undefined)
    const read = (name: string) => String(form.get(name)).trim()
    const bic = read('bic') || null
    await florin.account.changePayoutDestination({ name: read('name'), iban: read('iban'), bic })
    await refresh()
    showToast('Destination changed', 'The next payout needs approval.')
  }
  return (
    <FormDialog
      trigger={destination === null ? 'Set destination' : 'Change destination'}
      title="Payout destination"
      text={
        'The owner gets an email, and the next payout needs approval. Payouts that exist keep ' +
        'their destination.'
      }
      tone={destination === null ? 'primary' : 'plain'}
      action="Save destination"
      native
      onOpen={() => setError(undefined)}
      showErrorAtField={(rejected) => {
        const text = reasonOf(rejected)
        const field = /^"(name|iban|bic)"/.exec(text)?.[1]
        setError(field === undefined ? undefined : { field, text })
        return field !== undefined
      }}
      onSubmit={submit}
    >
      <Field
        label="Account holder"
        name="name"
        required
        maxLength={70}
        autoComplete="off"
        defaultValue={destination?.name}
        hint="As the bank knows it."
        error={errorAt('name')}
      />
      <Field
        label="IBAN"
        name="iban"
        required
        maxLength={50}
        autoComplete="off"
        spellCheck={false}
        defaultValue={destination === null ? '' : accountNumberText(destination.iban)}
        error={errorAt('iban')}
      />
      <Field
        label="BIC"
        name="bic"
        maxLength={20}
        autoComplete="off"
        spellCheck={false}
        defaultValue={destination?.bic ?? ''}
        hint="Optional."
        error={errorAt('bic')}
      />
    </FormDialog>
  )
}

function ChangeLimit({ of: { approval_limit: limit } }: { of: PayoutSettings }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { currency = 'USD', language } = useAccountSettings()
  const submit = async (form: FormData) => {
    const text = String(form.get('limit')).trim()
    const approval_limit = /^0+([.,]0*)?$/.test(text) ? 0 : parseAmount(text, currency, language)
    if (text !== '' && approval_limit === undefined) throw new Error('Enter an amount, or nothing.')
    await florin.account.changePayoutLimit({ approval_limit: approval_limit ?? null })
    await refresh()
    showToast('Limit changed')
  }
  return (
    <FormDialog
      trigger="Change limit"
      title="Payouts without approval"
      text="Payouts need approval once their total within 24 hours exceeds this amount."
      action="Save limit"
      onSubmit={submit}
    >
      <Field
        label={`Limit in ${currency}`}
        name="limit"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={limit === null ? '' : formatAmountInput(limit, currency, language)}
        hint="0: every payout needs approval. Empty: the default of this server."
      />
    </FormDialog>
  )
}
