// Reading that takes much of the processor goes in turns: a few at a time, and one for each key, so
// that whoever asks for fifty neither takes the processor from payments nor the turn from others.

import { Refusal } from '../primitives/refusal.ts'

export interface TurnLimits {
  at_once_max: number
  /** Whoever has waited this long is refused, at the next turn. */
  wait_max_ms: number
}

interface Waiting {
  key: string
  since: number
  begin(): void
  reject(error: unknown): void
}

export type Turns = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>

export function takeTurns({ at_once_max, wait_max_ms }: TurnLimits): Turns {
  const reading = new Set<string>()
  let waiting: Waiting[] = []

  function next(): void {
    const oldest = performance.now() - wait_max_ms
    const left: Waiting[] = []
    for (const item of waiting) {
      if (item.since < oldest) item.reject(tooMany())
      else if (reading.size >= at_once_max || reading.has(item.key)) left.push(item)
      else {
        reading.add(item.key)
        item.begin()
      }
    }
    waiting = left
  }

  return async (key, read) => {
    await new Promise<void>((begin, reject) => {
      waiting.push({ key, since: performance.now(), begin, reject })
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
  return new Refusal('unavailable', 'Too many reports are asked for at once. Try again shortly.', {
    retry_after_s: 1,
  })
}
