// A long-running command whose memory is nearly full stops in good order and begins anew, in the
// same process: whoever started it waits for this one.

import type { Logger } from 'pino'
import type { Stop } from './stop-signals.ts'
import { watchMemory } from './watch-memory.ts'

// A process that hardly finds memory may need long to stop. It loses nothing when it is cut short.
const in_order_ms = 5_000

/** Asks it to stop, and says why; whether that was the reason is asked when it has stopped. */
export function stopWhenFull(log: Logger, stop: Stop): { isFull(): boolean } {
  let is_full = false
  watchMemory(({ sentence, ...memory }) => {
    // Whoever has told us to stop meant it.
    if (stop.signal.aborted) return
    log.error(memory, sentence)
    is_full = true
    setTimeout(() => beginAnew(log), in_order_ms).unref()
    stop.request()
  })
  return { isFull: () => is_full }
}

/** What is left of us is at most a database without a server, which the new one adopts. */
export async function beginAnew(log: Logger): Promise<void> {
  // Nothing is written on the way out of a process that is replaced, not even why it is.
  await new Promise((written) => log.flush(written))
  const { execPath, execArgv, argv } = process
  // Where there is none, as on Windows, whoever watches over us has to start us again.
  process.exitCode = 1
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)])
}
