import type { ChildProcess } from 'node:child_process'

/**
 * Waits for `work`, and sends SIGINT to the PostgreSQL program if the signal is aborted meanwhile.
 * Once the work is done, an abort has no effect: the server keeps running after its start.
 */
export async function endWhenAborted<Result>(
  child: ChildProcess,
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  const end = () => void child.kill('SIGINT')
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    return await work
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
