import { useState } from 'react'
import type { BankDetails } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { accountNumberText } from '../../parts/account-number.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'

const title = 'Bank account for transfers'

/**
 * Where customers of an account transfer their money. Only admins can change it; platform users
 * and owners see it if there is one.
 */
export function BankDetailsCard({ account_id, open }: { account_id: string; open: boolean }) {
  const { may } = useUser()
  const query = useApiQuery(['accounts', account_id, 'bank details'], (florin, signal) =>
    florin.account.getBankDetails({ account: account_id, signal }),
  )
  const { data } = query
  const changes = open && may.includes('manage_bank_details')
  if (query.isLoadingError) return <Failure error={query.error} retry={() => query.refetch()} />
  if (data === undefined && changes) return <LoadingCard />
  if (data === undefined || (data.source === null && !changes)) return null
  return (
    <Card
      title={title}
      action={changes && <SetBankDetails stored={data} />}
      className="lg:col-span-2"
    >
      <p className="mb-3 text-muted">{explain(data.source)}</p>
      {data.source !== null && <Facts facts={factsOf(data)} />}
      {changes && data.source === 'account' && <RemoveBankDetails account_id={account_id} />}
    </Card>
  )
}

function LoadingCard() {
  return (
    <Card title={title} className="lg:col-span-2">
      <div className="skeleton h-28 opacity-40" aria-busy="true" />
    </Card>
  )
}

function explain(source: BankDetails['source']): string {
  if (source === null) return 'There is none, so customers cannot pay by transfer.'
  return source === 'instance'
    ? 'The account of this service. Customers who pay by transfer send their money to it.'
    : 'Set for this account. Its customers who pay by transfer send their money to it.'
}

function factsOf({ name, iban, bic, fields, updated_at }: BankDetails) {
  const texts: [string, string | null][] = [
    ['Recipient', name],
    ['IBAN', iban && accountNumberText(iban)],
    ['BIC', bic],
    ...fields.map(({ label, value }): [string, string] => [label, value]),
  ]
  const facts: [string, React.ReactNode][] = texts
    .filter(([, text]) => text !== null)
    .map(([label, text]) => [
      label,
      <span key={label} className="wrap-anywhere tabular-nums">
        {text}
      </span>,
    ])
  if (updated_at !== null) facts.push(['Changed', <When key="at" at={updated_at} absolute />])
  return facts
}

const triggers = { none: 'Set', account: 'Change', instance: 'Set another' }

const kinds = { iban: 'IBAN', fields: 'Other account number' }

interface Typed {
  kind: keyof typeof kinds
  name: string
  iban: string
  bic: string
  /** One field per line. */
  fields: string
}

function typedOf({ source, name, iban, bic, fields }: BankDetails): Typed {
  const lines = fields.map(({ label, value }) => `${label}: ${value}`)
  // The account of the service is not a starting point: it would be changed by one digit.
  if (source !== 'account') return { kind: 'iban', name: '', iban: '', bic: '', fields: '' }
  return {
    kind: iban === null ? 'fields' : 'iban',
    name: name ?? '',
    iban: iban ? accountNumberText(iban) : '',
    bic: bic ?? '',
    fields: lines.join('\n'),
  }
}

function bodyOf({ kind, name, iban, bic, fields }: Typed) {
  if (kind === 'iban') return { name, iban, ...(bic.trim() === '' ? {} : { bic }) }
  const lines = fields.split('\n').filter((line) => line.trim() !== '')
  const parsed = lines.map((line) => {
    const at = line.indexOf(':')
    return { label: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() }
  })
  return { name, fields: parsed }
}

const field_in_error = /^"(name|iban|bic|fields)\b/

function SetBankDetails({ stored }: { stored: BankDetails }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [typed, setTyped] = useState(typedOf(stored))
  const [error, setError] = useState<{ field: string; text: string }>()
  const change = (changed: Partial<Typed>) => {
    setTyped({ ...typed, ...changed })
    setError(undefined)
  }
  const fieldOf = (field: 'name' | 'iban' | 'bic') => ({
    value: typed[field],
    error: error?.field === field ? error.text : undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  })
  const set = async () => {
    await florin.account.setBankDetails(bodyOf(typed), { account: stored.account_id })
    await refresh()
    showToast('Bank account saved', 'Payment pages show it from now on.')
  }
  const number = typed.kind === 'iban' ? typed.iban : typed.fields
  return (
    <FormDialog
      trigger={triggers[stored.source ?? 'none']}
      title={title}
      text="All payment pages of this account show it at once. It must belong to the operator."
      action="Save bank account"
      disabled={typed.name.trim() === '' || number.trim() === ''}
      onOpen={() => {
        setTyped(typedOf(stored))
        setError(undefined)
      }}
      showErrorAtField={(rejected) => {
        const text = reasonOf(rejected)
        const field = field_in_error.exec(text)?.[1]
        setError(field === undefined ? undefined : { field, text })
        return field !== undefined
      }}
      onSubmit={set}
    >
      <Field label="Recipient" maxLength={70} placeholder="Acme GmbH" {...fieldOf('name')} />
      <ChoiceField
        label="Identified by"
        value={typed.kind}
        choices={kinds}
        onChange={(kind) => change({ kind })}
      />
      {typed.kind === 'iban' ? (
        <>
          <Field
            label="IBAN"
            maxLength={50}
            placeholder="DE89 3704 0044 0532 0130 00"
            {...fieldOf('iban')}
          />
          <Field label="BIC" maxLength={20} hint="Optional." {...fieldOf('bic')} />
        </>
      ) : (
        <FieldsField
          value={typed.fields}
          error={error?.field === 'fields' ? error.text : undefined}
          onChange={(fields) => change({ fields })}
        />
      )}
    </FormDialog>
  )
}

interface FieldsFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function FieldsField({ value, error, onChange }: FieldsFieldProps) {
  return (
    <label className="flex flex-col gap-1.5 font-medium">
      Account details
      <textarea
        className={`${inputClass} h-24 py-2 font-normal pointer-coarse:h-24
 ${error ? 'border-red' : ''}`}
        placeholder={'Routing number: 021000021\nAccount number: 1234567890'}
        aria-invalid={error !== undefined}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className={`text-xs font-normal ${error ? 'text-red' : 'text-muted'}`}>
        {error ??
          'One per line, as a label, a colon and a value. The page shows them in this order.'}
      </span>
    </label>
  )
}

function RemoveBankDetails({ account_id }: { account_id: string }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const remove = async () => {
    await florin.account.deleteBankDetails({ account: account_id })
    await refresh()
    showToast('Bank account removed')
  }
  return (
    <div className="mt-3">
      <ConfirmDialog
        trigger="Remove"
        title="Remove the bank account?"
        action="Remove bank account"
        onConfirm={remove}
      >
        Customers of this account then transfer to the account of this service. If it has none, they
        cannot pay by transfer.
      </ConfirmDialog>
    </div>
  )
}
