// Time until requests are served, on an empty data directory and on a used one, and the memory of
// the idle server.

import type { Figure } from './figure.ts'
import { residentMb, startEcho, startFlorin, withFolder } from './processes.ts'
import { median, ratio } from './statistics.ts'

export async function startUp({ rounds }: { rounds: number }): Promise<Figure[]> {
  const cold: number[] = []
  const warm: number[] = []
  const bare: number[] = []
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    await withFolder(async (data_path) => {
      for (const times of [cold, warm]) {
        const florin = await startFlorin({ FLORIN_DATA: data_path })
        times.push(florin.ready_ms)
        await new Promise((done) => setTimeout(done, 1_000))
        memory.push((await residentMb(florin.pid)) ?? Number.NaN)
        await florin.stop()
      }
    })
    const echo = await startEcho('{}')
    bare.push(echo.ready_ms)
    await echo.stop()
  }
  const details = { cold_ms: cold, warm_ms: warm, bare_node_ms: bare }
  return [
    { name: 'first start', value: Math.round(median(cold)), unit: 'ms', max: 15_000, details },
    { name: 'later start', value: Math.round(median(warm)), unit: 'ms', max: 5_000, details },
    {
      name: 'later start ÷ start of a bare node:http server',
      value: ratio(median(warm), median(bare)),
      unit: 'ratio',
      details,
    },
    {
      name: 'resident memory of the idle server',
      value: median(memory),
      unit: 'MB',
      goal: 150,
      details: { memory_mb: memory },
    },
  ]
}
