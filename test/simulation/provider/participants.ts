// Everything outside Florin that takes part in a run with a payment provider, started and ended
// together.

import type { Random } from '../../../src/operations/seeding/random.ts'
import type { Sender } from '../clients/send.ts'
import type { World } from '../clients/world.ts'
import type { Recorder } from '../record.ts'
import { runBank } from './bank.ts'
import { Courier } from './courier.ts'
import type { RunProvider } from './open-provider.ts'
import { runOutages } from './outages.ts'
import { runPayer } from './payer.ts'

export interface ProviderParts {
  provider: RunProvider
  world: World
  sender: Sender
  recorder: Recorder
  /** An independent stream for each participant. */
  randomOf(name: string, number?: number): Random
  chooseServer(random: Random): number | undefined
  /** After this, no participant starts anything new. */
  until_ms: number
}

const payers = 8

/** Resolves when all participants have ended, and the provider is healthy. */
export async function runParticipants(parts: ProviderParts): Promise<void> {
  const courier = new Courier(parts)
  const all = Array.from({ length: payers }, (_, number) => runPayer(parts, number))
  await Promise.all([...all, runBank(parts), runOutages(parts), courier.run()])
}
