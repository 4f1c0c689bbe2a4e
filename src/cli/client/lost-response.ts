// Messages for a missing or incomplete response. Running the same command again could make the
// change twice, so the message includes the Idempotency-Key of the first request.

import { wasNeverSent } from '../../primitives/never-sent.ts'
import { type Failure, ServerUnreachable } from '../failures.ts'
import { quoteIfNeeded } from '../shell-word.ts'

/** A change whose outcome may become unknown. */
export interface RequestedChange {
  /** Undefined without a login: Florin stores responses only for authenticated callers. */
  key: string | undefined
  /** Whether the command has --idempotency-key. */
  takes_idempotency_key: boolean
}

export function unreachable(
  url: string,
  error: unknown,
  change?: RequestedChange,
): ServerUnreachable {
  const timed_out = (error as Error).name === 'TimeoutError'
  if (change === undefined || wasNeverSent(error)) {
    const reason = timed_out ? 'no response in time' : reasonOf(error)
    return new ServerUnreachable(
      `Cannot reach a Florin server at ${url} (${reason}). Start one with florin start, ` +
        'or choose another with --server or FLORIN_SERVER.',
    )
  }
  const message = timed_out
    ? `No response from ${url} in time. The change may have been applied.`
    : `The connection to ${url} was lost (${reasonOf(error)}). The change may have been applied.`
  return new ServerUnreachable(message, nextAfter(change))
}

export function responseCutOff(
  url: string,
  error: unknown,
  change?: RequestedChange,
): ServerUnreachable {
  return new ServerUnreachable(
    `The connection to ${url} was lost before the response was complete (${reasonOf(error)}). ` +
      'The request may have been processed.',
    change && nextAfter(change),
  )
}

/** The server, or a proxy in front of it, may have failed after the change was applied. */
export function withUnknownOutcome(failure: Failure, change: RequestedChange): Failure {
  const { status, message } = failure
  const next = nextAfter(change) ?? failure.next
  return {
    ...failure,
    message: `The server returned status ${status}; the change may have been applied. ${message}`,
    ...(next !== undefined && { next }),
  }
}

function nextAfter({ key, takes_idempotency_key }: RequestedChange): string | undefined {
  if (!takes_idempotency_key) return undefined
  return key === undefined
    ? 'check whether the change was applied before you run the command again'
    : `run it again with --idempotency-key ${quoteIfNeeded(key)}, so it is applied only once`
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  return cause?.code ?? cause?.message ?? 'unknown'
}
