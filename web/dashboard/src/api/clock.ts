// What time it is. Business time is the sandbox's clock, which may be ahead of real time: each
// answer of the API says by how much, so no page has to ask. Sessions, webhooks and the request log
// keep to real time.

import { useSyncExternalStore } from 'react'

let ahead_ms = 0
let now_ms = Date.now()
const listeners = new Set<() => void>()

// "2 min. ago" grows older while somebody looks at it.
const tick_ms = 30_000

export function updateClockOffset(response: Response): Response {
  const told = Number(response.headers.get('florin-clock-ahead') ?? 0)
  if (told !== ahead_ms) {
    ahead_ms = told
    tell()
  }
  return response
}

/** Milliseconds by which the sandbox's clock is ahead. */
export function useClockAhead(): number {
  return useSyncExternalStore(listen, () => ahead_ms)
}

/** Now, a moment ago at the most. */
export function useNow(clock: 'business' | 'real'): number {
  const now = useSyncExternalStore(listen, () => now_ms)
  const ahead = useClockAhead()
  return clock === 'real' ? now : now + ahead
}

function tell(): void {
  now_ms = Date.now()
  for (const listener of listeners) listener()
}

let timer: ReturnType<typeof setInterval> | undefined

function listen(listener: () => void): () => void {
  listeners.add(listener)
  // Whatever is drawn first after a while alone counts from its own moment.
  if (Date.now() - now_ms > tick_ms) now_ms = Date.now()
  timer ??= setInterval(tell, tick_ms)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
