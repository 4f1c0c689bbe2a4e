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

/** What went wrong, why, and another try; a way back where a try would end the same way. */
export function Failure({ title = 'This could not be loaded.', error, retry }: FailureProps) {
  const told = error instanceof FlorinError ? error : undefined
  const is_final = told?.status === 404 || told?.status === 403
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-base font-semibold text-balance">{title}</p>
      <p className="max-w-md text-balance wrap-anywhere text-muted">{reasonOf(error)}</p>
      {told?.request_id && <p className="font-mono text-xs text-muted">{told.request_id}</p>}
      {is_final ? <WayBack /> : retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

export const textLinkClass = `inline-flex items-center font-semibold text-brand hover:underline
 pointer-coarse:min-h-11`

function WayBack() {
  const { pathname } = useLocation()
  // Not useUser: it also stands where nobody has come in yet.
  const may = useQuery({ ...sessionQuery, enabled: false }).data?.user?.may ?? []
  const way = findFallbackEntry(pathname, may)
  if (way === undefined) return null
  return (
    <Link to={way.to as '/'} className={textLinkClass}>
      {way.to === '/' ? 'Go to Home' : `Back to ${way.name}`}
    </Link>
  )
}
