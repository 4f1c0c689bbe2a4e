// Everything outside Florin that takes part in a run with a payment provider, started and ended
// together.

import { runBank } from './bank.ts'
import { Courier } from './courier.ts'
import type { ProviderParts } from './open-provider.ts'
import { runOutages } from './outages.ts'
import { runPayer } from './payer.ts'

const payers = 8

/** Resolves when all participants have ended, and the provider is healthy. */
export async function runParticipants(parts: ProviderParts): Promise<void> {
  const courier = new Courier(parts)
  const all = Array.from({ length: payers }, (_, number) => runPayer(parts, number))
  await Promise.all([...all, runBank(parts), runOutages(parts), courier.run()])
}
