// The worker's job that matches new bank entries and settles them. An entry is marked as settling
// before anything is recorded, so a person cannot decide about it meanwhile. Its id is the charge:
// after a crash the next round repeats the command, which changes nothing if it was recorded.

import { matchTransaction } from '../bank/match-transaction.ts'
import type { JobContext, JobResult } from '../jobs/timer.ts'
import { backgroundEntry } from '../lanes/lane-entry.ts'
import type { LatePolicy } from '../payments/checkout-commands.ts'
import { findPaymentsById } from '../payments/find-payment.ts'
import type { PaymentLanes } from '../payments/lanes.ts'
import type { PaymentRow } from '../payments/payment.ts'
import { TransferMismatch } from '../payments/transfer-command.ts'
import type { Db } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { type EntryRow, transactionOf } from './bank-entry.ts'
import { candidateOf, type FindCandidates, findCandidates } from './find-candidates.ts'
import { type EntryChange, postponeEntry, selectDueEntries, updateEntry } from './queries.ts'

export interface SettleParts {
  db: Db
  payment_lanes: PaymentLanes
  late_payments: LatePolicy
  /** Called in this order for entries that pay no payment request. */
  settlers: readonly Settler[]
}

/**
 * Settles what an entry pays other than a payment request: the debit of a payout or of a refund by
 * transfer, its return, or the credit of a provider. It checks direction, amount and currency
 * itself. Returns the id of what it has settled, with its prefix, or undefined if it has changed
 * nothing. Repeating it with the same entry changes nothing and returns the same.
 */
export type Settler = (db: Db, entry: EntryRow) => Promise<string | undefined>

// Commands of one round share the batches of the lane.
const round_max = 100
const retry_ms = 60_000

type Report = (error: unknown, failed: number) => void

/** A round of the worker. */
export async function settleEntries(
  parts: SettleParts,
  { signal }: Pick<JobContext, 'signal'>,
  report: Report,
): Promise<JobResult> {
  const due = await selectDueEntries(parts.db, round_max)
  const candidates = await findCandidates(
    parts.db,
    due.filter(({ payment_id }) => payment_id === null),
  )
  const acts = due.map((entry) => act(parts, entry, candidates, signal))
  const results = await Promise.allSettled(acts)
  const failed = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  await Promise.all(
    due
      .filter((_, at) => results[at]!.status === 'rejected')
      .map(({ id }) => postponeEntry(parts.db, id, retry_ms)),
  )
  if (failed.length > 0) report(failed[0], failed.length)
  return { done: due.length - failed.length, more: due.length === round_max && !signal.aborted }
}

async function act(
  parts: SettleParts,
  entry: EntryRow,
  candidates: FindCandidates,
  signal: AbortSignal,
): Promise<void> {
  if (entry.payment_id !== null) return settle(parts, entry, signal)
  const chosen = await choose(parts, entry, candidates)
  if (chosen?.status === 'settling') await settle(parts, chosen, signal)
}

/** Undefined if a person has decided meanwhile. */
async function choose(
  { db, late_payments, settlers }: SettleParts,
  entry: EntryRow,
  candidates: FindCandidates,
): Promise<EntryRow | undefined> {
  const change = matchEntry(entry, candidates(entry), late_payments)
  if (change.status === 'settling' && entry.status === 'new') return updateEntry(db, entry, change)
  const taken = await updateEntry(db, entry, { status: 'settling' })
  if (taken === undefined) return undefined
  const settles = await settleOther({ db, settlers }, taken)
  const outcome = settles === undefined ? change : ({ status: 'settled', settles } as const)
  return updateEntry(db, taken, { ...outcome, target: null })
}

function matchEntry(entry: EntryRow, payments: PaymentRow[], late: LatePolicy): EntryChange {
  const all = payments.map(candidateOf)
  const result = matchTransaction({ ...entry, is_booked: true }, transactionOf(entry), all)
  if (result.outcome === 'review') {
    const { reason } = result
    return { status: 'open', reason, proposals: JSON.stringify(result.proposals) }
  }
  const { account_id, id: payment_id } = payments.find(({ id }) => id === result.candidate_id)!
  return { status: 'settling', account_id, payment_id, accepts: 'exact', late }
}

async function settleOther(
  { db, settlers }: Pick<SettleParts, 'db' | 'settlers'>,
  entry: EntryRow,
): Promise<string | undefined> {
  for (const settler of settlers) {
    const settles = await settler(db, entry)
    if (settles !== undefined) return settles
  }
  return undefined
}

/** Records the money of a settling entry. */
async function settle(
  { db, payment_lanes }: Pick<SettleParts, 'db' | 'payment_lanes'>,
  entry: EntryRow,
  signal: AbortSignal,
): Promise<void> {
  const { account_id, payment_id, amount, currency, accepts, late } = entry
  if (account_id === null || payment_id === null || accepts === null || late === null) {
    throw new Error(`bank entry ${entry.id} is settling without a payment request`)
  }
  const charge_id = toTypeId('bank_entry', entry.id)
  const key = { account_id, id: payment_id, charge_id }
  const command = { kind: 'transfer', ...key, amount, currency, accepts, late } as const
  try {
    await payment_lanes.submit({ command, ...backgroundEntry(account_id, signal) })
  } catch (error) {
    if (!(error instanceof TransferMismatch)) throw error
    await updateEntry(db, entry, await reopened(db, entry, payment_id))
    return
  }
  await updateEntry(db, entry, { status: 'settled', settles: toTypeId('payment', payment_id) })
}

/** The request was paid or has ended since it was chosen: a person must decide. */
async function reopened(db: Db, entry: EntryRow, payment_id: string): Promise<EntryChange> {
  const [payment] = await findPaymentsById(db, [payment_id])
  const ended = payment?.status === 'succeeded' ? 'already_paid' : 'late'
  const reason = entry.accepts === 'any' ? 'wrong_currency' : ended
  const proposal = { candidate_id: payment_id, reasons: ['same_reference', reason], difference: 0 }
  const proposals = JSON.stringify([proposal])
  return { status: 'open', reason, proposals, ...undecided }
}

const undecided = { account_id: null, payment_id: null, accepts: null, late: null }
