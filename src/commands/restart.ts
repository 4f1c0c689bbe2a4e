// A long-running command whose memory is nearly full, or whose database has moved, stops in good
// order and begins anew, in the same process: whoever started it waits for this one.

import type { Logger } from 'pino'
import type { Stop } from './stop-signals.ts'
import { watchMemory } from './watch-memory.ts'

// A process that hardly finds memory may need long to stop. It loses nothing when it is cut short.
const in_order_ms = 5_000

export interface RestartRequest {
  /** Stops the command in good order, to begin anew then. */
  request(): void
  /** Whether that was the reason, which is asked when it has stopped. */
  isRequested(): boolean
}

/** Asks for it when memory is nearly full, and says so; others may have reasons of their own. */
export function restartWhenFull(log: Logger, stop: Stop): RestartRequest {
  let is_requested = false
  const request = () => {
    is_requested = true
    setTimeout(() => restart(log), in_order_ms).unref()
    stop.request()
  }
  watchMemory(({ sentence, ...memory }) => {
    // Whoever has told us to stop meant it.
    if (stop.signal.aborted) return
    log.error(memory, sentence)
    request()
  })
  return { request, isRequested: () => is_requested }
}

/** What is left of us is at most a database without a server, which the new one adopts. */
export async function restart(log: Logger): Promise<void> {
  // Nothing is written on the way out of a process that is replaced, not even why it is.
  await new Promise((written) => log.flush(written))
  const { execPath, execArgv, argv } = process
  // Where there is none, as on Windows, whoever watches over us has to start us again.
  process.exitCode = 1
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)])
}
