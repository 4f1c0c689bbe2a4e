// Reading that takes much of the processor goes in turns: a few at a time, and one for each key, so
// that whoever asks for fifty neither takes the processor from payments nor the turn from others.

import { Refusal } from '../primitives/refusal.ts'

export interface TurnLimits {
  at_once_max: number
  /** Whoever has waited this long is refused, at the next turn. */
  wait_max_ms: number
}

interface Waiting {
  since: number
  begin(): void
  reject(error: unknown): void
}

export type Turns = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>

export function takeTurns({ at_once_max, wait_max_ms }: TurnLimits): Turns {
  const reading = new Set<string>()
  /** By key; whoever has had a turn goes behind all others. */
  const waiting = new Map<string, Waiting[]>()

  function next(): void {
    refuseOld()
    for (const [key, [first, ...rest]] of [...waiting]) {
      if (reading.size >= at_once_max) return
      if (reading.has(key)) continue
      reading.add(key)
      waiting.delete(key)
      if (rest.length > 0) waiting.set(key, rest)
      first!.begin()
    }
  }

  function refuseOld(): void {
    const oldest = performance.now() - wait_max_ms
    for (const [key, items] of waiting) {
      const left = items.filter(({ since }) => since >= oldest)
      for (const item of items) if (item.since < oldest) item.reject(tooMany())
      if (left.length === 0) waiting.delete(key)
      else if (left.length < items.length) waiting.set(key, left)
    }
  }

  return async (key, read) => {
    await new Promise<void>((begin, reject) => {
      const item = { since: performance.now(), begin, reject }
      waiting.set(key, [...(waiting.get(key) ?? []), item])
      next()
    })
    try {
      return await read()
    } finally {
      reading.delete(key)
      next()
    }
  }
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'Too many searches are asked for at once. Try again shortly.', {
    retry_after_s: 1,
  })
}
