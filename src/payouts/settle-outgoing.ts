// What a bank statement shows about payouts and refunds by transfer: the debit that executes one,
// the collective debit of a payment file, and the credit that returns one. The id of the entry is
// stored with each, so repeating an entry changes nothing, and a second debit is left to a person.

import type { Db, Queryable } from '../postgres/database.ts'
import { findUuid, idPrefixes } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findTransactions } from '../transactions/find-transaction.ts'
import type { TransactionLanes } from '../transactions/lanes.ts'
import { recordTransferResult } from '../transactions/transfer-refunds.ts'
import {
  connectEntry,
  type RefundRow,
  selectExport,
  selectExportedRefunds,
  selectRefundsOfExport,
} from './export-queries.ts'
import { changeUnderLock, movePayout, type PayoutChange } from './move-payout.ts'
import type { PayoutRow } from './payout.ts'
import { selectPayoutsById, selectPayoutsOfExport } from './queries.ts'

/** The part of a bank entry that decides. */
export interface OutgoingEntry {
  id: string
  direction: 'credit' | 'debit'
  amount: number
  currency: string
  is_reversal: boolean
  /** Why the bank returns it; null for any other entry. */
  return_reason: string | null
  end_to_end_id: string | null
  payment_information_id: string | null
  remittance: string | null
  /** The id of the payout or refund that a person has chosen; null to find it by its id. */
  target: string | null
}

interface SettleContext {
  db: Db
  lanes: TransactionLanes
}

/**
 * Returns the id of what the entry settles, with its prefix: a payout, a refund or, for a
 * collective debit, an export. Undefined if it settles nothing for certain: another amount, several
 * ids, a payout that ended otherwise.
 */
export async function settleOutgoing(
  { db, lanes }: SettleContext,
  entry: OutgoingEntry,
): Promise<string | undefined> {
  const named = await findNamed(db, entry)
  if (named === undefined) return undefined
  const { payouts, refunds, settles } = named
  const all = [...payouts, ...refunds]
  const total = sumOf(all)
  if (all.some((row) => row.currency !== entry.currency)) return undefined
  if (total !== entry.amount && !isReturnMinusFee(total, entry)) return undefined
  if (payouts.some((row) => planFor(row, entry) === undefined)) return undefined
  if (refunds.some((row) => !canSettle(row, entry))) return undefined
  // Decided again under the lock. What is left of a collective debit is done by the next attempt.
  for (const row of payouts) if (!(await settlePayout(db, row, entry))) return undefined
  for (const row of refunds) if (!(await settleRefund({ db, lanes }, row, entry))) return undefined
  return settles
}

/**
 * Throws unless the entry can settle its `target`, which a person has chosen. The worker settles it
 * with the functions for any other entry. A return may have lost a fee of the bank: the account
 * gets the whole amount, and the reconciliation shows the fee. Returns the row it settles.
 */
export async function requireTarget(
  db: Queryable,
  entry: OutgoingEntry & { target: string },
  note: string | null,
): Promise<{ account_id: string }> {
  const named = await findNamed(db, entry)
  if (named === undefined) {
    const what = 'No payout, and no refund in a payment file, with this id exists.'
    throw new Refusal('not_found', what)
  }
  if (!isReturn(entry) && !isDebit(entry)) {
    throw new Refusal(
      'invalid_request',
      'The entry must be the debit of a payout or of a refund, or a credit that returns one; got ' +
        'a debit that is a reversal or a return. Ignore the entry.',
    )
  }
  const [row] = [...named.payouts, ...named.refunds]
  requireMoney(entry, row!, note)
  const [payout] = named.payouts
  const [refund] = named.refunds
  const is_possible = payout ? planFor(payout, entry) !== undefined : canSettle(refund!, entry)
  if (is_possible) return row!
  const state = payout === undefined ? '' : `is ${payout.status}, or `
  const which = isReturn(entry) ? 'return' : 'debit'
  const message = `${named.settles} ${state}has another bank entry for its ${which}.`
  throw new Refusal('conflict', `${message} Ignore the entry.`)
}

function requireMoney(
  entry: OutgoingEntry,
  { amount, currency }: PayoutRow | RefundRow,
  note: string | null,
): void {
  const is_minus_fee = isReturnMinusFee(amount, entry)
  if (currency !== entry.currency || (amount !== entry.amount && !is_minus_fee)) {
    throw new Refusal(
      'invalid_request',
      `The payout or refund must have the amount of the entry, ${entry.amount} ` +
        `${entry.currency}; got ${amount} ${currency}. A return may have up to ` +
        `${return_fee_max} less, if "note" has the reason. Choose another one, or ignore the ` +
        'entry.',
    )
  }
  if (!is_minus_fee || note !== null) return
  throw new Refusal(
    'invalid_request',
    `"note" must have the reason why only ${entry.amount} of ${amount} was returned, such as a ` +
      'fee of the bank; got nothing.',
  )
}

