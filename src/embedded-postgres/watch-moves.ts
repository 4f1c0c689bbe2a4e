// Detects that the embedded database has moved, for long-running processes that joined it. Every
// start uses a new random socket directory, and pools with the old one would fail forever.

import { findRunningEmbedded } from './open-embedded.ts'

export interface MoveWatch {
  /** Resolves when a server of the same data directory listens on another socket. */
  moved: Promise<void>
  stop(): void
}

const interval_ms = 1_000

/** Checks only while the joined server is unreachable, because each check costs a connection. */
export function watchMoves(
  data_path: string,
  joined: { host?: string | undefined },
  isAway: () => boolean,
): MoveWatch {
  const { promise: moved, resolve } = Promise.withResolvers<void>()
  let is_checking = false
  const check = async () => {
    if (is_checking || !isAway()) return
    is_checking = true
    // Errors are ignored: the server may be reachable at the next check.
    const running = await findRunningEmbedded(data_path).catch(() => undefined)
    is_checking = false
    if (running === undefined || running.host === joined.host) return
    clearInterval(timer)
    resolve()
  }
  const timer = setInterval(check, interval_ms).unref()
  return { moved, stop: () => clearInterval(timer) }
}
