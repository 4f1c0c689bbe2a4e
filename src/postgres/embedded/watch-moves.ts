// For whoever has joined the embedded database and stays. Each start gives its socket a directory
// of another name, so that nobody can be there first: pools that know the old one would probe there
// for ever, and nobody would be told.

import { findRunningEmbedded } from './open-embedded.ts'

export interface MoveWatch {
  /** Comes once, when a server of the same data lives at another place. */
  moved: Promise<void>
  stop(): void
}

const look_every_ms = 1_000

/** Looks only while the one that was joined is away: it costs a connection. */
export function watchMoves(
  data_path: string,
  joined: { host?: string | undefined },
  isAway: () => boolean,
): MoveWatch {
  const { promise: moved, resolve } = Promise.withResolvers<void>()
  let is_looking = false
  const look = async () => {
    if (is_looking || !isAway()) return
    is_looking = true
    // A server that is not there, or not ours to see, may be there at the next look.
    const running = await findRunningEmbedded(data_path).catch(() => undefined)
    is_looking = false
    if (running === undefined || running.host === joined.host) return
    clearInterval(timer)
    resolve()
  }
  const timer = setInterval(look, look_every_ms).unref()
  return { moved, stop: () => clearInterval(timer) }
}
