// What it costs to be told: payments while every event of every account that gets paid is followed
// by a stream, against the same payments with nobody listening.

import { createRequest, openAccountSessions } from './account-sessions.ts'
import { EventStreamReaders } from './event-readers.ts'
import { InterleavedRuns, type Options } from './interleaved-runs.ts'
import { startFlorin } from './processes.ts'
import type { Figure } from './run.ts'
import { median } from './statistics.ts'
import { seed, type WithTarget } from './targets.ts'

// As many accounts as a busy platform has at one moment, each with a listener of its own.
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
      const heard: number[] = []
      const round = async () => {
        await runs.once({ ...pay, name: 'nobody listens' }, options.seconds)
        const readers = new EventStreamReaders()
        await readers.open(port, sessions)
        await runs.once({ ...pay, name: 'every event is followed' }, options.seconds)
        heard.push(await readers.close())
      }
      // The first round warms the server up.
      await round()
      for (const name of Object.keys(runs.all)) delete runs.all[name]
      for (let n = 0; n < options.rounds; n++) await round()
      return [
        {
          name: 'payments with event streams ÷ without',
          value: runs.ratio('every event is followed', 'nobody listens'),
          unit: 'ratio',
          least: 0.8,
          details: { ...runs.all, events_received: median(heard) },
        },
      ]
    } finally {
      await florin.stop()
    }
  })
}
