// What is said where no answer came, or not all of it. Whoever asked for a change and runs the same
// line again makes a second one, unless the key of the first is told.

import { wasNeverSent } from '../primitives/never-sent.ts'
import { type Failure, ServerUnreachable } from './failures.ts'
import { quoteIfNeeded } from './shell-word.ts'

/** A change that was asked for, of which nobody may come to know whether it happened. */
export interface RequestedChange {
  /** Undefined where it protects from nothing: Florin keeps no answers for nobody. */
  key: string | undefined
  /** Whether the command takes --idempotency-key. */
  takes_idempotency_key: boolean
}

export function unreachable(
  url: string,
  error: unknown,
  change?: RequestedChange,
): ServerUnreachable {
  const timed_out = (error as Error).name === 'TimeoutError'
  if (change === undefined || wasNeverSent(error)) {
    const reason = timed_out ? 'no response came in time' : reasonOf(error)
    return new ServerUnreachable(
      `No Florin answers at ${url} (${reason}). Start one with florin start, ` +
        'or name another with --server or FLORIN_SERVER.',
    )
  }
  const message = timed_out
    ? `No response came from ${url} in time, and the change may have happened.`
    : `The connection to ${url} was lost (${reasonOf(error)}), and the change may have happened.`
  return new ServerUnreachable(message, nextAfter(change))
}

export function responseCutOff(
  url: string,
  error: unknown,
  change?: RequestedChange,
): ServerUnreachable {
  return new ServerUnreachable(
    `The connection to ${url} broke before the whole response had come (${reasonOf(error)}). ` +
      'The server may have done what was asked.',
    change && nextAfter(change),
  )
}

/** A server that fails may have failed after the change, or what stands before it has. */
export function withUnknownOutcome(failure: Failure, change: RequestedChange): Failure {
  const { status, message } = failure
  const next = nextAfter(change) ?? failure.next
  return {
    ...failure,
    message: `The change may have happened: the server answered ${status}. ${message}`,
    ...(next !== undefined && { next }),
  }
}

function nextAfter({ key, takes_idempotency_key }: RequestedChange): string | undefined {
  if (!takes_idempotency_key) return undefined
  return key === undefined
    ? 'look whether it did, before you run it again'
    : `run it again with --idempotency-key ${quoteIfNeeded(key)}: it then happens once`
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  return cause?.code ?? cause?.message ?? 'unknown'
}
