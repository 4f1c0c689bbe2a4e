// What it costs to be told: payments while every event of every account that gets paid is followed
// by a stream, against the same payments with nobody listening.

import { Readers } from './event-readers.ts'
import { Legs, type Options } from './legs.ts'
import { seed, type WithTarget } from './targets.ts'
import { startFlorin } from './processes.ts'
import type { Figure } from './run.ts'
import { median } from './statistics.ts'
import { createRequest, openTills } from './tills.ts'

// As many accounts as a busy platform has at one moment, each with a listener of its own.
const accounts = 50

export function events(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 200, 1_000)
    const florin = await startFlorin(target.env)
    try {
      const tills = (await openTills(target)).slice(0, accounts)
      const { port } = florin
      const pay = { port, requests: tills.map(createRequest), status: 201 }
      const legs = new Legs()
      const heard: number[] = []
      const round = async () => {
        await legs.once({ ...pay, name: 'nobody listens' }, options.seconds)
        const readers = new Readers()
        await readers.open(port, tills)
        await legs.once({ ...pay, name: 'every event is followed' }, options.seconds)
        heard.push(await readers.close())
      }
      // The first round warms the server up.
      await round()
      for (const name of Object.keys(legs.all)) delete legs.all[name]
      for (let n = 0; n < options.rounds; n++) await round()
      return [
        {
          name: 'payments with event streams ÷ without',
          value: legs.ratio('every event is followed', 'nobody listens'),
          unit: 'ratio',
          least: 0.8,
          details: { ...legs.all, events_received: median(heard) },
        },
      ]
    } finally {
      await florin.stop()
    }
  })
}
