// One operation of the soak's mix.

import type { SoakResponse } from './soak-client.ts'
import type { SoakWorld } from './soak-world.ts'

/** 'ok', 'busy' for a 503, or what was wrong; undefined if there was nothing to act on. */
type Outcome = string | undefined

export interface Operation {
  /** The relative frequency. */
  weight: number
  run(world: SoakWorld): Promise<Outcome>
}

export function expectStatus({ status, text }: SoakResponse, expected: number[]): Outcome {
  if (expected.includes(status)) return 'ok'
  return status === 503 ? 'busy' : `${status} ${text.slice(0, 200)}`
}
