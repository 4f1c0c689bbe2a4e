// The current time. Business time is the sandbox clock, which may be ahead of real time; every API
// response carries the offset in a header. Sessions, webhooks and the request log use real time.

import { useSyncExternalStore } from 'react'

let ahead_ms = 0
let now_ms = Date.now()
const listeners = new Set<() => void>()

// How often relative times ("2 min ago") are refreshed.
const tick_ms = 30_000

export function updateClockOffset(response: Response): Response {
  const received = Number(response.headers.get('florin-clock-ahead') ?? 0)
  if (received !== ahead_ms) {
    ahead_ms = received
    notify()
  }
  return response
}

/** Milliseconds by which the sandbox clock is ahead of real time. */
export function useClockAhead(): number {
  return useSyncExternalStore(listen, () => ahead_ms)
}

/** The current time, at most `tick_ms` old. */
export function useNow(clock: 'business' | 'real'): number {
  const now = useSyncExternalStore(listen, () => now_ms)
  const ahead = useClockAhead()
  return clock === 'real' ? now : now + ahead
}

function notify(): void {
  now_ms = Date.now()
  for (const listener of listeners) listener()
}

let timer: ReturnType<typeof setInterval> | undefined

function listen(listener: () => void): () => void {
  listeners.add(listener)
  // The timer stops without listeners, so now_ms may be stale.
  if (Date.now() - now_ms > tick_ms) now_ms = Date.now()
  timer ??= setInterval(notify, tick_ms)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
