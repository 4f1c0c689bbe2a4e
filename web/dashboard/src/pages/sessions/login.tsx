import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import { session } from '../../api/session.ts'
import { queryClient, sessionQuery } from '../../api/use-florin.ts'
import { Logo } from '../../frame/logo.tsx'
import { Button } from '../../parts/button.tsx'
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
      with <code className="font-mono text-xs">npm run florin -- status</code>.
    </p>
  )
}

function LoginForm() {
  const router = useRouter()
  const { next } = route.useSearch()
  const [error_text, setErrorText] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    // Clears the error of the previous attempt.
    setErrorText(undefined)
    setBusy(true)
    try {
      await session.logIn({
        email: String(form.get('email')),
        password: String(form.get('password')),
      })
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      // Always a path inside the dashboard, so `next` cannot redirect to another site.
      router.history.push(`/dashboard${next?.startsWith('/') ? next : ''}`)
    } catch (error) {
      setErrorText(explain(error as Error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="mt-5 flex flex-col gap-4">
      <Field label="Email" name="email" type="email" autoComplete="username" required />
      <PasswordField label="Password" name="password" autoComplete="current-password" required />
      <div role="alert">
        {error_text && <p className="rounded-lg bg-red-soft p-3 text-red">{error_text}</p>}
      </div>
      <Button tone="primary" type="submit" disabled={busy}>
        {busy ? 'Logging in…' : 'Log in'}
      </Button>
    </form>
  )
}

function explain(error: Error): string {
  if (error instanceof FlorinError && error.code === 'invalid_credentials') {
    return 'Incorrect email or password. Try again.'
  }
  return error.message
}
