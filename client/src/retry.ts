// Retries: how long to wait, and waiting until a signal aborts.

import { isTransient } from './outcome.ts'

// Two attempts within two seconds survive a server restart. Exponential backoff keeps many clients
// from overloading a server that starts.
const wait_ms_min = 500
const wait_ms_max = 8_000
// A longer Retry-After is not waited for; the error has `retry_after_s`.
const retry_after_max_s = 30

/** How long to wait before the next attempt; undefined for an error that is not transient. */
export function waitBeforeRetry(
  error: unknown,
  attempts: number,
  random: number,
): number | undefined {
  if (!isTransient(error)) return undefined
  const { retry_after_s = 0 } = error
  if (retry_after_s > retry_after_max_s) return undefined
  return retry_after_s * 1000 + backoff(attempts, random)
}

/** Exponential backoff with jitter between 50 and 100 percent. */
export function backoff(attempts: number, random: number): number {
  const wait_ms = Math.min(wait_ms_max, wait_ms_min * 2 ** (attempts - 1))
  return wait_ms * (0.5 + random / 2)
}

/** Waits, or rejects when the signal aborts. */
export function pause(wait_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, wait_ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Rejects when the signal aborts. The work itself continues for other callers. */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
