import { useId, useState } from 'react'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'
import { decodeStart, guessDelimiter, readStart } from './csv-file.ts'
import { EntriesPreview, TablePreview, useCsvPreview } from './csv-preview.tsx'
import { FileField } from './file-field.tsx'
import {
  amount_kinds,
  type ColumnName,
  decimal_signs,
  delimiters,
  encodings,
  isComplete,
  mapOf,
  other_columns,
  type TypedMap,
} from './typed-column-map.ts'

const other_names = Object.keys(other_columns) as (keyof typeof other_columns)[]
const pairClass = 'grid items-start gap-4 sm:grid-cols-2'

/** "column_map.columns.amount" is about the field columns.amount. */
const field_in_error = /^"(?:column_map\.)?((?:columns\.)?[a-z_]+)/
const own_fields = [
  'name',
  'account',
  'currency',
  'delimiter',
  'decimal_sign',
  'date_format',
  'encoding',
  'skipped_lines',
]

export function ColumnMapForm({ start, close }: { start: TypedMap; close: () => void }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const header_id = useId()
  const [typed, setTyped] = useState(start)
  const [bytes, setBytes] = useState<Uint8Array>()
  const [error, setError] = useState<{ field: string; text: string }>()
  const change = (changed: Partial<TypedMap>) => {
    setTyped((before) => ({ ...before, ...changed }))
    setError(undefined)
  }
  const map = mapOf(typed)
  const complete = isComplete(typed)
  const preview = useCsvPreview(bytes, map, complete)
  const open = async (file: File | undefined) => {
    const read = file && (await readStart(file))
    setBytes(read)
    if (read) change({ delimiter: guessDelimiter(decodeStart(read, typed.encoding)) })
  }
  const save = async () => {
    await florin.bankColumnMaps.save({ name: typed.name.trim(), column_map: map })
    await refresh()
    showToast('Column map saved', 'Choose it when you import a CSV file.')
    close()
  }
  const errorAt = (field: string) => (error?.field === field ? error.text : undefined)
  const text = { autoComplete: 'off', spellCheck: false }
  const fieldOf = (field: 'name' | 'account' | 'currency' | 'date_format' | 'skipped_lines') => ({
    ...text,
    value: typed[field],
    error: errorAt(field),
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  })
  const choiceOf = <Name extends 'delimiter' | 'decimal_sign' | 'encoding'>(field: Name) => ({
    value: typed[field],
    error: errorAt(field),
    onChange: (value: TypedMap[Name]) => change({ [field]: value }),
  })
  const columnOf = (field: ColumnName) => ({
    ...text,
    maxLength: 200,
    list: header_id,
    value: typed.columns[field],
    error: errorAt(`columns.${field}`),
    onChange: (event: { target: { value: string } }) =>
      change({ columns: { ...typed.columns, [field]: event.target.value } }),
  })
  return (
    <FormDialog
      open
      onOpenChange={(shown) => shown || close()}
      wide
      title="Column map for CSV files"
      text="Which columns of your bank’s CSV export are the date, the amount and the payer."
      action="Save column map"
      disabled={!complete || typed.name.trim() === '' || typed.account.trim() === ''}
      showErrorAtField={(rejected) => {
        const reason = reasonOf(rejected)
        const field = field_in_error.exec(reason)?.[1] ?? ''
        const is_shown = own_fields.includes(field) || /^columns\./.test(field)
        setError(is_shown ? { field, text: reason } : undefined)
        return is_shown
      }}
      onSubmit={save}
    >
      <FileField
        label="Example file"
        accept=".csv,.txt,text/csv"
        hint="Optional. It shows the columns to choose from, and is not uploaded."
        onChange={(event) => void open(event.target.files?.[0])}
      />
      <datalist id={header_id}>
        {[...new Set(preview.table?.header)].filter(Boolean).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {preview.table && <TablePreview of={preview.table} />}
      <div className={pairClass}>
        <Field label="Name" maxLength={100} placeholder="Sparkasse" {...fieldOf('name')} />
        <Field
          label="IBAN or number of the account"
          maxLength={34}
          placeholder="DE89370400440532013000"
          {...fieldOf('account')}
        />
        <Field label="Currency" maxLength={3} {...fieldOf('currency')} />
        <Field
          label="Date format"
          maxLength={20}
          hint="Such as DD.MM.YYYY or MM/DD/YY."
          {...fieldOf('date_format')}
        />
        <ChoiceField label="Between columns" choices={delimiters} {...choiceOf('delimiter')} />
        <ChoiceField label="Decimal sign" choices={decimal_signs} {...choiceOf('decimal_sign')} />
        <ChoiceField label="Encoding" choices={encodings} {...choiceOf('encoding')} />
        <Field
          label="Lines before the header"
          type="number"
          min={0}
          max={1_000}
          {...fieldOf('skipped_lines')}
        />
      </div>
      <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
        <legend className="float-left w-full text-base font-semibold">Columns</legend>
        <p className="-mt-3 text-xs text-muted">
          Names as in the header of the file, or numbers from 1. Only date and amount are needed.
        </p>
        <div className={pairClass}>
          <Field label="Booking date" {...columnOf('booked_on')} />
          <ChoiceField
            label="Amounts"
            value={typed.amount_kind}
            choices={amount_kinds}
            onChange={(amount_kind) => change({ amount_kind })}
          />
          {typed.amount_kind === 'pair' ? (
            <>
              <Field label="Credits" {...columnOf('credit')} />
              <Field label="Debits" {...columnOf('debit')} />
            </>
          ) : (
            <Field label="Amount" {...columnOf('amount')} />
          )}
          {typed.amount_kind === 'marked' && (
            <>
              <Field label="Credit or debit" {...columnOf('direction')} />
              <Field
                label="Text of credits"
                maxLength={50}
                value={typed.credit_text}
                onChange={(event) => change({ credit_text: event.target.value })}
              />
              <Field
                label="Text of debits"
                maxLength={50}
                value={typed.debit_text}
                onChange={(event) => change({ debit_text: event.target.value })}
              />
            </>
          )}
          <RemittanceField
            value={typed.remittance}
            error={errorAt('columns.remittance')}
            onChange={(remittance) => change({ remittance })}
          />
          {other_names.map((name) => (
            <Field key={name} label={other_columns[name]} {...columnOf(name)} />
          ))}
        </div>
      </fieldset>
      {preview.entries !== undefined && <EntriesPreview of={preview.entries} />}
    </FormDialog>
  )
}

interface RemittanceProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function RemittanceField({ value, error, onChange }: RemittanceProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5 sm:col-span-2">
      <label htmlFor={id} className="font-medium">
        Text that the payer wrote
      </label>
      <textarea
        id={id}
        className={`${inputClass} h-16 py-2 pointer-coarse:h-20 ${error ? 'border-red' : ''}`}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-note`} className={`text-xs ${error ? 'text-red' : 'text-muted'}`}>
        {error ?? 'One column per line. Their texts are joined in this order.'}
      </p>
    </div>
  )
}