// In minor units. More than banks charge; a larger one would give money away.
export const return_fee_max = 10_000

function isReturnMinusFee(total: number, entry: OutgoingEntry): boolean {
  const fee = total - entry.amount
  return entry.target !== null && isReturn(entry) && fee > 0 && fee <= return_fee_max
}

async function settlePayout(
  db: Db,
  { account_id, id }: PayoutRow,
  entry: OutgoingEntry,
): Promise<boolean> {
  return db.transaction((tx) =>
    changeUnderLock(tx, { account_id, id }, (set, lock, row) => {
      const plan = planFor(row, entry)
      for (const change of plan ?? []) movePayout(set, lock, row, change)
      return plan !== undefined
    }),
  )
}

function canSettle({ paid_entry_id, returned_entry_id }: RefundRow, entry: OutgoingEntry): boolean {
  const known_id = isReturn(entry) ? returned_entry_id : paid_entry_id
  return (isReturn(entry) || isDebit(entry)) && (known_id ?? entry.id) === entry.id
}

/** The entry is connected first: a crash afterwards is repaired by repeating it. */
async function settleRefund(
  { db, lanes }: SettleContext,
  row: RefundRow,
  entry: OutgoingEntry,
): Promise<boolean> {
  const is_return = isReturn(entry)
  const entries = {
    paid_entry_id: is_return ? null : entry.id,
    returned_entry_id: is_return ? entry.id : null,
  }
  if ((await connectEntry(db, row, entries)) === 0) return false
  await recordTransferResult(lanes, row, is_return ? 'failed' : 'succeeded')
  // The return was read first. It changed nothing if the refund had ended here before, by hand or
  // because its account was closed: then the debit has recorded another refund.
  if (!is_return && (await isReturned(db, row))) await recordTransferResult(lanes, row, 'failed')
  return true
}

async function isReturned(db: Db, { id }: RefundRow): Promise<boolean> {
  const found = await selectExportedRefunds(db, id)
  return found.some(({ returned_entry_id }) => returned_entry_id !== null)
}

/** What is known of the payout, refund or payment file with this id. */
export async function describeNamed(
  db: Queryable,
  { kind, id }: NamedId,
): Promise<{ account_id: string | null; state: string } | undefined> {
  if (kind === 'payout_export') {
    const found = await selectExport(db, id)
    return found && { account_id: null, state: 'a payment file' }
  }
  if (kind === 'transaction') {
    const [found] = await selectExportedRefunds(db, id)
    return found && { account_id: found.account_id, state: 'an exported refund' }
  }
  const [found] = await selectPayoutsById(db, [id])
  return found && { account_id: found.account_id, state: `a payout that is ${found.status}` }
}

interface Named {
  payouts: PayoutRow[]
  refunds: RefundRow[]
  settles: string
}

async function findNamed(db: Queryable, entry: OutgoingEntry): Promise<Named | undefined> {
  const [one, another] = namesIn(entry)
  const is_file = one?.kind === 'payout_export'
  const is_certain = one !== undefined && another === undefined
  const named = is_certain && !is_file ? await findOne(db, one) : undefined
  if (named !== undefined && sumOf([...named.payouts, ...named.refunds]) === entry.amount) {
    return named
  }
  // By agreement or by custom, one debit: with the texts of its transfers, of one, or of none.
  const [file, second] = entry.target === null ? filesIn(entry) : []
  if (!isDebit(entry) || file === undefined || second !== undefined) return named
  return findFile(db, entry, file)
}

async function findOne(db: Queryable, { kind, id, text }: NamedId): Promise<Named | undefined> {
  const payouts = kind === 'payout' ? await selectPayoutsById(db, [id]) : []
  const refunds = kind === 'payout' ? [] : await selectExportedRefunds(db, id)
  return payouts.length + refunds.length === 1 ? { payouts, refunds, settles: text } : undefined
}

async function findFile(
  db: Queryable,
  entry: OutgoingEntry,
  { id, text: settles }: NamedId,
): Promise<Named | undefined> {
  // The bank has rejected what failed. What was returned was executed before.
  const payouts = (await selectPayoutsOfExport(db, id)).filter(({ status }) => status !== 'failed')
  const refunds = await listExecuted(db, id, entry.amount - sumOf(payouts))
  return payouts.length + refunds.length === 0 ? undefined : { payouts, refunds, settles }
}

