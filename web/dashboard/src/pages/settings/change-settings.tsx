import { useId, useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import type { Account } from '../../api/api-types.ts'
import { queryClient, sessionQuery, useFlorin, useMode, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

type FieldName = 'name' | 'email' | 'timezone' | 'language'
type Typed = Record<FieldName, string>
type Faults = Partial<Typed>

export function ChangeSettings({ account }: { account: Account }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [typed, setTyped] = useState(typedOf(account))
  const [faults, setFaults] = useState<Faults>({})
  const save = async () => {
    setFaults({})
    const changes = changesOf(account, typed)
    const saved = await florin.account.update(changes)
    await refresh()
    // The owner's log-in has changed with it, and the menu at the top shows that.
    if (changes.email !== undefined) await queryClient.invalidateQueries(sessionQuery)
    if (changes.email !== undefined && saved.email !== changes.email) {
      return <LinkIsWritten to={changes.email} from={saved.email} />
    }
    showToast('The settings are saved.')
    return undefined
  }
  const fieldOf = (field: FieldName) => ({
    value: typed[field],
    fault: faults[field],
    autoComplete: 'off',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [field]: event.target.value })
      setFaults({ ...faults, [field]: undefined })
    },
  })
  return (
    <FormDialog
      trigger="Change settings"
      title="Change the settings"
      action="Save settings"
      disabled={Object.keys(changesOf(account, typed)).length === 0}
      onOpen={() => {
        setTyped(typedOf(account))
        setFaults({})
      }}
      showErrorAtField={(error) => {
        const told = faultOf(error)
        setFaults(told ?? {})
        return told !== undefined
      }}
      onSubmit={save}
    >
      <Field label="Name" maxLength={200} {...fieldOf('name')} hint="Your customers see it." />
      <EmailField {...fieldOf('email')} />
      <ListedField
        label="Time zone"
        {...fieldOf('timezone')}
        listed={zones}
        hint="A place such as Europe/Berlin, or UTC. Days begin and end there."
      />
      <ListedField
        label="Language"
        {...fieldOf('language')}
        listed={spoken}
        hint="Of the payment page and of emails: a tag such as en, de-CH or pt-BR."
      />
    </FormDialog>
  )
}

function typedOf({ name, email, settings }: Account): Typed {
  const { timezone, language } = settings
  return { name, email, timezone, language }
}

/**
 * Only what differs: the email that the account has, sent once more, would withdraw a change of it
 * that waits to be confirmed.
 */
function changesOf(account: Account, typed: Typed) {
  const before = typedOf(account)
  const changed = (field: FieldName) => {
    const text = typed[field].trim()
    return text === before[field] ? {} : { [field]: text }
  }
  const settings: Faults = { ...changed('timezone'), ...changed('language') }
  return {
    ...(changed('name') as { name?: string }),
    ...(changed('email') as { email?: string }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** A refusal begins with the field that it is about, and a taken email has a code of its own. */
function faultOf(error: Error): Faults | undefined {
  if (!(error instanceof FlorinError)) return undefined
  if (error.code === 'email_exists') return { email: error.message }
  const field = /^"?(?:settings\.)?(name|email|timezone|language)\b/.exec(error.message)?.[1]
  return field === undefined ? undefined : { [field]: error.message }
}

type FieldProps = React.ComponentProps<typeof Field>

function EmailField(props: Omit<FieldProps, 'label'>) {
  const live = useMode() === 'live'
  const waits = ' A link there confirms a new one.'
  const hint = `The owner signs in with it.${live ? waits : ''}`
  return <Field label="Email" type="email" maxLength={254} {...props} hint={hint} />
}

/** A text with what it may be: more than a list of choices could hold, and some that it lacks. */
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

// What the payment page and emails are written in; the rest is told in English.
const spoken = ['en', 'de', 'es', 'fr', 'ja', 'pt']

function LinkIsWritten({ to, from }: { to: string; from: string }) {
  return (
    <p role="status" className="text-muted wrap-anywhere">
      An email with the link is addressed to <span className="font-semibold text-ink">{to}</span>.
      The email changes when it is confirmed there, within 24 hours. Until then it stays {from}.
      Everything else is saved.
    </p>
  )
}
