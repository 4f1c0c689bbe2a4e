// Restarts a long-running command whose memory is nearly full or whose database has moved. It shuts
// down gracefully and then replaces itself with execve, because its parent waits for this pid.

import type { Logger } from 'pino'
import type { Stop } from '../stop-signals.ts'
import { watchMemory } from './watch-memory.ts'

// Without free memory a graceful shutdown can take a long time. Cutting it short loses no data.
const shutdown_ms = 5_000

export interface RestartRequest {
  /** Shuts the command down gracefully, to restart it. */
  request(): void
  /** Whether the shutdown was requested for a restart. */
  isRequested(): boolean
}

/** Requests a restart when memory is nearly full. Callers can request one for other reasons. */
export function restartWhenFull(log: Logger, stop: Stop): RestartRequest {
  let is_requested = false
  const request = () => {
    is_requested = true
    setTimeout(() => restart(log), shutdown_ms).unref()
    stop.request()
  }
  watchMemory(({ message, ...memory }) => {
    // A requested stop takes precedence over a restart.
    if (stop.signal.aborted) return
    log.error(memory, message)
    request()
  })
  return { request, isRequested: () => is_requested }
}

/** Replaces the process. The new one adopts an embedded database that still runs. */
export async function restart(log: Logger): Promise<void> {
  // execve discards unwritten log lines, including the reason for the restart.
  await new Promise((written) => log.flush(written))
  const { execPath, execArgv, argv } = process
  // Without execve, as on Windows, the service manager has to restart the process.
  process.exitCode = 1
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)])
}
