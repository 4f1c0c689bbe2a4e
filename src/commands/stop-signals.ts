// How a long-running command learns that it must stop.

export interface Stop {
  /** Aborted by the first word to stop. */
  signal: AbortSignal
  requested: Promise<void>
  /** How long until whoever asked gives up; all of it as long as nobody has asked. */
  leftMs(): number
  request(): void
  /** No longer listens; a signal then ends the process as usual. */
  release(): void
}

// npm passes Ctrl-C on to a process that the terminal has told already, and so does the launcher
// when it runs another Node; both within milliseconds. A second press of a key takes longer.
const same_press_ms = 400

// Whoever asked waits at most ten seconds, as `docker stop` does before it kills.
const patience_ms = 9_500

const listening = new Set<() => void>()

/** As a signal does. False when nobody listens, so that nothing must be put away. */
export function requestStop(): boolean {
  for (const request of listening) request()
  return listening.size > 0
}

export function listenForStop(): Stop {
  const controller = new AbortController()
  const { promise: requested, resolve } = Promise.withResolvers<void>()
  let first_ms: number | undefined

  function request(): void {
    if (first_ms === undefined) {
      first_ms = performance.now()
      setTimeout(giveUp, patience_ms).unref()
      controller.abort(new Error('Florin was stopped while it started.'))
      resolve()
    } else if (performance.now() - first_ms > same_press_ms) {
      giveUp()
    }
  }

  for (const name of names) process.on(name, request)
  listening.add(request)
  const release = () => {
    listening.delete(request)
    for (const name of names) process.off(name, request)
  }
  const leftMs = () => patience_ms - (first_ms === undefined ? 0 : performance.now() - first_ms)
  return { signal: controller.signal, requested, leftMs, request, release }
}

// A terminal that is closed sends SIGHUP.
const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// The worker ends with us; the database is adopted by the next start.
function giveUp(): never {
  process.exit(1)
}
