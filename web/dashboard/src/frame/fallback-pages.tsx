import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { FlorinError } from '../../../../client/src/florin.ts'
import { Failure, textLinkClass } from '../parts/failure.tsx'

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <title>Not found · Florin</title>
      <h1 className="text-xl font-semibold">There is no such page.</h1>
      <p className="text-muted">Search above to find anything by its id.</p>
      <WayHome />
    </div>
  )
}

/** For what fails before there is a shell. */
export function RootErrorPage(props: ErrorComponentProps) {
  return (
    <main>
      <PageError {...props} />
    </main>
  )
}

/** In a page's place, within the shell: what broke is the page, and all others still work. */
export function PageError({ error, reset }: ErrorComponentProps) {
  // An answer of the server, or none, is no fault of the page.
  const title = error instanceof FlorinError ? undefined : 'This page has broken.'
  return (
    <>
      <title>Error · Florin</title>
      <h1 className="sr-only">Error</h1>
      <Failure title={title} error={error as Error} retry={reset} />
    </>
  )
}

/** In the place of a page that the person's role may not open. */
export function ForbiddenPage({ role }: { role: string }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <title>Not allowed · Florin</title>
      <h1 className="text-xl font-semibold">You may not open this page.</h1>
      <p className="max-w-md text-muted">
        Your role, {role}, does not include it. Ask the account’s owner or an admin if you need it.
      </p>
      <WayHome />
    </div>
  )
}

function WayHome() {
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
