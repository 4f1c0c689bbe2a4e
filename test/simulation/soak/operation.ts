// One thing that a soak does, over and over.

import type { SoakResponse } from './soak-client.ts'
import type { SoakWorld } from './soak-world.ts'

/** 'ok', 'busy' for a 503, or what was wrong; undefined when there was nothing to act on. */
export type Outcome = string | undefined

export interface Operation {
  /** How often, compared with the others. */
  weight: number
  run(world: SoakWorld): Promise<Outcome>
}

export function one({ status, text }: SoakResponse, good: number[]): Outcome {
  if (good.includes(status)) return 'ok'
  return status === 503 ? 'busy' : `${status} ${text.slice(0, 200)}`
}
