import { useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import type { Account } from '../../api/api-types.ts'
import { queryClient, sessionQuery, useFlorin, useMode, useRefresh } from '../../api/use-florin.ts'
import { ComboboxField } from '../../parts/combobox-field.tsx'
import { Field } from '../../parts/field.tsx'
import { clockText } from '../../parts/time-text.ts'
import { showToast } from '../../parts/toast.tsx'
import { languageName } from '../accounts/account-facts.tsx'
import { SettingsForm } from './settings-form.tsx'

type FieldName = 'name' | 'email' | 'timezone' | 'language'
type Typed = Record<FieldName, string>
type FieldErrors = Partial<Typed>

export function ChangeSettings({ account }: { account: Account }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [typed, setTyped] = useState(typedOf(account))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const changes = changesOf(account, typed)
  const save = async () => {
    setErrors({})
    const saved = await florin.account.update(changes)
    await refresh()
    setTyped(typedOf(saved))
    // The owner logs in with this email, and the user menu shows it.
    if (changes.email !== undefined) await queryClient.invalidateQueries(sessionQuery)
    const waits = changes.email !== undefined && saved.email !== changes.email
    setUnconfirmed(waits ? changes.email : undefined)
    showToast('Settings saved')
  }
  const change = (field: FieldName, value: string) => {
    setTyped({ ...typed, [field]: value })
    setErrors({ ...errors, [field]: undefined })
  }
  const fieldOf = (field: FieldName) => ({
    value: typed[field],
    error: errors[field],
    autoComplete: 'off',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change(field, event.target.value),
  })
  const choiceOf = (field: FieldName) => ({
    value: typed[field],
    error: errors[field],
    onChange: (value: string) => change(field, value),
  })
  return (
    <SettingsForm
      action="Save settings"
      changed={Object.keys(changes).length > 0}
      showErrorAtField={(error) => {
        const found = fieldErrorsOf(error)
        setErrors(found ?? {})
        return found !== undefined
      }}
      onSubmit={save}
    >
      <Field label="Name" maxLength={200} {...fieldOf('name')} hint="Shown to customers" />
      <EmailField {...fieldOf('email')} />
      {unconfirmed !== undefined && <ConfirmationSent to={unconfirmed} from={account.email} />}
      <ComboboxField
        label="Time zone"
        {...choiceOf('timezone')}
        choices={zoneChoices()}
        hint="Sets when days begin and end."
      />
      <ComboboxField
        label="Language"
        {...choiceOf('language')}
        choices={languageChoices(account.settings.language)}
        hint="For emails, and for the payment page if the payer’s browser has another language"
      />
    </SettingsForm>
  )
}

function typedOf({ name, email, settings }: Account): Typed {
  const { timezone, language } = settings
  return { name, email, timezone, language }
}

/**
 * Only changed fields: sending the current email again would cancel an email change that is waiting
 * for confirmation.
 */
function changesOf(account: Account, typed: Typed) {
  const before = typedOf(account)
  const changed = (field: FieldName) => {
    const text = typed[field].trim()
    return text === before[field] ? {} : { [field]: text }
  }
  const settings: Partial<Typed> = { ...changed('timezone'), ...changed('language') }
  return {
    ...(changed('name') as { name?: string }),
    ...(changed('email') as { email?: string }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** API messages start with the field they are about; a taken email has a separate code. */
function fieldErrorsOf(error: Error): FieldErrors | undefined {
  if (!(error instanceof FlorinError)) return undefined
  if (error.code === 'email_exists') return { email: error.message }
  const field = /^"?(?:settings\.)?(name|email|timezone|language)\b/.exec(error.message)?.[1]
  return field === undefined ? undefined : { [field]: error.message }
}

type FieldProps = React.ComponentProps<typeof Field>

function EmailField(props: Omit<FieldProps, 'label'>) {
  const live = useMode() === 'live'
  const confirmation = ' A new email must be confirmed through a link.'
  const hint = `The owner logs in with this email.${live ? confirmation : ''}`
  return <Field label="Email" type="email" maxLength={254} {...props} hint={hint} />
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

let zone_choices: { value: string; label: string; note: string }[] | undefined

/** With the current time of each zone. Built once: 400 formatters take about 50 ms. */
function zoneChoices() {
  zone_choices ??= zones.map((value) => {
    const note = clockText(Date.now(), { timezone: value, locale: 'en' })
    return { value, label: value.replaceAll('_', ' '), note }
  })
  return zone_choices
}

// The languages of the payment page and emails. The API accepts any other tag and uses English.
const languages = ['en', 'de', 'es', 'fr', 'ja', 'pt']

function languageChoices(current: string) {
  const tags = languages.includes(current) ? languages : [current, ...languages]
  return tags.map((value) => ({ value, label: languageName(value) }))
}

function ConfirmationSent({ to, from }: { to: string; from: string }) {
  return (
    <p role="status" className="text-muted wrap-anywhere">
      We’ll email a confirmation link to <span className="font-semibold text-ink">{to}</span>. It is
      valid for 24 hours. Until you confirm, the email stays {from}. All other changes are saved.
    </p>
  )
}
