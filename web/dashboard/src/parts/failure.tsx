import { ApiError } from '../api/request.ts'
import { Button } from './button.tsx'

/** What went wrong, why, and another try. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const request_id = error instanceof ApiError ? error.request_id : null
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="font-semibold">This could not be loaded.</p>
      <p className="max-w-md text-muted">{error.message}</p>
      {request_id && <p className="font-mono text-xs text-muted">{request_id}</p>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}
