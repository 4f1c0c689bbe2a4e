// A machine that stands still for a second refuses whoever waited that long, and has done nothing
// for them. Tests that are about something else come back, as the answer asks.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './call.ts'
import type { Another, Florin } from './florin.ts'

/** The same Florin, asked again where it was too busy. */
export function comeBack(florin: Florin): Florin {
  const another = async (...given: Parameters<Florin['another']>): Promise<Another> => {
    const second = await florin.another(...given)
    return { ...second, call: askAgain(second.call) }
  }
  return { ...florin, call: askAgain(florin.call), another }
}

const tries_max = 5

function askAgain(call: Florin['call']): Florin['call'] {
  return async (...asked) => {
    for (let tries = 1; ; tries++) {
      const answer = await call(...asked)
      if (!isTooBusy(answer) || tries === tries_max) return answer
      await sleep(500)
    }
  }
}

function isTooBusy({ status, body }: Answer): boolean {
  return status === 503 && /^Florin is too busy/.test(body?.message)
}
