import { FlorinError } from '../../../../client/src/florin.ts'
import { Button } from './button.tsx'

/** What went wrong, why, and another try. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const told = error instanceof FlorinError ? error : undefined
  const away = told !== undefined && told.status === undefined
  const message = away ? 'The server does not answer. Is it running?' : error.message
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="font-semibold">This could not be loaded.</p>
      <p className="max-w-md text-muted">{message}</p>
      {told?.request_id && <p className="font-mono text-xs text-muted">{told.request_id}</p>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}
