// A batch is one database transaction in two flushes: BEGIN, locks and reads; then writes and
// COMMIT. Results are returned only after every statement, including COMMIT, has succeeded.

import { type Actor, type NewAuditEntry, recordAuditEntries } from '../audit/record-audit-entry.ts'
import { recordEvents } from '../events/record-event.ts'
import type { IdempotencyKey, StoredResponse } from '../idempotency/idempotency-key.ts'
import {
  findStoredResponses,
  isStoredResponseConflict,
  keyText,
  requireSameRequest,
  storeResponses,
} from '../idempotency/stored-responses.ts'
import { findLiveTokens, type TokenToCheck } from '../identity/sessions/find-live-tokens.ts'
import { invalidToken } from '../identity/sessions/require-live-token.ts'
import { type LaneEntry, locked_elsewhere, type Outcome } from '../lanes/lane.ts'
import { closedAtOf } from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import {
  findLockedElsewhere,
  lockBalances,
  lockBalancesSkipLocked,
  writeLedger,
} from '../ledger/write-ledger.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { isRetryable, OutcomeUnknown, sqlState } from '../postgres/failure.ts'
import { applyClosings } from './apply-closings.ts'
import type { BatchAuditEntry } from './audit-entry-for.ts'
import { type Command, decide } from './decide.ts'
import { noPaymentRequests, type PaymentRequests, type RequestState } from './payment-requests.ts'
import {
  type RowKey,
  selectRefundTotals,
  selectTransactions,
  sendChanges,
  sendInserts,
  sendRefundTotals,
} from './queries.ts'
import type { TransactionRow } from './transaction.ts'
import { WorkingSet } from './working-set.ts'

/** The fields of every lane entry, whatever its command. */
export interface BatchEntry<Row> extends LaneEntry {
  /** Checked again under the lock; undefined for background work. */
  token: TokenToCheck | undefined
  key: IdempotencyKey | undefined
  /** Written to the audit log if the command changes something. */
  audit_entry?: BatchAuditEntry | undefined
  status: number
  render(row: Row): string
}

/** The fields of the worker's entries: no caller, no idempotency key, and no response body. */
export function backgroundEntry(account_id: string, signal: AbortSignal | undefined) {
  return {
    account_id,
    background: true,
    isWanted: () => !signal?.aborted,
    token: undefined,
    key: undefined,
    status: 200,
    render: () => '',
  }
}

export interface TransactionEntry extends BatchEntry<TransactionRow> {
  command: Command
}

export interface CommandResult {
  status: number
  body: string | Buffer
  replayed: boolean
}

export function runBatch(
  db: Db,
  entries: TransactionEntry[],
  waits: boolean,
  payment_requests = noPaymentRequests,
): Promise<Outcome<CommandResult>[]> {
  return runWithBisection(laneDb(db, waits), entries, (tx, some) =>
    decideBatch(tx, payment_requests, some, waits),
  )
}

/** Batches that wait for locks use a separate pool, so they never starve the others. */
export function laneDb(db: Db, waits: boolean): Db {
  return waits ? db.waiting_pool : db
}

export async function runWithBisection<AnEntry extends { account_id: string }>(
  db: Db,
  entries: AnEntry[],
  decideAll: (tx: Tx, entries: AnEntry[]) => Promise<Outcome<CommandResult>[]>,
  attempts_left = 3,
): Promise<Outcome<CommandResult>[]> {
  try {
    return await db.batch((tx) => decideAll(tx, entries))
  } catch (error) {
    if (attempts_left > 0 && isStoredResponseConflict(error)) {
      return runWithBisection(db, entries, decideAll, attempts_left - 1)
    }
    // Only data errors (SQLSTATE 22, 23) can be caused by one entry: bisect until it is alone.
    if (!/^2[23]/.test(sqlState(error) ?? '')) throw error
    if (entries.length === 1) return [{ error }]
    const half = Math.ceil(entries.length / 2)
    const first = await runWithBisection(db, entries.slice(0, half), decideAll)
    return [...first, ...(await runRest(db, entries, first, decideAll))]
  }
}

/**
 * Runs the second half. Entries of an account that the first half skipped are skipped too, to keep
 * their order. An outage fails only the entries it affects: the first half is already committed.
 */
