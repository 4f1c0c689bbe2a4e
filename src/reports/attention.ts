// GET /v1/account/attention: what somebody should look at today. Counted up to a limit, because
// whoever has a thousand of something knows enough.

import { findExpiring } from '../payments/find-expiring.ts'
import { readTime } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { searchInTurn } from '../postgres/search.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import type { Processor } from '../processors/processor.ts'
import { getActingAccountId } from '../sessions/acting-account.ts'
import type { Caller } from '../sessions/caller.ts'
import { reachOf } from '../sessions/permissions.ts'
import { findFailedSince, findPendingSince } from '../transactions/find-troubled.ts'
import { findTroubledEndpoints } from '../webhooks/find-troubled.ts'

export interface Troubled {
  count: number
  ids: string[]
}

export interface Attention {
  account_id: string
  at: string
  failed: Troubled & { since: string }
  pending_long: Troubled & { before: string }
  payments_expiring: Troubled & { by: string }
  webhooks_failing: Troubled | null
  webhooks_disabled: Troubled | null
}

export const count_max = 1_000
export const ids_max = 5

const hour_ms = 3_600_000
const failed_ms = 24 * hour_ms
const expiring_ms = 72 * hour_ms

const report_advice = 'There is too much to look through at once. Try again shortly.'

export async function reportAttention(
  db: Db,
  caller: Caller,
  processor: Processor,
): Promise<Attention> {
  const account_id = await getActingAccountId(db, caller)
  const now = await readTime(db)
  const since = after(now, -failed_ms)
  const before = after(now, -patience(processor))
  const by = after(now, expiring_ms)
  return searchInTurn(db, account_id, report_advice, async (tx) => {
    const failed = await findFailedSince(tx, account_id, since, count_max)
    const pending = await findPendingSince(tx, account_id, before, count_max)
    const expiring = await findExpiring(tx, account_id, { now, by }, count_max)
    const endpoints = maySeeWebhooks(caller)
      ? await findTroubledEndpoints(tx, account_id)
      : undefined
    return {
      account_id: toTypeId('account', account_id),
      at: toIso(now),
      failed: { since: toIso(since), ...troubled(failed) },
      pending_long: { before: toIso(before), ...troubled(pending) },
      payments_expiring: { by: toIso(by), ...troubled(expiring) },
      webhooks_failing: endpoints === undefined ? null : troubled(endpoints.failing),
      webhooks_disabled: endpoints === undefined ? null : troubled(endpoints.disabled),
    }
  })
}

/** An hour is long for people; a slow processor is given twice the time that it takes. */
function patience({ settle_after_ms }: Processor): number {
  return Math.max(hour_ms, 2 * (settle_after_ms ?? 0))
}

function after(time: Date, by_ms: number): Date {
  return new Date(time.getTime() + by_ms)
}

/** Members, platforms and keys may read the books, but endpoints are none of their business. */
function maySeeWebhooks(caller: Caller): boolean {
  const reach = reachOf(caller, 'manage_webhooks')
  return reach !== 401 && reach !== 403
}

function troubled(ids: string[]): Troubled {
  return { count: ids.length, ids: ids.slice(0, ids_max) }
}
