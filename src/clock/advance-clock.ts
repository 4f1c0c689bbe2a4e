// POST /v1/sandbox/clock/advance and `florin clock advance`: business time makes a step, and all
// that became due by it is done before the answer. What can become due belongs to several nouns, so
// this stands above them.

import { type Actor, recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce, type IdempotencyContext, Replay } from '../idempotency/change-once.ts'
import { type DuePaymentParts, runAllDuePayments } from '../payments/run-due.ts'
import { moveClock } from '../postgres/clock.ts'
import type { Tx } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import { type DueSubscriptionParts, runAllDueSubscriptions } from '../subscriptions/run-due.ts'
import { type SettlementParts, settleAllDue } from '../transactions/settle-due.ts'

/** Ten years: a longer step is a slip of the hand, and the clock never goes back. */
export const seconds_max = 3_650 * 86_400

export interface ClockAdvance {
  actor: Actor
  seconds: number
  /** How long the work that became due may take. */
  within_ms: number
  /** Asked inside the change, before anything is done. */
  check?: (tx: Tx) => Promise<void>
  idempotency?: IdempotencyContext | undefined
}

export type DueParts = SettlementParts & DuePaymentParts & DueSubscriptionParts

export interface ClockTime {
  now: string
}

/** What the clock says after the step. */
export async function advanceClock(parts: DueParts, step: ClockAdvance): Promise<ClockTime> {
  const time = await changeOnce(parts.db, step.idempotency, (tx) => takeStep(tx, step)).catch(
    (error) => finishStep(parts, step, error),
  )
  await runAllDue(parts, step, time)
  return time
}

/** A step that was taken before may have ended with its server, before the rest was done. */
async function finishStep(parts: DueParts, step: ClockAdvance, error: unknown): Promise<never> {
  if (error instanceof Replay) await runAllDue(parts, step, JSON.parse(error.body.toString()))
  throw error
}

async function runAllDue(
  parts: DueParts,
  { within_ms }: ClockAdvance,
  { now }: ClockTime,
): Promise<void> {
  const by = new Date(now)
  const until_ms = performance.now() + within_ms
  await settleAllDue(parts, by, within_ms)
  await runAllDuePayments(parts, by, until_ms - performance.now())
  // Last: the requests that periods make begin their thirty days now.
  await runAllDueSubscriptions(parts, by, until_ms - performance.now())
}

async function takeStep(tx: Tx, { actor, seconds, check }: ClockAdvance): Promise<ClockTime> {
  await check?.(tx)
  const now = await moveClock(tx, seconds * 1_000)
  if (now === undefined) {
    throw new Refusal(
      'invalid_request',
      'seconds would take the clock more than a hundred years ahead of real time, and it never ' +
        'goes back. Make a new sandbox to begin anew.',
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