async function runRest<AnEntry extends { account_id: string }>(
  db: Db,
  entries: AnEntry[],
  first: Outcome<CommandResult>[],
  decideAll: (tx: Tx, entries: AnEntry[]) => Promise<Outcome<CommandResult>[]>,
): Promise<Outcome<CommandResult>[]> {
  const rest = entries.slice(first.length)
  const outage = first.find(isOutage)
  if (outage !== undefined) return rest.map(() => outage)
  const skipped = entries.filter((_, at) => first[at] === locked_elsewhere)
  const accounts = new Set(skipped.map(({ account_id }) => account_id))
  const free = rest.filter(({ account_id }) => !accounts.has(account_id))
  const run = free.length === 0 ? Promise.resolve([]) : runWithBisection(db, free, decideAll)
  const outcomes = await run.catch((error) => free.map((): Outcome<CommandResult> => ({ error })))
  return rest.map(({ account_id }) =>
    accounts.has(account_id) ? locked_elsewhere : outcomes.shift()!,
  )
}

function isOutage(outcome: Outcome<CommandResult>): boolean {
  if (!('error' in outcome)) return false
  return outcome.error instanceof OutcomeUnknown || isRetryable(outcome.error)
}

async function decideBatch(
  tx: Tx,
  payment_requests: PaymentRequests,
  entries: TransactionEntry[],
  waits: boolean,
): Promise<Outcome<CommandResult>[]> {
  const names = entries.flatMap(({ command }) => rowKeysOf(command))
  const request_names = entries.flatMap(({ command }) => requestKeyOf(command))
  const [{ locks, ...context }, stored, requests] = await Promise.all([
    lockAndLoadContext(tx, entries, waits),
    names.length === 0 ? [] : selectTransactions(tx, names),
    request_names.length === 0 ? [] : payment_requests.find(tx, request_names),
  ])
  const named = applyClosings(stored, closedAtOf(locks))
  const paid = requests.flatMap(paidBy)
  // Only batches with linked refunds need more reads, all in one flush.
  const payments = [...paymentsIn(entries, named), ...paid]
  const settled = paymentsOfSettledRefunds(entries, named)
  const [refunded, paid_rows, queueRefundEmails] = await Promise.all([
    payments.length === 0 ? [] : selectRefundTotals(tx, payments),
    paid.length === 0 ? [] : selectTransactions(tx, paid),
    settled.length === 0 ? undefined : payment_requests.prepareRefundEmails(tx, settled),
  ])
  const set = new WorkingSet(tx.now, { locks, rows: [...named, ...paid_rows], refunded, requests })
  const records: BatchRecords = { responses: [], audit_entries: [] }
  const outcomes = entries.map((entry) =>
    decideEntry(entry, context, records, {
      decide: () => decide(set, entry.command),
      changes: () => set.events.length,
    }),
  )
  write(tx, set, records)
  queueRefundEmails?.(tx, refundsThatSucceeded(set))
  return outcomes
}

/**
 * Locks the accounts, then reads tokens and stored responses. Reads that the caller starts in the
 * same tick leave in the same flush, and so run after the locks too.
 */
export async function lockAndLoadContext(
  tx: Tx,
  entries: BatchEntry<never>[],
  waits: boolean,
): Promise<LockedContext & { locks: AccountLock[] }> {
  const account_ids = new Set(entries.map(({ account_id }) => account_id))
  const [locks, live_tokens, stored_responses] = await Promise.all([
    waits ? lockBalances(tx, [...account_ids]) : lockBalancesSkipLocked(tx, [...account_ids]),
    findLiveTokens(
      tx,
      entries.flatMap(({ token }) => token ?? []),
    ),
    findStoredResponses(
      tx,
      entries.flatMap(({ key }) => key ?? []),
    ),
  ])
  for (const { account_id } of locks) account_ids.delete(account_id)
  const locked_account_ids =
    waits || account_ids.size === 0 ? none : await findLockedElsewhere(tx, [...account_ids])
  return { locks, live_tokens, stored_responses, locked_account_ids }
}

const none: ReadonlySet<string> = new Set()

/** The records that are written together with a change. */
export interface BatchRecords {
  responses: StoredResponse[]
  audit_entries: { actor: Actor; audit_entry: NewAuditEntry }[]
}

