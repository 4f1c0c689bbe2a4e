import { useState } from 'react'
import { useAccount } from '../../api/account-settings.ts'
import type { Account } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { LogoUpload } from './logo-upload.tsx'
import { SettingsForm } from './settings-form.tsx'

const field_names = [
  'accent_color',
  'support_email',
  'support_phone',
  'website',
  'terms_url',
  'statement_name',
  'payment_instructions',
] as const

type FieldName = (typeof field_names)[number]
type TypedBranding = Record<FieldName, string>
type StoredBranding = Record<FieldName, string | null> & { logo_url: string | null }

/** What customers see on the payment page, in emails and on receipts. */
export function BrandingSection() {
  const account = useAccount().data
  const query = useApiQuery(['branding'], (florin, signal) =>
    florin.account.getBranding({ signal }),
  )
  if (query.isLoadingError) return <Failure error={query.error} retry={() => query.refetch()} />
  if (account === undefined || query.data === undefined) {
    return <div className="skeleton h-96 opacity-40" aria-busy="true" />
  }
  if (account.status === 'closed') return <p className="text-muted">This account is closed.</p>
  return <BrandingForms key={account.id} account={account} stored={query.data} />
}

function BrandingForms({ account, stored }: { account: Account; stored: StoredBranding }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [typed, setTyped] = useState(typedOf(stored))
  const [error, setError] = useState<{ field: FieldName; text: string }>()
  const changes = changesOf(stored, typed)
  const save = async () => {
    setError(undefined)
    const saved = await florin.account.updateBranding(changes)
    await refresh()
    setTyped(typedOf(saved))
    showToast('Branding saved')
  }
  const change = (field: FieldName, value: string) => {
    setTyped({ ...typed, [field]: value })
    if (error?.field === field) setError(undefined)
  }
  const fieldOf = (field: FieldName) => ({
    value: typed[field],
    error: error?.field === field ? error.text : undefined,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
  })
  return (
    <>
      <Card title="Preview">
        <BrandingPreview account={account} typed={typed} logo_url={stored.logo_url} />
      </Card>
      <Card title="Logo">
        <LogoUpload logo_url={stored.logo_url} />
      </Card>
      <Card title="Color and contact">
        <SettingsForm
          action="Save branding"
          changed={Object.keys(changes).length > 0}
          showErrorAtField={(rejected) => {
            const text = reasonOf(rejected)
            const field = field_names.find((name) => text.includes(`"${name}"`))
            setError(field && { field, text })
            return field !== undefined
          }}
          onSubmit={save}
        >
          <ColorField {...fieldOf('accent_color')} onChoose={(it) => change('accent_color', it)} />
          <Field
            label="Support email"
            inputMode="email"
            maxLength={254}
            placeholder={account.email}
            hint="Replies of customers go here. Without one, to the email of the account."
            {...fieldOf('support_email')}
          />
          <Field
            label="Support phone"
            inputMode="tel"
            maxLength={30}
            placeholder="+1 555 010 0199"
            {...fieldOf('support_phone')}
          />
          <Field
            label="Website"
            inputMode="url"
            maxLength={500}
            placeholder="https://acme.example"
            {...fieldOf('website')}
          />
          <Field
            label="Terms"
            inputMode="url"
            maxLength={500}
            placeholder="https://acme.example/terms"
            {...fieldOf('terms_url')}
          />
          <Field
            label="Name on bank statements"
            maxLength={22}
            placeholder="ACME LTD"
            hint="5 to 22 characters. Set the same name at your payment provider."
            {...fieldOf('statement_name')}
          />
          <InstructionsField {...fieldOf('payment_instructions')} />
        </SettingsForm>
      </Card>
    </>
  )
}

interface TextProps {
  value: string
  error: string | undefined
  onChange: (event: { target: { value: string } }) => void
}

function ColorField({ onChoose, ...field }: TextProps & { onChoose: (color: string) => void }) {
  const is_color = /^#[0-9a-f]{6}$/i.test(field.value)
  return (
    <div className="flex items-start gap-2">
      <Field
        className="grow"
        label="Color"
        maxLength={7}
        placeholder="#0b6b50"
        hint="For buttons. Text on it must be readable; dark mode uses a lighter shade."
        {...field}
      />
      <input
        type="color"
        aria-label="Choose a color"
        className="mt-[26px] h-9 w-12 shrink-0 rounded-lg border border-line-strong bg-card p-1
 pointer-coarse:h-11"
        value={is_color ? field.value.toLowerCase() : '#0b6b50'}
        onChange={(event) => onChoose(event.target.value)}
      />
    </div>
  )
}

function InstructionsField({ value, error, onChange }: TextProps) {
  return (
    <label className="flex flex-col gap-1.5 font-medium">
      How to pay by transfer
      <textarea
        className={`${inputClass} h-28 py-2 font-normal pointer-coarse:h-28
 ${error ? 'border-red' : ''}`}
        maxLength={1_000}
        aria-invalid={error !== undefined}
        value={value}
        onChange={onChange}
      />
      <span className={`text-xs font-normal ${error ? 'text-red' : 'text-muted'}`}>
        {error ?? 'Bank, account number and recipient. Not shown if transfers go to the operator.'}
      </span>
    </label>
  )
}

function typedOf(stored: StoredBranding): TypedBranding {
  const typed = field_names.map((name) => [name, stored[name] ?? ''])
  return Object.fromEntries(typed) as TypedBranding
}

/** An empty field removes the value. */
function changesOf(stored: StoredBranding, typed: TypedBranding) {
  const changed = field_names.filter((name) => typed[name].trim() !== (stored[name] ?? ''))
  const values = changed.map((name) => [
    name,
    typed[name].trim() === '' ? null : typed[name].trim(),
  ])
  return Object.fromEntries(values) as Partial<Record<FieldName, string | null>>
}
