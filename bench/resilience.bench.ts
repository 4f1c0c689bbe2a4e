// Availability figures: time limits and process counts. `npm run bench -- resilience` runs all of
// them, which takes some minutes and kills servers. Each part can also be run by its name.

import { Guard } from '../test/simulation/servers/guard-client.ts'
import { crossProcessReads } from './cross-process-reads.ts'
import type { Figure } from './figure.ts'
import { floods } from './floods.ts'
import { loginTimingBench } from './identity.bench.ts'
import type { Options } from './interleaved-runs.ts'
import { concurrentStarts, killRecovery } from './recovery.ts'
import type { WithTarget } from './targets.ts'

type Part = (withTarget: WithTarget, options: Options) => Promise<Figure[]>

/** Parts that create their own databases, because they kill them. */
function guarded(work: (guard: Guard, quick: boolean) => Promise<Figure[]>): Part {
  return async (_, { quick }) => {
    const guard = new Guard()
    try {
      return await work(guard, quick)
    } finally {
      await guard.end()
    }
  }
}

const parts: Record<string, Part> = {
  floods: (withTarget, { quick }) => floods(withTarget, quick),
  'login-times': async (withTarget, options) => [await loginTimingBench(withTarget, options)],
  'kill-9': guarded((guard, quick) => killRecovery(guard, quick ? 4 : 20)),
  'three-at-once': guarded((guard, quick) => concurrentStarts(guard, quick ? 2 : 20)),
  'two-processes': guarded((guard, quick) => crossProcessReads(guard, quick ? 1_000 : 10_000)),
}

export const resilience: Record<string, Part> = {
  ...parts,
  async resilience(withTarget, options) {
    const figures: Figure[] = []
    for (const part of Object.values(parts)) figures.push(...(await part(withTarget, options)))
    return figures
  },
}