function rowKeysOf(command: Command): RowKey[] {
  const id = command.kind === 'create' ? command.linked_id : command.id
  return id === undefined ? [] : [{ account_id: command.account_id, id }]
}

function requestKeyOf(command: Command): RowKey[] {
  if (command.kind !== 'create' || command.linked_request_id === undefined) return []
  return [{ account_id: command.account_id, id: command.linked_request_id }]
}

function paidBy({ account_id, transaction_id: id }: RequestState): RowKey[] {
  return id === null ? [] : [{ account_id, id }]
}

/** The payments whose refunds this batch may settle. */
function paymentsOfSettledRefunds(entries: TransactionEntry[], rows: TransactionRow[]): RowKey[] {
  const succeeding = new Set(
    entries.flatMap(({ command }) =>
      command.kind === 'end' && command.to === 'succeeded' ? [command.id] : [],
    ),
  )
  return rows.flatMap(({ account_id, id, refund_of }) =>
    refund_of !== null && succeeding.has(id) ? [{ account_id, id: refund_of }] : [],
  )
}

function refundsThatSucceeded(set: WorkingSet): TransactionRow[] {
  return [...set.changed].flatMap(([row, stored_status]) => {
    const succeeded = row.status === 'succeeded' && stored_status === 'pending'
    return succeeded && row.refund_of !== null ? [row] : []
  })
}

function paymentsIn(entries: TransactionEntry[], rows: TransactionRow[]): RowKey[] {
  const linked = entries.flatMap(({ command }) =>
    command.kind === 'create' ? rowKeysOf(command) : [],
  )
  const ended = rows.flatMap(({ account_id, refund_of }) =>
    refund_of === null ? [] : [{ account_id, id: refund_of }],
  )
  return [...linked, ...ended]
}

/** The state of the batch's callers, read under the locks. */
export interface LockedContext {
  live_tokens: Set<string>
  stored_responses: Map<string, StoredResponse>
  /** Accounts locked by another transaction: their entries are not decided. */
  locked_account_ids: ReadonlySet<string>
}

export interface Decision<Row> {
  decide(): Row
  /** Grows when a decision changes something: only then is an audit entry written. */
  changes(): number
}

/** Checks the token, then the stored response of the idempotency key, then decides the command. */
export function decideEntry<Row extends RowKey>(
  entry: BatchEntry<Row>,
  { live_tokens, stored_responses, locked_account_ids }: LockedContext,
  records: BatchRecords,
  decision: Decision<Row>,
): Outcome<CommandResult> {
  if (locked_account_ids.has(entry.account_id)) return locked_elsewhere
  try {
    const { token, key } = entry
    if (token && !live_tokens.has(token.token_hash.toString('latin1'))) {
      throw invalidToken(token.kind)
    }
    const stored = key && stored_responses.get(keyText(key))
    if (key && stored) {
      requireSameRequest(key, stored)
      return { value: { status: stored.status, body: stored.body, replayed: true } }
    }
    const changes_before = decision.changes()
    const row = decision.decide()
    const body = entry.render(row)
    if (key) records.responses.push({ ...key, status: entry.status, body: Buffer.from(body) })
    if (entry.audit_entry && decision.changes() > changes_before) {
      const { actor, action, details } = entry.audit_entry
      const audit_entry = { action, object_id: row.id, account_id: row.account_id, details }
      records.audit_entries.push({ actor, audit_entry })
    }
    return { value: { status: entry.status, body, replayed: false } }
  } catch (error) {
    return { error }
  }
}

function write(tx: Tx, set: WorkingSet, { responses, audit_entries }: BatchRecords): void {
  writeLedger(tx, [...set.touched], set.postings)
  writeTransactions(tx, set)
  recordEvents(tx, set.events)
  storeResponses(tx, responses)
  recordAuditEntries(tx, audit_entries)
}

/** Writes the transactions of a working set; also used outside the lanes. */
export function writeTransactions(tx: Tx, set: WorkingSet): void {
  if (set.inserted.length > 0) sendInserts(tx, set.inserted)
  if (set.changed.size > 0) {
    sendChanges(
      tx,
      [...set.changed].map(([row, stored_status]) => ({ ...row, stored_status })),
    )
  }
  if (set.refunds_touched.size > 0) {
    const totals = [...set.refunds_touched].map((key) => set.refunded.get(key)!)
    sendRefundTotals(tx, totals)
  }
}
