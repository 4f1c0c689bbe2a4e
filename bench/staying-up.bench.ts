// Staying up: what PROMISES has with a time. `npm run bench -- staying-up` runs it; it takes some
// minutes, kills servers, and says nothing of speed, so it is not among the parts that run unasked.

import { Guard } from '../test/simulation/servers/guarded.ts'
import { killed, startedAtOnce } from './comebacks.ts'
import { floods } from './floods.ts'
import { logInTimes } from './identity.bench.ts'
import type { Options } from './legs.ts'
import type { WithPlace } from './places.ts'
import { readsOverTwo } from './reads-over-two.ts'
import type { Figure } from './run.ts'

export async function stayingUp(withPlace: WithPlace, options: Options): Promise<Figure[]> {
  const { quick } = options
  const guard = new Guard()
  try {
    return [
      ...(await floods(withPlace, quick)),
      await logInTimes(withPlace, options),
      ...(await killed(guard, quick ? 4 : 20)),
      ...(await startedAtOnce(guard, quick ? 2 : 20)),
      ...(await readsOverTwo(guard, quick ? 1_000 : 10_000)),
    ]
  } finally {
    await guard.end()
  }
}
