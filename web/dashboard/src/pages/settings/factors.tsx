import { type ReactNode, useState } from 'react'
import { createPasskey } from '../../api/passkey.ts'
import {
  queryClient,
  sessionQuery,
  useApiQuery,
  useFlorin,
  useHasPasskeys,
  useRefresh,
} from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'

const named_url = `http://localhost${location.port && `:${location.port}`}`

/** Authenticator app, passkeys and recovery codes of the logged-in user. */
export function Factors() {
  const { data, error } = useApiQuery(['factors'], (florin, signal) =>
    florin.factors.list({ signal }),
  )
  const has_passkeys = useHasPasskeys()
  if (error) return <Card title="Two-factor authentication">{reasonOf(error)}</Card>
  if (data === undefined) return <Card title="Two-factor authentication">Loading…</Card>
  const has_totp = data.data.some(({ kind }) => kind === 'totp')
  const is_on = data.data.length > 0
  return (
    <Card title="Two-factor authentication">
      <p className="mb-4 text-muted">
        {is_on
          ? 'On. A login needs your password and a code, or a passkey.'
          : 'Off. Add an authenticator app or a passkey, so that a stolen password is not enough.'}
      </p>
      <ul className="mb-4">
        {data.data.map((factor) => (
          <Row key={factor.id} action={<RemoveFactor factor={factor} is_last={!data.data[1]} />}>
            <span className="font-medium wrap-anywhere">{factor.name}</span>
            <span className="block text-xs text-muted">
              {factor.kind === 'totp' ? 'Authenticator app' : 'Passkey'}, last used{' '}
              {factor.last_used_at ? <When at={factor.last_used_at} real /> : 'never'}
            </span>
          </Row>
        ))}
        {is_on && (
          <Row action={<ReplaceCodes />}>
            <span className="font-medium">Recovery codes</span>
            <span className="block text-xs text-muted">
              {data.recovery_codes_left} of 10 left, for when you lose your devices
            </span>
          </Row>
        )}
      </ul>
      <div className="flex flex-wrap gap-2">
        <AddTotp hidden={has_totp} />
        {has_passkeys && <AddPasskey />}
      </div>
      {!has_passkeys && (
        <p className="mt-3 text-xs text-muted">
          Passkeys need a host name. Open the dashboard at a URL such as {named_url}.
        </p>
      )}
    </Card>
  )
}

function Row({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <li className="flex items-center justify-between gap-4 border-t border-line py-3">
      <div className="min-w-0">{children}</div>
      {action}
    </li>
  )
}

/** The session states whether an admin still needs a factor. */
function useRefreshFactors(): () => Promise<void> {
  const refresh = useRefresh()
  return async () => {
    await Promise.all([refresh(), queryClient.invalidateQueries(sessionQuery)])
  }
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <SecretOnce name="Recovery codes" secret={codes.join('\n')}>
      Each code replaces a factor once. Store them in a password manager or on paper.
    </SecretOnce>
  )
}

interface StartedTotp {
  secret: string
  uri: string
}

/** Stays on the page when the list has the new app: its dialog still shows recovery codes. */
function AddTotp({ hidden }: { hidden: boolean }) {
  const florin = useFlorin()
  const refresh = useRefreshFactors()
  const [started, setStarted] = useState<StartedTotp>()
  const [error_text, setErrorText] = useState<string>()
  const [code, setCode] = useState('')
  const start = async () => {
    setErrorText(undefined)
    setCode('')
    try {
      setStarted(await florin.factors.startTotp())
    } catch (error) {
      setErrorText(reasonOf(error))
    }
  }
  const confirm = async () => {
    const { recovery_codes } = await florin.factors.confirmTotp({ code })
    await refresh()
    showToast('Authenticator app added')
    if (recovery_codes !== null) return <RecoveryCodes codes={recovery_codes} />
    setStarted(undefined)
    return undefined
  }
  return (
    <>
      {!hidden && (
        <Button tone="primary" onClick={() => void start()}>
          Add authenticator app
        </Button>
      )}
      {error_text && (
        <p role="alert" className="w-full rounded-lg bg-red-soft p-3 text-red">
          {error_text}
        </p>
      )}
      {started && (
        <FormDialog
          open
          onOpenChange={(shown) => shown || setStarted(undefined)}
          title="Add authenticator app"
          text="Scan the code with an app such as 1Password, Aegis or Google Authenticator."
          action="Turn on"
          disabled={code.trim() === ''}
          onSubmit={confirm}
        >
          <QrCode text={started.uri} label="QR code for your authenticator app" />
          <div className="flex items-start gap-2 text-muted">
            <p className="min-w-0">
              Or enter this secret:{' '}
              <code className="font-mono text-xs wrap-anywhere text-ink">{started.secret}</code>
            </p>
            <CopyButton text={started.secret} label="Copy secret" />
          </div>
          <Field
            label="Code of the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </FormDialog>
      )}
    </>
  )
}

function AddPasskey() {
  const florin = useFlorin()
  const refresh = useRefreshFactors()
  const [name, setName] = useState('')
  const add = async () => {
    const { public_key } = await florin.factors.getPasskeyOptions()
    const credential = (await createPasskey(public_key)) as Record<string, unknown>
    const named = name.trim() === '' ? {} : { name: name.trim() }
    const { recovery_codes } = await florin.factors.addPasskey({ ...named, credential })
    await refresh()
    showToast('Passkey added')
    return recovery_codes === null ? undefined : <RecoveryCodes codes={recovery_codes} />
  }
  return (
    <FormDialog
      trigger="Add passkey"
      title="Add passkey"
      text="Your device asks for a fingerprint, your face or a PIN. It replaces the password too."
      action="Create passkey"
      onOpen={() => setName('')}
      onSubmit={add}
    >
      <Field
        label="Name"
        hint="Optional, such as the name of the device"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}

function RemoveFactor(props: { factor: { id: string; name: string }; is_last: boolean }) {
  const florin = useFlorin()
  const refresh = useRefreshFactors()
  const { id, name } = props.factor
  const remove = async () => {
    await florin.factors.delete(id)
    await refresh()
    showToast(`${name} removed`)
  }
  return (
    <ConfirmDialog
      trigger="Remove"
      title={`Remove ${name}?`}
      action="Remove factor"
      onConfirm={remove}
    >
      {props.is_last
        ? 'This is your last factor. Your account is then protected by the password alone.'
        : 'You can no longer log in with it.'}
    </ConfirmDialog>
  )
}

function ReplaceCodes() {
  const florin = useFlorin()
  const refresh = useRefreshFactors()
  const replace = async () => {
    const { recovery_codes } = await florin.factors.createRecoveryCodes()
    await refresh()
    return <RecoveryCodes codes={recovery_codes} />
  }
  return (
    <FormDialog
      trigger="New codes"
      title="Create new recovery codes"
      text="The old codes stop working at once."
      action="Create codes"
      onSubmit={replace}
    >
      {null}
    </FormDialog>
  )
}
