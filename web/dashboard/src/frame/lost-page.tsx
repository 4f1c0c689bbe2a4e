import type { ErrorComponentProps } from '@tanstack/react-router'
import { Failure } from '../parts/failure.tsx'

export function LostPage() {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <title>Not found · Florin</title>
      <h1 className="text-xl font-semibold">There is no such page.</h1>
      <p className="text-muted">Press / to find anything by its id.</p>
      <a href="/dashboard" className="font-semibold text-brand hover:underline">
        Go to Home
      </a>
    </div>
  )
}

export function FailedPage({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <title>Error · Florin</title>
      <Failure error={error as Error} retry={reset} />
    </main>
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
