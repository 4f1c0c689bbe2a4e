// Fetches the state of checkouts at the provider, in case a webhook was missed, and ends those
// whose payment request has ended. Concurrent workers are harmless: applying a snapshot twice
// changes nothing.

import { type DueContext, type DueRowKey, type DueWork, dueJob } from '../jobs/due-work.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { backgroundEntry } from '../lanes/lane-entry.ts'
import { type Provider, ProviderError, type Snapshot } from '../processors/provider.ts'
import { abandonedAt, type CheckoutRow } from './checkout.ts'
import { checkoutKey } from './checkout-commands.ts'
import { selectCheckouts, selectDueCheckouts } from './checkout-queries.ts'
import { applySnapshot, type SnapshotParts } from './receive-snapshot.ts'

interface CheckParts extends SnapshotParts {
  providers: readonly Provider[]
}

// Each check takes up to three calls, and providers allow some tens of calls per second.
const round_max = 16

/** The worker's job. Failures are passed to `report`, once per round, and retried later. */
export function checkCheckoutsJob(
  parts: CheckParts,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  return dueJob(parts.db, workOf(parts), report)
}

function workOf(parts: CheckParts): DueWork<DueRowKey> {
  return {
    find: async (search) => {
      const limit = Math.min(search.limit, Math.ceil(round_max / search.slots.length))
      const rows = await selectDueCheckouts(parts.db, { ...search, limit })
      return rows.slice(0, round_max)
    },
    act: (row, context) => check(parts, row, context),
  }
}

async function check(parts: CheckParts, key: DueRowKey, context: DueContext): Promise<void> {
  const [row] = await selectCheckouts(parts.db, [key])
  // Another worker may have been faster.
  if (row === undefined || row.check_at === null || row.check_at > context.by) return
  if (row.provider_id === null) return checked(parts, row, context, endOfUnconfirmed(row))
  // The checkouts of a provider that was removed from the settings stay as they are.
  const provider = parts.providers.find(({ name }) => name === row.provider)
  if (provider === undefined) return checked(parts, row, context, undefined)
  const snapshot = await askProvider(provider, row, row.provider_id)
  const applied = snapshot && (await applySnapshot(parts, provider, snapshot))
  if (applied !== 'applied') await checked(parts, row, context, undefined)
}

/** Undefined if the provider does not have it, such as after a change to another API key. */
async function askProvider(
  provider: Provider,
  { is_ending }: CheckoutRow,
  provider_id: string,
): Promise<Snapshot | undefined> {
  try {
    if (!is_ending) return await provider.fetchSnapshot(provider_id)
    return await provider.expireCheckout(provider_id)
  } catch (error) {
    // The same call would be rejected every minute, and such rows would delay the others.
    if (error instanceof ProviderError && error.is_final) return undefined
    throw error
  }
}

/** No payer has the URL of a checkout that the provider has not confirmed. */
function endOfUnconfirmed(row: CheckoutRow): 'ended' | undefined {
  return abandonedAt(row).getTime() <= Date.now() ? 'ended' : undefined
}

async function checked(
  { payment_lanes }: CheckParts,
  row: CheckoutRow,
  { signal }: DueContext,
  to: 'ended' | undefined,
): Promise<void> {
  const command = { kind: 'checked', ...checkoutKey(row), to } as const
  await payment_lanes.submit({ command, ...backgroundEntry(row.account_id, signal) })
}
