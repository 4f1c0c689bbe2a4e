import type { ChildProcess } from 'node:child_process'

/**
 * Waits for what a program of PostgreSQL does, and tells it to end when nobody wants that any more.
 * Once the work is done, the signal no longer reaches the program: a database outlives its start.
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
