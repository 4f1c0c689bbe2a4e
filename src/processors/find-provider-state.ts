// What the database knows about a provider, for operators.

import type { Queryable } from '../postgres/database.ts'
import type { ProviderName } from './provider.ts'
import {
  countBacklog,
  countUnmatched,
  type EventBacklog,
  type ProviderStateRow,
  selectState,
  selectUnmatched,
  type UnmatchedPayment,
} from './queries.ts'

export interface ProviderState extends Omit<ProviderStateRow, 'cursor'>, EventBacklog {
  /** Nothing has succeeded since the last error. */
  is_failing: boolean
  unmatched: { count: number; data: UnmatchedPayment[] }
}

// Bounds the cost of counting.
const backlog_max = 1_000
const unmatched_max = 20

export async function findProviderState(
  db: Queryable,
  provider: ProviderName,
): Promise<ProviderState> {
  const { cursor: _, ...row } = (await selectState(db, provider)) ?? none
  const count = await countUnmatched(db, provider)
  const data = count === 0 ? [] : await selectUnmatched(db, provider, unmatched_max)
  return {
    ...row,
    is_failing: isFailing(row),
    ...(await countBacklog(db, provider, backlog_max)),
    unmatched: { count, data },
  }
}

/** When a message of the provider last arrived; null if none ever did. */
export async function findLastWebhook(db: Queryable, provider: ProviderName): Promise<Date | null> {
  return (await selectState(db, provider))?.last_webhook_at ?? null
}

const none: ProviderStateRow = {
  cursor: null,
  last_webhook_at: null,
  last_sweep_at: null,
  last_error: null,
  last_error_at: null,
}

function isFailing({ last_error_at, last_sweep_at }: Omit<ProviderStateRow, 'cursor'>): boolean {
  return last_error_at !== null && (last_sweep_at === null || last_error_at > last_sweep_at)
}
