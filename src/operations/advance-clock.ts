// POST /v1/sandbox/clock/advance and `florin clock advance`: advances business time, and completes
// all work that becomes due before it returns. The work belongs to several folders, so this folder
// is above them.

import { type Actor, recordAuditEntry } from '../audit/record-audit-entry.ts'
import { runAllDueDisputes } from '../disputes/resolve-dispute.ts'
import { changeOnce, type IdempotencyContext, Replay } from '../idempotency/change-once.ts'
import { type DuePaymentParts, runAllDuePayments } from '../payments/run-due.ts'
import { moveClock } from '../postgres/clock.ts'
import type { Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import { type DueSubscriptionParts, runAllDueSubscriptions } from '../subscriptions/run-due.ts'
import { type SettlementParts, settleAllDue } from '../transactions/settle-due.ts'
import { completeAllTransfers } from '../transfers/complete-transfers.ts'

/** Ten years: a longer step is probably a mistake, and the clock cannot be set back. */
export const seconds_max = 3_650 * 86_400

interface ClockAdvance {
  actor: Actor
  seconds: number
  /** The time limit of the work that becomes due. */
  within_ms: number
  /** Runs inside the database transaction, before the change. */
  check?: (tx: Tx) => Promise<void>
  idempotency?: IdempotencyContext | undefined
}

export type DueParts = SettlementParts & DuePaymentParts & DueSubscriptionParts

interface ClockTime {
  now: string
}

/** Returns the new time. */
export async function advanceClock(parts: DueParts, step: ClockAdvance): Promise<ClockTime> {
  const time = await changeOnce(parts.db, step.idempotency, (tx) => takeStep(tx, step)).catch(
    (error) => finishStep(parts, step, error),
  )
  await completeDueWork(parts, new Date(time.now), step.within_ms)
  return time
}

/** On a replay, the original request may have crashed before it completed the due work. */
async function finishStep(parts: DueParts, step: ClockAdvance, error: unknown): Promise<never> {
  if (error instanceof Replay) {
    const { now }: ClockTime = JSON.parse(error.body.toString())
    await completeDueWork(parts, new Date(now), step.within_ms)
  }
  throw error
}

/** All that is due by a time: settlement, reminders, expiry, disputes, transfers, subscriptions. */
export async function completeDueWork(parts: DueParts, by: Date, within_ms: number): Promise<void> {
  const until_ms = performance.now() + within_ms
  await settleAllDue(parts, by, within_ms)
  await runAllDuePayments(parts, by, until_ms - performance.now())
  await runAllDueDisputes(parts.db, by, until_ms - performance.now())
  await completeAllTransfers(parts.db, by, until_ms - performance.now())
  // Last: the new payment requests of subscriptions start their thirty days now and are not due.
  await runAllDueSubscriptions(parts, by, until_ms - performance.now())
}

async function takeStep(tx: Tx, { actor, seconds, check }: ClockAdvance): Promise<ClockTime> {
  await check?.(tx)
  const now = await moveClock(tx, seconds * 1_000)
  if (now === undefined) {
    throw new Refusal(
      'invalid_request',
      '"seconds" must not move the clock more than 100 years ahead of real time; ' +
        `got ${seconds}. The clock cannot be set back. Create a new sandbox to start over.`,
    )
  }
  const time = { now: toIso(now) }
  const audit_entry = {
    action: 'clock.advanced',
    object_id: null,
    details: { seconds, ...time },
  } as const
  await recordAuditEntry(tx, actor, audit_entry)
  return time
}
