import { type ReactNode, useState } from 'react'
import {
  amountError,
  formatAmountInput,
  parseAmount,
} from '../../../../../src/primitives/typed-amount.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Account, TransferFee } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'
import { feeText } from '../transfers/transfer-text.ts'
import { AccountFact } from './account-name.tsx'

const title = 'Fee of transfers'

/** What the platform gets of transfers from an account. Only operators see and change it here. */
export function TransferFeeCard({ account }: { account: Account }) {
  const { may } = useUser()
  const money = useMoneyText()
  const changes = may.includes('change_transfer_fee')
  const query = useApiQuery(
    ['accounts', account.id, 'transfer fee'],
    (florin, signal) => florin.account.getTransferFee({ account: account.id, signal }),
    { enabled: changes },
  )
  const { data: fee } = query
  if (!changes) return null
  if (query.isLoadingError) return <Failure error={query.error} retry={() => query.refetch()} />
  const { currency } = account.settings
  const is_open = account.status !== 'closed'
  return (
    <Card
      title={title}
      action={fee && is_open && <SetFee fee={fee} currency={currency} />}
      className="lg:col-span-2"
    >
      {fee === undefined ? (
        <div className="skeleton h-12 opacity-40" aria-busy="true" />
      ) : fee.fee_account_id === null ? (
        <p className="text-muted">Transfers from this account have no fee.</p>
      ) : (
        <Facts facts={factsOf(fee, fee.fee_account_id, feeText(fee, currency, money))} />
      )}
      {is_open && fee?.fee_account_id && <RemoveFee account_id={account.id} />}
    </Card>
  )
}

function factsOf(fee: TransferFee, fee_account_id: string, text: string): [string, ReactNode][] {
  return [
    ['Fee', text === '' ? 'None' : text],
    ['Goes to', <AccountFact key="to" id={fee_account_id} />],
    ...(fee.updated_at === null
      ? []
      : ([['Changed', <When key="at" at={fee.updated_at} absolute />]] as [string, ReactNode][])),
  ]
}

interface Typed {
  fee_account_id: string
  percent: string
  fixed_amount: string
}

/** Hundredths of a percent; undefined if the text is not a percentage from 0 to 100. */
function parsePercent(text: string): number | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim() || '0')
  if (match === null) return undefined
  const points = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return points <= 10_000 ? points : undefined
}

const is_zero = /^0*([.,]0*)?$/

/** Zero if the field is empty. */
function parseFixed(text: string, currency: string, language: string): number | undefined {
  return is_zero.test(text.trim()) ? 0 : parseAmount(text, currency, language)
}

type Errors = Partial<Record<keyof Typed, string | undefined>>

function errorsOf({ fee_account_id, percent, fixed_amount }: Typed, amount_error?: string): Errors {
  const is_id = /^acct_[0-9a-z]{26}$/.test(fee_account_id.trim())
  const is_free = is_zero.test(fixed_amount.trim())
  return {
    fee_account_id: is_id ? undefined : 'Enter an account ID that starts with acct_.',
    percent:
      parsePercent(percent) === undefined
        ? 'Enter a percentage from 0 to 100 with at most two decimals, for example 1.5.'
        : undefined,
    fixed_amount: is_free ? undefined : amount_error,
  }
}

interface SetFeeProps {
  fee: TransferFee
  currency: string
}

function SetFee({ fee, currency }: SetFeeProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { language } = useAccountSettings()
  const stored = (): Typed => ({
    fee_account_id: fee.fee_account_id ?? '',
    percent: fee.basis_points === 0 ? '' : String(fee.basis_points / 100),
    fixed_amount:
      fee.fixed_amount === 0 ? '' : formatAmountInput(fee.fixed_amount, currency, language),
  })
  const [typed, setTyped] = useState(stored)
  const [rejected, setRejected] = useState<string>()
  const [show_errors, setShowErrors] = useState(false)
  const errors = errorsOf(typed, amountError(typed.fixed_amount, currency, language))
  const fieldOf = (field: keyof Typed) => ({
    value: typed[field],
    error: show_errors ? errors[field] : undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [field]: event.target.value })
      setRejected(undefined)
    },
  })
  const save = async () => {
    const body = {
      fee_account_id: typed.fee_account_id.trim(),
      basis_points: parsePercent(typed.percent)!,
      fixed_amount: parseFixed(typed.fixed_amount, currency, language)!,
    }
    await florin.account.setTransferFee(body, { account: fee.account_id })
    await refresh()
    showToast('Fee saved', 'New transfers from this account have it.')
  }
  return (
    <FormDialog
      trigger={fee.fee_account_id === null ? 'Set fee' : 'Change fee'}
      title={title}
      text="Part of every new transfer from this account goes to another account."
      action="Save fee"
      onOpen={() => {
        setTyped(stored())
        setRejected(undefined)
        setShowErrors(false)
      }}
      isReady={() => {
        setShowErrors(true)
        return Object.values(errors).every((error) => error === undefined)
      }}
      showErrorAtField={(error) => {
        const text = reasonOf(error)
        const is_of_account = text.startsWith('"fee_account_id"')
        setRejected(is_of_account ? text : undefined)
        return is_of_account
      }}
      onSubmit={save}
    >
      <Field
        label="Account that gets the fee"
        placeholder="acct_…"
        hint="Usually the account of the platform. It must have the same currency."
        {...fieldOf('fee_account_id')}
        error={rejected ?? (show_errors ? errors.fee_account_id : undefined)}
      />
      <Field
        label="Percent of the amount"
        inputMode="decimal"
        placeholder="1.5"
        hint="Rounded down."
        {...fieldOf('percent')}
      />
      <Field
        label={`Fixed amount in ${currency}`}
        inputMode="decimal"
        placeholder={formatAmountInput(30, currency, language)}
        hint="Optional. Added to the percentage."
        {...fieldOf('fixed_amount')}
      />
    </FormDialog>
  )
}

function RemoveFee({ account_id }: { account_id: string }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const remove = async () => {
    await florin.account.deleteTransferFee({ account: account_id })
    await refresh()
    showToast('Fee removed')
  }
  return (
    <div className="mt-3">
      <ConfirmDialog
        trigger="Remove"
        title="Remove the fee?"
        action="Remove fee"
        onConfirm={remove}
      >
        New transfers from this account then have no fee. Those that exist keep theirs.
      </ConfirmDialog>
    </div>
  )
}