/**
 * The refunds of a file with this sum. The bank may have executed one that failed here, which is
 * recorded by another refund. Otherwise those that failed are not in its debit.
 */
async function listExecuted(db: Queryable, export_id: string, sum: number): Promise<RefundRow[]> {
  const refunds = await selectRefundsOfExport(db, export_id)
  if (refunds.length === 0 || sumOf(refunds) === sum) return refunds
  const transactions = new Map((await findTransactions(db, refunds)).map((row) => [row.id, row]))
  const endedAs = (status: string) => (row: RefundRow) =>
    row.returned_entry_id === null && transactions.get(row.id)?.status === status
  const failed = refunds.filter(endedAs('failed'))
  // With its account, not by the bank, which may have executed it instead of an equal one.
  const canceled = refunds.filter(endedAs('canceled'))
  const others = refunds.filter((row) => !failed.includes(row) && !canceled.includes(row))
  const is_unclear = canceled.some(({ amount }) => others.some((row) => row.amount === amount))
  return is_unclear ? [...others, ...canceled] : others
}

function sumOf(rows: readonly { amount: number }[]): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

/** Payouts and refunds; without any, payment files. */
export function namesIn(entry: OutgoingEntry): NamedId[] {
  const { target, end_to_end_id, remittance } = entry
  const texts = target === null ? [end_to_end_id, remittance] : [target]
  const ids = [...idsIn('payout', texts), ...idsIn('transaction', texts)]
  return ids.length > 0 || target !== null ? ids : filesIn(entry)
}

function filesIn({ payment_information_id, end_to_end_id, remittance }: OutgoingEntry): NamedId[] {
  return idsIn('payout_export', [payment_information_id, end_to_end_id, remittance])
}

export interface NamedId {
  kind: 'payout' | 'transaction' | 'payout_export'
  id: string
  /** With its prefix. */
  text: string
}

/** Banks change case, add spaces, and replace the dash of an id. */
function idsIn(kind: NamedId['kind'], texts: (string | null)[]): NamedId[] {
  const prefix = idPrefixes[kind]
  const pattern = new RegExp(`${prefix}(?=([0-7][0-9a-hjkmnp-tv-z]{25}))`, 'g')
  const found = texts.flatMap((text) => {
    const compact = (text ?? '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
    return [...compact.matchAll(pattern)].map(([, body]) => `${prefix}_${body}`)
  })
  return [...new Set(found)].flatMap((text) => {
    const id = findUuid(kind, text)
    return id === undefined ? [] : [{ kind, id, text }]
  })
}

/** Some formats do not mark returns: then a person has chosen what the credit returns. */
function isReturn({ direction, is_reversal, return_reason, target }: OutgoingEntry): boolean {
  return direction === 'credit' && (is_reversal || return_reason !== null || target !== null)
}

function isDebit({ direction, is_reversal, return_reason }: OutgoingEntry): boolean {
  return direction === 'debit' && !is_reversal && return_reason === null
}

/** Empty if the entry has settled the payout before; undefined if it must not settle it. */
function planFor(row: PayoutRow, entry: OutgoingEntry): PayoutChange[] | undefined {
  if (isReturn(entry)) return planReturn(row, entry)
  if (!isDebit(entry)) return undefined
  const { id: paid_entry_id } = entry
  if (row.paid_entry_id === paid_entry_id) return []
  if (row.paid_entry_id !== null) return undefined
  if (row.status === 'in_transit') return [{ status: 'paid', paid_entry_id }]
  // An admin was faster than the statement, or its entries have another order.
  const { status } = row
  if (status === 'paid' || status === 'returned') return [{ status, paid_entry_id }]
  return undefined
}

function planReturn(row: PayoutRow, entry: OutgoingEntry): PayoutChange[] | undefined {
  const { id: returned_entry_id, return_reason: reason } = entry
  if (row.returned_entry_id === returned_entry_id) return []
  if (row.returned_entry_id !== null) return undefined
  const returned = { status: 'returned', returned_entry_id } as const
  if (row.status === 'returned') return [returned]
  if (row.status === 'paid') return [{ ...returned, reason }]
  // The debit is an earlier entry that was not settled yet.
  if (row.status === 'in_transit') return [{ status: 'paid' }, { ...returned, reason }]
  return undefined
}
