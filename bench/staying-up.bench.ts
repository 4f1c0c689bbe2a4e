// Staying up: what PROMISES has with a time or a count of processes. `npm run bench -- staying-up`
// runs all of it, which takes some minutes and kills servers; each part has a name of its own too.

import { Guard } from '../test/simulation/servers/guard-client.ts'
import { killed, startedAtOnce } from './comebacks.ts'
import { floods } from './floods.ts'
import { loginTimingBench } from './identity.bench.ts'
import type { Options } from './legs.ts'
import type { WithTarget } from './targets.ts'
import { readsOverTwo } from './reads-over-two.ts'
import type { Figure } from './run.ts'

type Part = (withTarget: WithTarget, options: Options) => Promise<Figure[]>

/** These bring databases of their own, because they end them. */
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
  'kill-9': guarded((guard, quick) => killed(guard, quick ? 4 : 20)),
  'three-at-once': guarded((guard, quick) => startedAtOnce(guard, quick ? 2 : 20)),
  'two-processes': guarded((guard, quick) => readsOverTwo(guard, quick ? 1_000 : 10_000)),
}

export const stayingUp: Record<string, Part> = {
  ...parts,
  async 'staying-up'(withTarget, options) {
    const figures: Figure[] = []
    for (const part of Object.values(parts)) figures.push(...(await part(withTarget, options)))
    return figures
  },
}
