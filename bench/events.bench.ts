// The cost of event streams: payments while a stream follows every paid account, compared with the
// same payments without any stream.

import { createRequest, openAccountSessions } from './account-sessions.ts'
import { EventStreamReaders } from './event-readers.ts'
import type { Figure } from './figure.ts'
import { InterleavedRuns, type Options } from './interleaved-runs.ts'
import { startFlorin } from './processes.ts'
import { median } from './statistics.ts'
import { seed, type WithTarget } from './targets.ts'

// About as many accounts as a busy platform has active at one moment, each with one stream.
const accounts = 50

export function events(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 200, 1_000)
    const florin = await startFlorin(target.env)
    try {
      const sessions = (await openAccountSessions(target)).slice(0, accounts)
      const { port } = florin
      const pay = { port, requests: sessions.map(createRequest), status: 201 }
      const runs = new InterleavedRuns()
      const received: number[] = []
      const round = async () => {
        await runs.once({ ...pay, name: 'without streams' }, options.seconds)
        const readers = new EventStreamReaders()
        await readers.open(port, sessions)
        await runs.once({ ...pay, name: 'with streams' }, options.seconds)
        received.push(await readers.close())
      }
      // The first round warms up the server.
      await round()
      for (const name of Object.keys(runs.all)) delete runs.all[name]
      for (let n = 0; n < options.rounds; n++) await round()
      return [
        {
          name: 'payments with event streams ÷ without',
          value: runs.ratio('with streams', 'without streams'),
          unit: 'ratio',
          min: 0.8,
          details: { ...runs.all, events_received: median(received) },
        },
      ]
    } finally {
      await florin.stop()
    }
  })
}
