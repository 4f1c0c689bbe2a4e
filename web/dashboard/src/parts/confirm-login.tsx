// Asks the user to confirm who they are, for a change that needs a recent login. Loaded when the
// server requires it. A native dialog: it is above a dialog that is already open.

import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { readPasskey } from '../api/passkey.ts'
import { type FactorKind, session } from '../api/session.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { reasonOf } from './reason-of.ts'

let open: Promise<boolean> | undefined

/** Returns whether the user has confirmed. Concurrent requests share one dialog. */
export function confirmLogin(): Promise<boolean> {
  open ??= showDialog().finally(() => {
    open = undefined
  })
  return open
}

function showDialog(): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  return new Promise<boolean>((resolve) => {
    root.render(<ConfirmLogin onEnd={resolve} />)
  }).finally(() => {
    root.unmount()
    place.remove()
  })
}

function ConfirmLogin({ onEnd }: { onEnd: (confirmed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [kinds, setKinds] = useState<FactorKind[]>([])
  const [by_code, setByCode] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error_text, setErrorText] = useState<string>()
  useEffect(() => {
    dialog.current?.showModal()
    // Without the list, the password still works.
    session.listFactorKinds().then(setKinds, () => {})
  }, [])
  const confirm = async (prove: () => Promise<Parameters<typeof session.confirm>[0]>) => {
    setErrorText(undefined)
    setBusy(true)
    try {
      await session.confirm(await prove())
      onEnd(true)
    } catch (error) {
      setErrorText(reasonOf(error))
      setBusy(false)
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('proof'))
    void confirm(async () => (by_code ? { code: typed } : { password: typed }))
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-login-title"
      onCancel={() => onEnd(false)}
      className="m-auto w-[calc(100vw-32px)] max-w-md rounded-2xl border border-line bg-card p-6
 text-ink shadow-raised backdrop:bg-[rgb(6_14_11/0.55)]"
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div>
          <h2 id="confirm-login-title" className="text-lg font-semibold">
            Confirm it’s you
          </h2>
          <p className="mt-1 text-muted">This change needs a login of the last 10 minutes.</p>
        </div>
        <Field
          key={by_code ? 'code' : 'password'}
          label={by_code ? 'Code' : 'Password'}
          name="proof"
          type={by_code ? 'text' : 'password'}
          autoComplete={by_code ? 'one-time-code' : 'current-password'}
          hint={by_code ? 'From your authenticator app, or a recovery code' : ''}
          required
        />
        <div className="flex flex-wrap gap-2">
          {kinds.includes('passkey') && (
            <Button
              disabled={busy}
              onClick={() => void confirm(async () => ({ credential: await readPasskey() }))}
            >
              Use a passkey
            </Button>
          )}
          {kinds.length > 0 && (
            <Button tone="quiet" disabled={busy} onClick={() => setByCode(!by_code)}>
              {by_code ? 'Use your password' : 'Use a code'}
            </Button>
          )}
        </div>
        {error_text && (
          <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
            {error_text}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={busy} onClick={() => onEnd(false)}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" disabled={busy}>
            {busy ? 'Checking…' : 'Confirm'}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
