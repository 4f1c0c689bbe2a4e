import { useId, useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import type { Account } from '../../api/api-types.ts'
import { queryClient, sessionQuery, useFlorin, useMode, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

type FieldName = 'name' | 'email' | 'timezone' | 'language'
type Typed = Record<FieldName, string>
type FieldErrors = Partial<Typed>

export function ChangeSettings({ account }: { account: Account }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [typed, setTyped] = useState(typedOf(account))
  const [errors, setErrors] = useState<FieldErrors>({})
  const save = async () => {
    setErrors({})
    const changes = changesOf(account, typed)
    const saved = await florin.account.update(changes)
    await refresh()
    // The owner logs in with this email, and the user menu shows it.
    if (changes.email !== undefined) await queryClient.invalidateQueries(sessionQuery)
    if (changes.email !== undefined && saved.email !== changes.email) {
      return <ConfirmationSent to={changes.email} from={saved.email} />
    }
    showToast('Settings saved')
    return undefined
  }
  const fieldOf = (field: FieldName) => ({
    value: typed[field],
    error: errors[field],
    autoComplete: 'off',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [field]: event.target.value })
      setErrors({ ...errors, [field]: undefined })
    },
  })
  return (
    <FormDialog
      trigger="Change settings"
      title="Change settings"
      action="Save settings"
      disabled={Object.keys(changesOf(account, typed)).length === 0}
      onOpen={() => {
        setTyped(typedOf(account))
        setErrors({})
      }}
      showErrorAtField={(error) => {
        const found = fieldErrorsOf(error)
        setErrors(found ?? {})
        return found !== undefined
      }}
      onSubmit={save}
    >
      <Field label="Name" maxLength={200} {...fieldOf('name')} hint="Shown to customers" />
      <EmailField {...fieldOf('email')} />
      <ListedField
        label="Time zone"
        {...fieldOf('timezone')}
        listed={zones}
        hint="For example Europe/Berlin, or UTC. Sets when days begin and end."
      />
      <ListedField
        label="Language"
        {...fieldOf('language')}
        listed={languages}
        hint="For the payment page and emails, for example en, de-CH or pt-BR"
      />
    </FormDialog>
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
  return field === undefined ? undefined : { [field]: error_texts[field] ?? error.message }
}

const error_texts: Record<string, string> = {
  timezone: 'Enter a time zone from the list, for example Europe/Berlin.',
  language: 'Enter a language tag, for example en or pt-BR.',
}

type FieldProps = React.ComponentProps<typeof Field>

function EmailField(props: Omit<FieldProps, 'label'>) {
  const live = useMode() === 'live'
  const confirmation = ' A new email must be confirmed through a link.'
  const hint = `The owner logs in with this email.${live ? confirmation : ''}`
  return <Field label="Email" type="email" maxLength={254} {...props} hint={hint} />
}

/** A text field with suggestions. The list is long, and other values are allowed. */
function ListedField({ listed, ...rest }: FieldProps & { listed: string[] }) {
  const id = useId()
  return (
    <>
      <Field {...rest} list={id} maxLength={100} spellCheck={false} />
      <datalist id={id}>
        {listed.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

// The languages of the payment page and emails; any other language falls back to English.
const languages = ['en', 'de', 'es', 'fr', 'ja', 'pt']

function ConfirmationSent({ to, from }: { to: string; from: string }) {
  return (
    <p role="status" className="text-muted wrap-anywhere">
      We’ll email a confirmation link to <span className="font-semibold text-ink">{to}</span>. It is
      valid for 24 hours. Until you confirm, the email stays {from}. All other changes are saved.
    </p>
  )
}
