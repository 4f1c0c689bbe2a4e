// The sandbox clock: everything due by the new time is done before the response.

import { endPayment, expires_after_ms } from './payments.ts'
import { authorize } from './permissions.ts'
import { billDuePeriods } from './subscriptions.ts'
import { endTransaction } from './transactions.ts'
import type { Placeholder } from './unify.ts'
import type { ModelRequest, Outcome, World } from './world.ts'
import { time } from './world.ts'

const settle_after_ms = 30_000

/** Returns the outcome, and the placeholder for the new time if the clock moves. */
export function advanceClock(request: ModelRequest): {
  outcome: Outcome
  now: Placeholder | undefined
} {
  const actor = authorize(request, 'advance clock')
  if ('status' in actor) return { outcome: actor, now: undefined }
  const now = time()
  return { outcome: { status: 200, body: { now } }, now }
}

/** Processes what became due. It uses the server's times, so nothing depends on the local clock. */
export function advanceTo(world: World, now: string): void {
  const now_ms = Date.parse(now)
  const due = (from: Placeholder, after_ms: number) => Date.parse(from.known) + after_ms <= now_ms
  for (const one of world.transactions) {
    if (one.status !== 'pending' || !due(one.created_at, settle_after_ms)) continue
    const fails = one.metadata.sandbox_outcome === 'failed'
    endTransaction(world, one, fails ? 'failed' : 'succeeded')
  }
  for (const one of world.payments) {
    if (one.status === 'pending' && due(one.created_at, expires_after_ms)) {
      endPayment(world, one, 'canceled')
    }
  }
  for (const one of world.subscriptions) billDuePeriods(world, one, now_ms)
}
