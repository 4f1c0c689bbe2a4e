import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { FlorinError } from '../../../../client/src/florin.ts'
import { sessionQuery } from '../api/use-florin.ts'
import { findFallbackEntry } from '../frame/navigation.ts'
import { Button } from './button.tsx'
import { reasonOf } from './reason-of.ts'

interface FailureProps {
  title?: string | undefined
  error: Error
  retry?: () => void
}

/** An error with its reason and a retry button, or a link back if a retry cannot succeed. */
export function Failure({ title = 'Could not load this data', error, retry }: FailureProps) {
  const api_error = error instanceof FlorinError ? error : undefined
  const is_final = api_error?.status === 404 || api_error?.status === 403
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-base font-semibold text-balance">{title}</p>
      <p className="max-w-md text-balance wrap-anywhere text-muted">{reasonOf(error)}</p>
      {api_error?.request_id && (
        <p className="font-mono text-xs text-muted">{api_error.request_id}</p>
      )}
      {is_final ? <FallbackLink /> : retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

export const textLinkClass = `inline-flex items-center font-semibold text-brand hover:underline
 pointer-coarse:min-h-11`

function FallbackLink() {
  const { pathname } = useLocation()
  // Not useUser: this is also shown before login.
  const may = useQuery({ ...sessionQuery, enabled: false }).data?.user?.may ?? []
  const entry = findFallbackEntry(pathname, may)
  if (entry === undefined) return null
  return (
    <Link to={entry.to as '/'} className={textLinkClass}>
      {entry.to === '/' ? 'Go to Home' : `Back to ${entry.name}`}
    </Link>
  )
}
