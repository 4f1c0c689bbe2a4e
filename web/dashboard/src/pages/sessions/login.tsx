import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import { readPasskey } from '../../api/passkey.ts'
import { session } from '../../api/session.ts'
import { queryClient, sessionQuery } from '../../api/use-florin.ts'
import { Logo } from '../../frame/logo.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { PasswordField } from '../../parts/password-field.tsx'

const route = getRouteApi('/login')

export function LoginPage() {
  const { data } = useQuery(sessionQuery)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-12">
      <title>Log in · Florin</title>
      <div className="flex items-center gap-3 text-xl font-bold tracking-tight">
        <Logo size={36} />
        Florin
      </div>
      <div
        className="w-full max-w-sm rounded-2xl border border-line bg-card p-7 shadow-raised
 max-sm:p-5"
      >
        <h1 className="text-lg font-semibold">Log in</h1>
        {data?.has_admin === false && <NoAdminYet />}
        <LoginForm />
        {data?.oidc_name && <ProviderLogin name={data.oidc_name} />}
        <OtherWays signup_open={data?.signup_open === true} />
      </div>
      <p className="text-xs text-muted">
        {data?.mode === 'sandbox' && 'Sandbox: no real money moves. '}
        <a href="/docs" className="text-brand underline">
          Documentation
        </a>
      </p>
    </main>
  )
}

/** Pages of the server, which work without scripts. */
function OtherWays({ signup_open }: { signup_open: boolean }) {
  return (
    <p className="mt-4 flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
      <a href="/reset" className="text-brand underline">
        Forgot password?
      </a>
      {signup_open && (
        <a href="/signup" className="text-brand underline">
          Create account
        </a>
      )}
    </p>
  )
}

function NoAdminYet() {
  return (
    <p className="mt-3 rounded-lg bg-amber-soft p-3 text-amber">
      No admin exists yet. Open the setup link that Florin printed or logged at startup, or get one
      with <code className="font-mono text-xs">florin status</code>.
    </p>
  )
}

/** A link, because the provider's page replaces this one. */
function ProviderLogin({ name }: { name: string }) {
  const { next } = route.useSearch()
  const query = next ? `?next=${encodeURIComponent(next)}` : ''
  return (
    <p className="mt-4 flex flex-col gap-4 text-center text-muted">
      or
      <a href={`/dashboard/oidc/start${query}`} className={buttonClass()}>
        Continue with {name}
      </a>
    </p>
  )
}

interface Typed {
  email: string
  password: string
}

function LoginForm() {
  const router = useRouter()
  const { next } = route.useSearch()
  const { data } = useQuery(sessionQuery)
  const [error_text, setErrorText] = useState<string>()
  const [busy, setBusy] = useState(false)
  // Set once the password was right and a second factor is needed.
  const [typed, setTyped] = useState<Typed>()
  const logIn = async (send: () => Promise<unknown>) => {
    // Clears the error of the previous attempt.
    setErrorText(undefined)
    setBusy(true)
    try {
      await send()
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      // Always a path inside the dashboard, so `next` cannot redirect to another site.
      router.history.push(`/dashboard${next?.startsWith('/') ? next : ''}`)
    } catch (error) {
      setErrorText(explain(error as Error))
      setBusy(false)
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const read = (name: string) => String(form.get(name))
    if (typed) return void logIn(() => session.logIn({ ...typed, code: read('code') }))
    const entered = { email: read('email'), password: read('password') }
    void logIn(async () => {
      try {
        await session.logIn(entered)
      } catch (error) {
        if (!needsCode(error)) throw error
        setTyped(entered)
        throw new SecondStep()
      }
    })
  }
  const logInByPasskey = () => logIn(async () => session.logInWithPasskey(await readPasskey()))
  return (
    <form onSubmit={submit} className="mt-5 flex flex-col gap-4">
      {typed === undefined ? <PasswordFields /> : <CodeField />}
      <div role="alert">
        {error_text && <p className="rounded-lg bg-red-soft p-3 text-red">{error_text}</p>}
      </div>
      <Button tone="primary" type="submit" disabled={busy}>
        {busy ? 'Logging in…' : 'Log in'}
      </Button>
      {data?.has_passkeys && (
        <Button disabled={busy} onClick={() => void logInByPasskey()}>
          Use a passkey
        </Button>
      )}
      {typed && (
        <Button tone="quiet" disabled={busy} onClick={() => setTyped(undefined)}>
          Back
        </Button>
      )}
    </form>
  )
}

function PasswordFields() {
  return (
    <>
      <Field label="Email" name="email" type="email" autoComplete="username" required />
      <PasswordField label="Password" name="password" autoComplete="current-password" required />
    </>
  )
}

function CodeField() {
  const [by_recovery, setByRecovery] = useState(false)
  const label = by_recovery ? 'Recovery code' : 'Code'
  return (
    <>
      <Field
        key={label}
        label={label}
        name="code"
        hint={by_recovery ? 'One of the codes that you stored' : 'From your authenticator app'}
        inputMode={by_recovery ? 'text' : 'numeric'}
        autoComplete={by_recovery ? 'off' : 'one-time-code'}
        // The user has just submitted the first step, and this is the only field.
        ref={(field) => field?.focus()}
        maxLength={40}
        required
      />
      <button
        type="button"
        className="self-start text-brand underline"
        onClick={() => setByRecovery(!by_recovery)}
      >
        {by_recovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </button>
    </>
  )
}

/** The password was right, and the form now asks for a code. */
class SecondStep extends Error {
  override message = ''
}

function needsCode(error: unknown): boolean {
  return error instanceof FlorinError && error.code === 'unauthorized' && error.token_is_valid
}

function explain(error: Error): string {
  if (error instanceof FlorinError && error.code === 'invalid_credentials') {
    return 'Incorrect email or password. Try again.'
  }
  return error.message
}
