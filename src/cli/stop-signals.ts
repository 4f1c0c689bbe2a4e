// Stop requests for long-running commands: signals, or a call of request().

export interface Stop {
  /** Aborted by the first stop request. */
  signal: AbortSignal
  requested: Promise<void>
  /** Time left to stop gracefully; the full time before a stop is requested. */
  leftMs(): number
  request(): void
  /** Stops listening; a signal then ends the process as usual. */
  release(): void
}

// One Ctrl-C can arrive twice: npm, and the launcher when it runs another Node.js, forward it to a
// process that already received it from the terminal. Both arrive within milliseconds.
const duplicate_ms = 400

// `docker stop` kills the process after ten seconds.
const stop_timeout_ms = 9_500

const listening = new Set<() => void>()

/** Acts like a signal. Returns false if no command listens, so nothing has to be released. */
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
      setTimeout(giveUp, stop_timeout_ms).unref()
      controller.abort(new Error('Florin was stopped during startup.'))
      resolve()
    } else if (performance.now() - first_ms > duplicate_ms) {
      giveUp()
    }
  }

  for (const name of names) process.on(name, request)
  listening.add(request)
  const release = () => {
    listening.delete(request)
    for (const name of names) process.off(name, request)
  }
  const leftMs = () => stop_timeout_ms - (first_ms === undefined ? 0 : performance.now() - first_ms)
  return { signal: controller.signal, requested, leftMs, request, release }
}

// Closing a terminal sends SIGHUP.
const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// The worker exits with this process; the next start adopts the embedded database.
function giveUp(): never {
  process.exit(1)
}
