import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { FlorinError } from '../../../../client/src/florin.ts'
import { Failure, textLinkClass } from '../parts/failure.tsx'

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <title>Page not found · Florin</title>
      <h1 className="text-xl font-semibold">Page not found</h1>
      <p className="text-muted">Check the URL, or search by ID above.</p>
      <HomeLink />
    </div>
  )
}

/** For errors outside the shell. */
export function RootErrorPage(props: ErrorComponentProps) {
  return (
    <main>
      <PageError {...props} />
    </main>
  )
}

/** Replaces a broken page inside the shell; all other pages still work. */
export function PageError({ error, reset }: ErrorComponentProps) {
  // API errors keep the default title: the page itself is not broken.
  const title = error instanceof FlorinError ? undefined : 'Something went wrong'
  return (
    <>
      <title>Error · Florin</title>
      <h1 className="sr-only">Error</h1>
      <Failure title={title} error={error as Error} retry={reset} />
    </>
  )
}

/** Replaces a page that the user's role does not include. */
export function ForbiddenPage({ role }: { role: string }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <title>No access · Florin</title>
      <h1 className="text-xl font-semibold">You don’t have access</h1>
      <p className="max-w-md text-muted">
        Your role ({role}) doesn’t include this page. If you need access, ask the account owner or
        an admin.
      </p>
      <HomeLink />
    </div>
  )
}

function HomeLink() {
  return (
    <Link to="/" className={textLinkClass}>
      Go to Home
    </Link>
  )
}

export function LoadingPage() {
  return (
    <div aria-busy="true" role="status">
      <span className="sr-only">Loading</span>
      <div className="skeleton mb-6 h-8 w-48" />
      <div className="skeleton h-64 rounded-xl opacity-40" />
    </div>
  )
}
